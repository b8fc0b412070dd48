"""Point on plane: a point that rests on a flat."""

from engine.elements.coordinate_functions import Along
from engine.elements.joints.base import AnchoredSpec, JointKind, same
from engine.elements.rows import Row


class PointOnPlaneSpec(AnchoredSpec, frozen=True, kw_only=True, tag="point_on_plane"):
    """Keep a point of body B in a plane of body A."""


KIND = JointKind(
    spec=PointOnPlaneSpec,
    title="Point on plane",
    summary="A point of B stays in a plane of A, whose normal is the axis",
    symbol="plane",
    icon="joint-point-on-plane",
    rows=same((Row(Along("z", "A"), "translation along the normal", "m"),)),
)
