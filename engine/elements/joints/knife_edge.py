"""Knife edge: a skate or blade that cannot move sideways."""

from engine.elements.base import Directions
from engine.elements.coordinates.coordinate_functions import KnifeEdge
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import AnchoredSpec, JointKind, same


class KnifeEdgeSpec(AnchoredSpec, frozen=True, kw_only=True, tag="knife_edge"):
    """Forbid a point of body B to move along an axis of B, seen from A."""


KIND = JointKind(
    spec=KnifeEdgeSpec,
    title="Knife edge",
    summary="A blade: its point must not move along the axis of B",
    symbol="blade",
    icon="joint-knife-edge",
    rows=same((Row(KnifeEdge("z"), "sideways velocity", "m/s", level="velocity"),)),
    planar_rows=same((Row(KnifeEdge("x"), "sideways velocity", "m/s", level="velocity"),)),
    planar_axis_is_x=True,
    directions=Directions.OF_B,
)
