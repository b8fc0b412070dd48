"""Tools of the viewport, one file each; the first one is in hand when no other was taken."""

from app.tools.base import Pointer, Tool
from app.tools.connect.kind_tools import KIND_TOOLS, MotorTool, TraceTool
from app.tools.draw.bar import BarTool
from app.tools.draw.plate import PlateTool
from app.tools.draw.solids import BoxTool, CylinderTool, PointMassTool, SphereTool, WheelTool
from app.tools.move.move_tool import MoveTool
from app.tools.move.place_tool import PlaceTool
from app.tools.select import SelectTool

__all__ = ["TOOLS", "Pointer", "Tool"]

_ALL: tuple[type[Tool], ...] = (
    SelectTool,
    MoveTool,
    PlaceTool,
    BarTool,
    PlateTool,
    BoxTool,
    CylinderTool,
    SphereTool,
    WheelTool,
    PointMassTool,
    MotorTool,
    TraceTool,
    *KIND_TOOLS,
)
TOOLS = {tool.id: tool for tool in _ALL}
