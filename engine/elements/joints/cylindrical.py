"""Cylindrical: turning about and sliding along the common axis."""

from engine.elements.coordinates.coordinate_functions import Along, Angle
from engine.elements.coordinates.relative_motion import TURN, Movement
from engine.elements.joints.base import PARALLEL_AXES, POINT_ON_AXIS, CoordinateSpec, JointKind, Weaker, same


class CylindricalSpec(CoordinateSpec, frozen=True, kw_only=True, tag="cylindrical"):
    """Let body B turn about and slide along one axis of body A."""


KIND = JointKind(
    spec=CylindricalSpec,
    title="Cylindrical",
    summary="One rotation about and one translation along the axis",
    symbol="sleeve",
    icon="joint-cylindrical",
    rows=same(POINT_ON_AXIS + PARALLEL_AXES),
    coordinates={"angle": Angle(), "displacement": Along("z", "A")},
    movements=same((Movement("slide"), TURN)),
    swap_turns_axis=True,
    weaker=(Weaker("point_on_line"),),
    cost=1.0,
)
