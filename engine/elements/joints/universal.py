"""Universal (cardan): a massless cross between the two bodies."""

from collections.abc import Iterator

from engine.elements.base import Directions
from engine.elements.coordinates.coordinate_functions import Dot
from engine.elements.coordinates.relative_motion import TURN, Movement
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import POINT_ON_POINT, AnchoredSpec, JointKind, Weaker, same
from engine.elements.protocols.checking import Around
from engine.errors import Problem


class UniversalSpec(AnchoredSpec, frozen=True, kw_only=True, tag="universal"):
    """Keep the arms of a cross, one on each body, together and perpendicular."""


def check(spec: UniversalSpec, around: Around) -> Iterator[Problem]:
    if spec.b.axis is None:
        text = "a universal joint needs the second arm of its cross"
        yield Problem("b.axis", None, text, "give b an axis perpendicular to that of a")


KIND = JointKind(
    spec=UniversalSpec,
    title="Universal",
    summary="Cardan joint: the two axes are the arms of its cross",
    symbol="cross",
    icon="joint-universal",
    rows=same((*POINT_ON_POINT, Row(Dot("z", "z"), "right angle of the cross", "rad"))),
    movements=same((TURN, Movement("turn", tilted=True))),
    directions=Directions.TWO_AXES,
    check=check,
    weaker=(Weaker("spherical"),),
    cost=1.3,
)
