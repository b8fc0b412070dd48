"""Revolute: a hinge about the common z axis."""

from engine.elements.coordinates.coordinate_functions import Angle
from engine.elements.coordinates.relative_motion import TURN
from engine.elements.joints.base import (
    PARALLEL_AXES,
    PLANAR_POINT_ON_POINT,
    POINT_ON_POINT,
    CoordinateSpec,
    JointKind,
    Weaker,
    same,
)


class RevoluteSpec(CoordinateSpec, frozen=True, kw_only=True, tag="revolute"):
    """Let body B turn about one axis of body A."""


KIND = JointKind(
    spec=RevoluteSpec,
    title="Revolute",
    summary="Hinge: one rotation about the axis",
    symbol="hinge",
    icon="joint-revolute",
    rows=same(POINT_ON_POINT + PARALLEL_AXES),
    planar_rows=same(PLANAR_POINT_ON_POINT),
    coordinates={"angle": Angle()},
    planar_coordinates={"angle": Angle()},
    movements=same((TURN,)),
    planar_movements=same((TURN,)),
    swap_turns_axis=True,
    weaker=(
        Weaker("spherical"),
        Weaker("cylindrical"),
        Weaker("universal", "each arm"),
        Weaker("point_on_line"),
    ),
    planar_weaker=(Weaker("point_on_line", "slots"),),
    cost=1.0,
)
