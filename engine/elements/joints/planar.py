"""Planar: B moves in a plane of A."""

from engine.elements.coordinates.coordinate_functions import Along, Angle
from engine.elements.coordinates.relative_motion import PLANAR_FREE
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import PARALLEL_AXES, CoordinateSpec, JointKind, Weaker, same


class PlanarSpec(CoordinateSpec, frozen=True, kw_only=True, tag="planar"):
    """Let body B slide in a plane of body A and turn about its normal."""


KIND = JointKind(
    spec=PlanarSpec,
    title="Planar",
    summary="Two translations in a plane and one rotation about its normal",
    symbol="plane",
    icon="joint-planar",
    rows=same((*PARALLEL_AXES, Row(Along("z", "A"), "translation along z", "m"))),
    coordinates={"angle": Angle()},
    movements=same(PLANAR_FREE),
    rubs={"slide": lambda spec: (Along("x", "A"), Along("y", "A"))},
    swap_turns_axis=True,
    weaker=(Weaker("point_on_plane"),),
)
