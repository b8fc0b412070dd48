"""Linear actuator by force: a cylinder that pushes two points apart, or holds a speed as far as it can."""

from collections.abc import Iterator
from typing import Annotated

from engine.elements.base import Function, Number, as_float
from engine.elements.coordinates.coordinate_functions import Distance
from engine.elements.drivers.stroke import HALF_WAY, check_ends, limits
from engine.elements.fields import function, number
from engine.elements.forces.base import ForceBuilder, ForceKind, Output, TwoPointSpec
from engine.elements.forces.contact_spec import elastic_limits
from engine.elements.protocols.checking import Around
from engine.errors import Problem


class LinearActuatorSpec(TwoPointSpec, frozen=True, kw_only=True, tag="linear_actuator"):
    """Push two points apart: force(t, x, v) + gain·(speed(t) - v), clamped to ±limit; stops at both ends."""

    closed_length: Annotated[Number | None, number("Closed length", "m", HALF_WAY, gt=0.0)] = None
    stroke: Annotated[Number | None, number("Stroke", "m", "null: 0.8 of the closed length", gt=0.0)] = None
    force: Annotated[
        Function | None, function("Force", "N", "pushes; x is the length, v its rate", of=("t", "x", "v"))
    ] = None
    speed: Annotated[Function | None, function("Wanted speed", "m/s", "of the rod, out is positive")] = None
    gain: Annotated[Number, number("Gain", "N·s/m", "force per error of speed", ge=0.0)] = 0.0
    limit: Annotated[Number | None, number("Largest force", "N", "null: none", gt=0.0)] = None
    stops: Annotated[
        Number, number("Stiffness of the stops", "N/m", "at both ends of the stroke; 0: none", ge=0.0)
    ] = 0.0


def laws(spec: LinearActuatorSpec, build: ForceBuilder) -> None:
    length = build.between(spec.a, spec.b, Distance())
    build.motor(length, effort=spec.force, speed=spec.speed, gain=spec.gain, limit=spec.limit)
    if as_float(spec.stops) > 0.0:
        elastic_limits(build, length, *limits(spec, build.at_pose(length)), as_float(spec.stops))


def outputs(spec: LinearActuatorSpec, planar: bool) -> tuple[Output, ...]:
    """Push is positive. Laws of an element stand in the order of their table: the motor, then both stops."""
    found = (
        Output("force", "N", meaning="push: positive where it drives its ends apart"),
        Output("length", "m", "coordinate", meaning="distance of its ends"),
        Output("speed", "m/s", "speed", meaning="rate of the distance"),
    )
    return (
        (*found, Output("stop", "N", law=(1, 2), meaning="push of the ends of its stroke, as above"))
        if as_float(spec.stops) > 0.0
        else found
    )


def check(spec: LinearActuatorSpec, around: Around) -> Iterator[Problem]:
    yield from check_ends(spec, around)
    if spec.force is None and spec.speed is None:
        text = "the actuator has neither force nor speed"
        yield Problem("force", None, text, 'give "force", or "speed" with "gain"')


KIND = ForceKind(
    spec=LinearActuatorSpec,
    title="Actuator by force",
    summary="A cylinder between two points, by force or by speed with a limit",
    symbol="cylinder_rod",
    icon="linear-actuator",
    laws=laws,
    outputs=outputs,
    resists=lambda spec: spec.speed is not None and spec.gain != 0.0,
    check=check,
    defaults={"force": 100.0},
)
