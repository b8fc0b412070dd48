"""Fixed: frame B is welded to frame A."""

from engine.elements.base import Directions
from engine.elements.coordinates.coordinate_functions import Angle
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import (
    PLANAR_POINT_ON_POINT,
    POINT_ON_POINT,
    SAME_ORIENTATION,
    AnchoredSpec,
    JointKind,
    Weaker,
    same,
)


class FixedSpec(AnchoredSpec, frozen=True, kw_only=True, tag="fixed"):
    """Hold two bodies together without any degree of freedom."""


KIND = JointKind(
    spec=FixedSpec,
    title="Fixed",
    summary="No degree of freedom between the two bodies",
    symbol="weld",
    icon="joint-fixed",
    rows=same(POINT_ON_POINT + SAME_ORIENTATION),
    planar_rows=same((*PLANAR_POINT_ON_POINT, Row(Angle(), "rotation about z", "rad", target=None))),
    movements=same(()),
    planar_movements=same(()),
    directions=Directions.SHARED,
    weaker=(
        Weaker("revolute", "each axis", "about"),
        Weaker("cylindrical", "each axis", "about"),
        Weaker("prismatic", "each axis"),
        Weaker("spherical"),
    ),
    planar_weaker=(Weaker("revolute"), Weaker("prismatic", "each axis")),
)
