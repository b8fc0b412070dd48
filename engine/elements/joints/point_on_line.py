"""Point on line: a pin in a straight slot."""

from engine.elements.coordinates.coordinate_functions import Along
from engine.elements.coordinates.rows import Row
from engine.elements.joints.base import POINT_ON_AXIS, CoordinateSpec, JointKind, same


class PointOnLineSpec(CoordinateSpec, frozen=True, kw_only=True, tag="point_on_line"):
    """Keep a point of body B on a line of body A."""


KIND = JointKind(
    spec=PointOnLineSpec,
    title="Point on line",
    summary="A point of B slides along a line of A; all rotations stay free",
    symbol="line",
    icon="joint-point-on-line",
    rows=same(POINT_ON_AXIS),
    planar_rows=same((Row(Along("y", "A"), "translation across the line", "m"),)),
    coordinates={"displacement": Along("z", "A")},
    planar_coordinates={"displacement": Along("x", "A")},
    planar_axis_is_x=True,
    cost=2.1,
)
