"""Rolling: a thin wheel that rolls on a plane without slipping."""

from typing import Annotated

from engine.elements.base import Directions, Number, as_float
from engine.elements.coordinates.coordinate_functions import Along, RollingSlip, WheelHeight
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number
from engine.elements.joints.base import AnchoredSpec, JointKind, Rows


class RollingSpec(AnchoredSpec, frozen=True, kw_only=True, tag="rolling"):
    """Let a disc of body B roll without slip on a plane of body A."""

    radius: Annotated[Number, number("Wheel radius", "m", gt=0.0)]


def rows(spec: RollingSpec) -> Rows:
    radius = as_float(spec.radius)
    return (
        Row(WheelHeight(radius), "height of the wheel", "m"),
        Row(RollingSlip("forward", radius), "slip forward", "m/s", level="velocity"),
        Row(RollingSlip("sideways", radius), "slip sideways", "m/s", level="velocity"),
    )


def planar_rows(spec: RollingSpec) -> Rows:
    radius = as_float(spec.radius)
    return (
        Row(Along("x", "A"), "height of the wheel", "m", target=radius),
        Row(RollingSlip("forward", radius), "slip forward", "m/s", level="velocity"),
    )


KIND = JointKind(
    spec=RollingSpec,
    title="Rolling wheel",
    summary="A disc of B rolls without slip on a plane of A",
    symbol="wheel",
    icon="joint-rolling",
    rows=rows,
    planar_rows=planar_rows,
    planar_axis_is_x=True,
    own_point=True,
    on_wheel=True,
    defaults={"radius": 0.1},
    directions=Directions.TWO_AXES,
)
