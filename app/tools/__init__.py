"""Tools of the viewport, one file each; the first one is in hand when no other was taken."""

from app.tools.bar import BarTool
from app.tools.base import Pointer, Tool
from app.tools.kinds import KIND_TOOLS, AngleTool, BodyMotionTool, DistanceTool, MotorTool, TraceTool
from app.tools.move import MoveTool
from app.tools.plate import PlateTool
from app.tools.select import SelectTool
from app.tools.solids import BoxTool, CylinderTool, PointMassTool, SphereTool, WheelTool

__all__ = ["TOOLS", "Pointer", "Tool"]

_ALL: tuple[type[Tool], ...] = (
    SelectTool,
    MoveTool,
    BarTool,
    PlateTool,
    BoxTool,
    CylinderTool,
    SphereTool,
    WheelTool,
    PointMassTool,
    MotorTool,
    TraceTool,
    BodyMotionTool,
    DistanceTool,
    AngleTool,
    *KIND_TOOLS,
)
TOOLS = {tool.id: tool for tool in _ALL}
