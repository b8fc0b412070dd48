"""Universal (cardan): a massless cross between the two bodies."""

from engine.elements.base import Directions
from engine.elements.gauges import Dot
from engine.elements.joints.base import POINT_ON_POINT, AnchoredSpec, JointKind, Weaker, same
from engine.elements.rows import Row


class UniversalSpec(AnchoredSpec, frozen=True, kw_only=True, tag="universal"):
    """Keep the arms of a cross, one on each body, together and perpendicular."""


KIND = JointKind(
    spec=UniversalSpec,
    title="Universal",
    summary="Cardan joint: the two axes are the arms of its cross",
    symbol="cross",
    icon="joint-universal",
    rows=same((*POINT_ON_POINT, Row(Dot("z", "z"), "right angle of the cross", "rad"))),
    directions=Directions.TWO_AXES,
    weaker=(Weaker("spherical"),),
    cost=1.3,
)
