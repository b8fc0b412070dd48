"""Motor: an effort on a joint coordinate, with a limit."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec.structs import replace

from engine.elements.arithmetic import negated, reversed_law
from engine.elements.base import Function, Number
from engine.elements.field_units import coordinate_unit
from engine.elements.fields import function, number, reference, text
from engine.elements.forces.base import ForceBuilder, ForceKind, ForceSpec, Output
from engine.elements.protocols.checking import Around
from engine.elements.protocols.moving import Reversed
from engine.errors import Problem


class MotorSpec(ForceSpec, frozen=True, kw_only=True, tag="motor"):
    """Drive a joint coordinate: effort(t, x, v) + gain·(speed(t) - v), clamped to ±limit."""

    joint: Annotated[str, reference("Joint", "joints")]
    coordinate: Annotated[Literal["angle", "displacement"], text("Coordinate")] = "angle"
    effort: Annotated[Function | None, function("Effort", "N·m or N", of=("t", "x", "v"))] = None
    speed: Annotated[Function | None, function("Wanted speed", "rad/s or m/s")] = None
    gain: Annotated[Number, number("Gain", "effort per speed error", ge=0.0)] = 0.0
    limit: Annotated[Number | None, number("Limit", "N·m or N", "null: none", gt=0.0)] = None


def laws(spec: MotorSpec, build: ForceBuilder) -> None:
    coordinate_function = build.coordinate(spec.joint, spec.coordinate)
    build.motor(coordinate_function, effort=spec.effort, speed=spec.speed, gain=spec.gain, limit=spec.limit)


def outputs(spec: MotorSpec, planar: bool) -> tuple[Output, ...]:
    unit = "N·m" if coordinate_unit(spec.coordinate) == "rad" else "N"
    return (Output("effort", unit, meaning="effort on body B along the coordinate; A feels the opposite"),)


def reversed_(spec: MotorSpec, is_reversed: Reversed) -> MotorSpec:
    if not is_reversed(spec.joint, spec.coordinate):
        return spec
    return replace(spec, effort=reversed_law(spec.effort), speed=negated(spec.speed))


def check(spec: MotorSpec, around: Around) -> Iterator[Problem]:
    if spec.effort is None and spec.speed is None:
        text = "the motor has neither effort nor speed"
        yield Problem("effort", None, text, 'give "effort", or "speed" with "gain"')


KIND = ForceKind(
    spec=MotorSpec,
    title="Controlled motor",
    summary="Effort or speed control on a joint coordinate, with a limit",
    symbol="motor",
    icon="force-motor",
    laws=laws,
    outputs=outputs,
    reversed=reversed_,
    drives=lambda spec: (spec.joint, spec.coordinate),
    resists=lambda spec: spec.speed is not None and spec.gain != 0.0,
    check=check,
    defaults={"effort": 1.0},
)
