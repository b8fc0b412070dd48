"""Constant velocity: a shaft joint that passes rotation on evenly."""

from engine.elements.coordinates.coordinate_functions import Twist
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import POINT_ON_POINT, AnchoredSpec, JointKind, Weaker, same


class ConstantVelocitySpec(AnchoredSpec, frozen=True, kw_only=True, tag="constant_velocity"):
    """Join two shafts that may bend about their common point but not twist against each other."""


KIND = JointKind(
    spec=ConstantVelocitySpec,
    title="Constant velocity",
    summary="Shafts that may bend but not twist against each other",
    symbol="shaft",
    icon="joint-constant-velocity",
    rows=same((*POINT_ON_POINT, Row(Twist("z"), "rotation about z", "rad"))),
    weaker=(Weaker("spherical"),),
)
