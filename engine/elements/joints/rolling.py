"""Rolling: a thin wheel that rolls on a plane without slipping, or as far as friction holds it."""

from typing import Annotated

from engine.elements.base import Directions, Number, as_float
from engine.elements.coordinates.coordinate_functions import (
    Along,
    Angle,
    CoordinateFunction,
    RollingSlip,
    Spin,
    WheelHeight,
)
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number, text
from engine.elements.joints.base import AnchoredSpec, JointKind, Rows


class RollingSpec(AnchoredSpec, frozen=True, kw_only=True, tag="rolling"):
    """Let a disc of body B roll without slip on a plane of body A.

    A wheel that can slip is held by a friction element on its slip alone.
    """

    radius: Annotated[Number, number("Wheel radius", "m", gt=0.0)]
    can_slip: Annotated[
        bool, text("Can slip", "nothing but a friction element on its slip holds the wheel where it touches")
    ] = False


def rows(spec: RollingSpec) -> Rows:
    radius = as_float(spec.radius)
    height = Row(WheelHeight(radius), "height of the wheel", "m")
    if spec.can_slip:
        return (height,)
    return (
        height,
        Row(RollingSlip("forward", radius), "slip forward", "m/s", level="velocity"),
        Row(RollingSlip("sideways", radius), "slip sideways", "m/s", level="velocity"),
    )


def planar_rows(spec: RollingSpec) -> Rows:
    radius = as_float(spec.radius)
    height = Row(Along("x", "A"), "height of the wheel", "m", target=radius)
    if spec.can_slip:
        return (height,)
    return (
        height,
        Row(RollingSlip("forward", radius), "slip forward", "m/s", level="velocity"),
    )


def slip(spec: RollingSpec) -> tuple[CoordinateFunction, ...]:
    radius = as_float(spec.radius)
    return RollingSlip("forward", radius, true=True), RollingSlip("sideways", radius, true=True)


def planar_slip(spec: RollingSpec) -> tuple[CoordinateFunction, ...]:
    return (RollingSlip("forward", as_float(spec.radius), true=True),)


KIND = JointKind(
    spec=RollingSpec,
    title="Rolling wheel",
    summary="A disc of B rolls without slip on a plane of A",
    symbol="wheel",
    icon="joint-rolling",
    rows=rows,
    planar_rows=planar_rows,
    rubs={"slip": slip, "roll": lambda spec: (Spin("z", "B"),)},
    planar_rubs={"slip": planar_slip, "roll": lambda spec: (Angle(),)},
    bearing_rows=1,
    planar_axis_is_x=True,
    own_point=True,
    on_wheel=True,
    defaults={"radius": 0.1},
    directions=Directions.TWO_AXES,
)
