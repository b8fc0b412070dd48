"""Linear actuator by motion: the distance of two points, or its rate, follows a function of time."""

from typing import Annotated, Literal

from engine.elements.base import Anchor, Function, Number
from engine.elements.coordinates.coordinate_functions import Distance
from engine.elements.drivers.base import MotionBuilder, MotionKind, MotionSpec, Moved
from engine.elements.drivers.stroke import HALF_WAY, check_ends
from engine.elements.fields import function, number, text


class LinearMotionSpec(MotionSpec, frozen=True, kw_only=True, tag="linear_motion"):
    """Prescribe how long a cylinder between two points is, or how fast its rod goes out."""

    a: Annotated[Anchor, text("Frame A")]
    b: Annotated[Anchor, text("Frame B")]
    level: Annotated[Literal["position", "velocity"], text("Level", "what the function prescribes")] = (
        "position"
    )
    function: Annotated[Function, function("Length", "m or m/s", "from end to end, or its rate")]
    closed_length: Annotated[Number | None, number("Closed length", "m", HALF_WAY, gt=0.0)] = None
    stroke: Annotated[Number | None, number("Stroke", "m", "null: 0.8 of the closed length", gt=0.0)] = None


def coordinate_function(spec: LinearMotionSpec, build: MotionBuilder) -> int:
    return build.between(spec.a, spec.b, Distance())


KIND = MotionKind(
    spec=LinearMotionSpec,
    title="Linear actuator",
    summary="A cylinder between two points whose length, or speed, follows a function of time",
    symbol="cylinder_rod",
    icon="linear-actuator",
    coordinate_function=coordinate_function,
    moves=lambda spec: Moved("motion", spec.name, "displacement"),
    check=check_ends,
    noun="actuator",
)
