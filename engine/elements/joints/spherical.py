"""Spherical: a ball in a socket."""

from engine.elements.base import Directions
from engine.elements.coordinates.coordinate_functions import Angle, Spin
from engine.elements.coordinates.relative_motion import BALL, TURN
from engine.elements.joints.base import (
    PLANAR_POINT_ON_POINT,
    POINT_ON_POINT,
    AnchoredSpec,
    JointKind,
    Weaker,
    same,
)


class SphericalSpec(AnchoredSpec, frozen=True, kw_only=True, tag="spherical"):
    """Keep a point of body B on a point of body A; all rotations stay free."""


KIND = JointKind(
    spec=SphericalSpec,
    title="Spherical",
    summary="Ball joint: three rotations about the point",
    symbol="ball",
    icon="joint-spherical",
    rows=same(POINT_ON_POINT),
    planar_rows=same(PLANAR_POINT_ON_POINT),
    movements=same((BALL,)),
    planar_movements=same((TURN,)),
    rubs={"swivel": lambda spec: (Spin("x"), Spin("y"), Spin("z"))},
    planar_rubs={"swivel": lambda spec: (Angle(),)},
    directions=Directions.NONE,
    weaker=(Weaker("point_on_line", "each axis"), Weaker("point_on_plane", "each axis", "normal to")),
    cost=1.0,
)
