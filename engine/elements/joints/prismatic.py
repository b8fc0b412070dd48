"""Prismatic: a slider along the axis of A."""

from engine.elements.coordinates.coordinate_functions import Along, Angle
from engine.elements.coordinates.relative_motion import Movement
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import (
    POINT_ON_AXIS,
    SAME_ORIENTATION,
    CoordinateSpec,
    JointKind,
    Weaker,
    same,
)


class PrismaticSpec(CoordinateSpec, frozen=True, kw_only=True, tag="prismatic"):
    """Let body B slide along one axis of body A without turning."""


KIND = JointKind(
    spec=PrismaticSpec,
    title="Prismatic",
    summary="Slider: one translation along the axis",
    symbol="slider",
    icon="joint-prismatic",
    rows=same(POINT_ON_AXIS + SAME_ORIENTATION),
    planar_rows=same(
        (
            Row(Along("y", "A"), "translation across the axis", "m"),
            Row(Angle(), "rotation about z", "rad", target=None),
        )
    ),
    coordinates={"displacement": Along("z", "A")},
    planar_coordinates={"displacement": Along("x", "A")},
    movements=same((Movement("slide"),)),
    planar_movements=same((Movement("slide", "x"),)),
    planar_axis_is_x=True,
    swap_turns_axis=True,
    weaker=(Weaker("cylindrical"), Weaker("point_on_line")),
    planar_weaker=(Weaker("point_on_line"),),
)
