"""Point on plane: a point that rests on a flat."""

from engine.elements.coordinates.coordinate_functions import Along
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import AnchoredSpec, JointKind, same


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
