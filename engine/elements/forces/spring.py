"""Spring: spring, damper and actuator along the line between two points."""

from collections.abc import Iterator
from typing import Annotated

from engine.elements.base import Function, Number
from engine.elements.coordinates.coordinate_functions import Distance
from engine.elements.fields import function, number
from engine.elements.forces.base import ForceBuilder, ForceKind, Output, TwoPointSpec
from engine.elements.protocols.checking import Around, ends_apart
from engine.errors import Problem


class SpringSpec(TwoPointSpec, frozen=True, kw_only=True, tag="spring"):
    """Pull two points together: k(x - x0) + c v + preload + force(t, x, v), tension positive."""

    stiffness: Annotated[Number, number("Stiffness", "N/m", ge=0.0)] = 0.0
    damping: Annotated[Number, number("Damping", "N·s/m", ge=0.0)] = 0.0
    free_length: Annotated[Number | None, number("Free length", "m", "null: from the given pose", ge=0.0)] = (
        None
    )
    preload: Annotated[Number, number("Preload", "N", "tension at the free length")] = 0.0
    force: Annotated[
        Function, function("Force", "N", "added; x is the length, v its rate", of=("t", "x", "v"))
    ] = 0.0


def laws(spec: SpringSpec, build: ForceBuilder) -> None:
    coordinate_function = build.between(spec.a, spec.b, Distance())
    build.line(
        coordinate_function,
        stiffness=spec.stiffness,
        damping=spec.damping,
        free=build.at_pose(coordinate_function) if spec.free_length is None else spec.free_length,
        preload=spec.preload,
        function=spec.force,
        sign=-1.0,
    )


def outputs(spec: SpringSpec, planar: bool) -> tuple[Output, ...]:
    """Tension is positive."""
    return (
        Output("force", "N", sign=-1.0, meaning="tension: positive where it pulls its ends together"),
        Output("length", "m", "coordinate", meaning="distance of its ends"),
        Output("speed", "m/s", "speed", meaning="rate of the distance"),
    )


def check(spec: SpringSpec, around: Around) -> Iterator[Problem]:
    return ends_apart(spec, around, "the spring", "pulls")


KIND = ForceKind(
    spec=SpringSpec,
    title="Spring",
    summary="Spring, damper and actuator between two points",
    symbol="coil",
    icon="force-spring",
    laws=laws,
    outputs=outputs,
    family="spring",
    check=check,
    defaults={"stiffness": 100.0, "damping": 1.0},
)
