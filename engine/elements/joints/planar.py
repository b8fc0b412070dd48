"""Planar: B moves in a plane of A."""

from engine.elements.coordinates.coordinate_functions import Along
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import PARALLEL_AXES, AnchoredSpec, JointKind, Weaker, same


class PlanarSpec(AnchoredSpec, frozen=True, kw_only=True, tag="planar"):
    """Let body B slide in a plane of body A and turn about its normal."""


KIND = JointKind(
    spec=PlanarSpec,
    title="Planar",
    summary="Two translations in a plane and one rotation about its normal",
    symbol="plane",
    icon="joint-planar",
    rows=same((*PARALLEL_AXES, Row(Along("z", "A"), "translation along z", "m"))),
    weaker=(Weaker("point_on_plane"),),
)
