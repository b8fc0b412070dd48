"""Tools of the viewport, one file each; the first one is in hand when no other was taken."""

from app.tools.base import Pointer, Tool
from app.tools.select import SelectTool

__all__ = ["TOOLS", "Pointer", "Tool"]

TOOLS: dict[str, type[Tool]] = {tool.id: tool for tool in (SelectTool,)}
