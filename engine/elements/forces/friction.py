"""Friction: dry and viscous friction of a joint coordinate, regularised, held or by bristles."""

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from engine.elements.base import Number, as_float
from engine.elements.field_units import coordinate_unit
from engine.elements.fields import number, reference, text
from engine.elements.forces.base import ForceBuilder, ForceKind, ForceSpec, Output
from engine.elements.protocols.checking import Around
from engine.errors import Problem


class FrictionSpec(ForceSpec, frozen=True, kw_only=True, tag="friction"):
    """Resist the speed of a joint coordinate; given as an effort, or as a coefficient under a preload."""

    joint: Annotated[str, reference("Joint", "joints")]
    coordinate: Annotated[Literal["angle", "displacement"], text("Coordinate")] = "angle"
    model: Annotated[
        Literal["regularised", "held", "lugre"],
        text(
            "Model",
            "held: sticking is a constraint; regularised: a damper about rest, which creeps; lugre: bristles "
            "that bend before they slip",
        ),
    ] = "regularised"
    kinetic: Annotated[
        Number | None, number("Kinetic friction", "N·m or N", "null: coefficient × preload × radius", ge=0.0)
    ] = None
    static: Annotated[
        Number | None, number("Static friction", "N·m or N", "null: as the kinetic", ge=0.0)
    ] = None
    coefficient: Annotated[Number | None, number("Kinetic coefficient", "", ge=0.0)] = None
    static_coefficient: Annotated[
        Number | None, number("Static coefficient", "", "null: as the kinetic", ge=0.0)
    ] = None
    normal: Annotated[
        Literal["preload", "reaction"],
        text("Normal force", "reaction: the force that the joint carries at the instant; held friction only"),
    ] = "preload"
    preload: Annotated[Number, number("Preload", "N", "presses the parts together", ge=0.0)] = 0.0
    radius: Annotated[Number, number("Bearing radius", "m", "of an angle", gt=0.0)] = 0.01
    stribeck_speed: Annotated[
        Number,
        number(
            "Stribeck speed", "rad/s or m/s", "static fades to kinetic about it; 0: at once, if held", ge=0.0
        ),
    ] = 0.1
    viscous: Annotated[Number, number("Viscous friction", "effort per speed error", ge=0.0)] = 0.0
    smoothing_speed: Annotated[
        Number,
        number("Smoothing speed", "rad/s or m/s", "below it friction is a damper; regularised only", gt=0.0),
    ] = 0.001
    bristle_stiffness: Annotated[
        Number | None, number("Bristle stiffness", "effort per bend", "σ0 of LuGre", gt=0.0)
    ] = None
    bristle_damping: Annotated[
        Number, number("Bristle damping", "effort per speed error", "σ1 of LuGre", ge=0.0)
    ] = 0.0


def efforts(spec: FrictionSpec) -> tuple[float, float]:
    """Kinetic and static friction of a resolved element [N·m or N], per newton where by the reaction."""
    if spec.kinetic is not None:
        kinetic, static = spec.kinetic, spec.static
    else:
        turns = coordinate_unit(spec.coordinate) == "rad"
        by_reaction = spec.normal == "reaction"
        pressed = (1.0 if by_reaction else as_float(spec.preload)) * (as_float(spec.radius) if turns else 1.0)
        kinetic = as_float(spec.coefficient or 0.0) * pressed
        static = None if spec.static_coefficient is None else as_float(spec.static_coefficient) * pressed
    return as_float(kinetic), as_float(kinetic if static is None else static)


def laws(spec: FrictionSpec, build: ForceBuilder) -> None:
    kinetic, static = efforts(spec)
    if spec.model == "held":
        own = build.own_coordinate(spec.joint, spec.coordinate)
        row = build.row(own, coordinate_unit(spec.coordinate))
        build.law(
            "held_friction",
            build.coordinate(spec.joint, spec.coordinate),
            integers=[0, row, *(build.reaction(spec.joint) if spec.normal == "reaction" else (0, 0, 0))],
            reals=[kinetic, static, as_float(spec.stribeck_speed), as_float(spec.viscous)],
        )
        return
    if spec.model == "lugre":
        bristles = [as_float(spec.bristle_stiffness or 0.0), as_float(spec.bristle_damping)]
        build.law(
            "lugre",
            build.coordinate(spec.joint, spec.coordinate),
            integers=[0],
            reals=[kinetic, static, as_float(spec.stribeck_speed), as_float(spec.viscous), *bristles],
        )
        return
    build.law(
        "friction",
        build.coordinate(spec.joint, spec.coordinate),
        reals=[
            kinetic,
            static,
            as_float(spec.stribeck_speed),
            as_float(spec.viscous),
            as_float(spec.smoothing_speed),
        ],
    )


def outputs(spec: FrictionSpec, planar: bool) -> tuple[Output, ...]:
    unit = coordinate_unit(spec.coordinate)
    return (
        Output("effort", "N·m" if unit == "rad" else "N"),
        Output("speed", f"{unit}/s", "speed"),
    )


def check(spec: FrictionSpec, around: Around) -> Iterator[Problem]:
    if spec.kinetic is not None and spec.coefficient is not None:
        both = "kinetic friction and a coefficient are both given"
        yield Problem("coefficient", spec.coefficient, both, "leave one of them out")
        return
    if spec.kinetic is None and spec.coefficient is None and not spec.viscous:
        none = "neither kinetic friction, a coefficient nor viscous friction is given"
        yield Problem("kinetic", None, none, 'give "kinetic", or "coefficient" with "preload"')
        return
    if spec.normal == "reaction" and (spec.model != "held" or spec.coefficient is None):
        what = "friction by the reaction of its joint needs the model held and a coefficient"
        yield Problem("normal", "reaction", what, 'choose "held" and give "coefficient", or "preload"')
    if spec.model == "lugre":
        if spec.bristle_stiffness is None:
            missing = "the model 'lugre' needs the stiffness of its bristles"
            remedy = 'give "bristle_stiffness": static friction bends them by static/stiffness'
            yield Problem("bristle_stiffness", None, missing, remedy)
        if not (spec.kinetic or spec.coefficient):
            none = "the model 'lugre' needs dry friction above 0"
            yield Problem("kinetic", spec.kinetic, none, 'give "kinetic", or choose the model "regularised"')
    if spec.model != "held" and spec.stribeck_speed == 0.0:
        jump = f"{spec.model} friction cannot fall from static to kinetic at once"
        yield Problem("stribeck_speed", 0.0, jump, 'give a speed above 0, or choose the model "held"')
    name, above, below = (
        ("static_coefficient", spec.static_coefficient, spec.coefficient)
        if spec.kinetic is None
        else ("static", spec.static, spec.kinetic)
    )
    if above is None or below is None:
        return
    above, below = as_float(above), as_float(below)
    if math.isfinite(above + below) and above < below:
        less = f"static friction {above:g} is less than kinetic friction {below:g}"
        yield Problem(name, above, less, "exchange the two, or leave the static one out")


KIND = ForceKind(
    spec=FrictionSpec,
    title="Friction",
    summary="Coulomb, Stribeck and viscous friction of a joint coordinate",
    symbol="brake",
    icon="force-friction",
    laws=laws,
    outputs=outputs,
    resists=lambda spec: True,
    loss=lambda spec: "friction",
    check=check,
    defaults={"kinetic": 0.1},
)
