"""Friction: dry and viscous friction in a joint, regularised, held or by bristles."""

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from engine.elements.base import Number, as_float
from engine.elements.field_units import COORDINATE_UNITS, coordinate_unit
from engine.elements.fields import number, reference, text
from engine.elements.forces.base import ForceBuilder, ForceKind, ForceSpec, Output
from engine.elements.protocols.checking import Around
from engine.errors import Problem, SceneEdit

# of the fields of one model those that others do not read
READ_BY = {"regularised": {"smoothing_speed"}, "lugre": {"bristle_stiffness", "bristle_damping"}}


class FrictionSpec(ForceSpec, frozen=True, kw_only=True, tag="friction"):
    """Resist the speed of a joint coordinate, or the slip of a joint whose surfaces slide in any direction.

    Given as an effort, as a coefficient under a preload, or as a coefficient under the joint's own reaction.
    """

    joint: Annotated[str, reference("Joint", "joints")]
    coordinate: Annotated[
        Literal["angle", "displacement", "roll", "slide", "slip", "swivel"],
        text(
            "Coordinate",
            "or a slip: slide of a planar joint, swivel of a ball joint, slip and roll of a wheel",
        ),
    ] = "angle"
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
        text("Normal force", "reaction: the force that the joint carries at the instant"),
    ] = "preload"
    preload: Annotated[Number, number("Preload", "N", "presses the parts together", ge=0.0)] = 0.0
    radius: Annotated[
        Number, number("Bearing radius", "m", "of a pin or ball; of the wheel for rolling", gt=0.0)
    ] = 0.01
    face_radius: Annotated[
        Number | None,
        number(
            "Face radius",
            "m",
            "where the axial part of the reaction rubs; null: all of it rubs at the bearing radius",
            gt=0.0,
        ),
    ] = None
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

    def unread(self) -> frozenset[str]:
        bristles = {"bristle_stiffness", "bristle_damping"}
        return frozenset({"smoothing_speed", *bristles} - READ_BY.get(self.model, set()))


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
    unit = coordinate_unit(spec.coordinate)
    reaction = build.reaction(spec.joint) if spec.normal == "reaction" else (0, 0, 0)
    face = 0.0 if spec.face_radius is None else as_float(spec.face_radius) / as_float(spec.radius)
    if spec.coordinate in COORDINATE_UNITS:
        along: tuple[int, ...] = (build.coordinate(spec.joint, spec.coordinate),)
    else:
        along = build.slip(spec.joint, spec.coordinate)
    count, numbers = len(along), [kinetic, static, as_float(spec.stribeck_speed), as_float(spec.viscous)]
    if spec.model == "held":
        rows = [build.row(function, unit) for function in build.slip(spec.joint, spec.coordinate)]
        # no slack, no direction yet
        reals = [*numbers, 0.0, 1.0, 0.0, 0.0, face]
        build.law("held_friction", along[0], integers=[0, rows[0], *reaction, count, 0], reals=reals)
    elif spec.model == "lugre":
        bristles = [as_float(spec.bristle_stiffness or 0.0), as_float(spec.bristle_damping)]
        reals = [*numbers, *bristles, 0.0, 0.0, face if count == 1 else 0.0]
        build.law("lugre", along[0], integers=[0, *reaction, count], reals=reals)
    else:
        reals = [*numbers, as_float(spec.smoothing_speed), 0.0, 0.0, 0.0, face]
        build.law("friction", along[0], integers=[*reaction, count], reals=reals)


def outputs(spec: FrictionSpec, planar: bool) -> tuple[Output, ...]:
    unit = coordinate_unit(spec.coordinate)
    several = components(spec.coordinate, planar) > 1
    return (
        Output(
            "effort",
            "N·m" if unit == "rad" else "N",
            "size" if several else "effort",
            meaning="size of the friction" if several else "friction on body B along the coordinate",
        ),
        Output(
            "speed",
            f"{unit}/s",
            "slip" if several else "speed",
            meaning="size of the slip" if several else "rate of the coordinate",
        ),
    )


def components(coordinate: str, planar: bool) -> int:
    """Of the slip that a friction acts against."""
    return {"slide": 2, "slip": 1 if planar else 2, "swivel": 1 if planar else 3}.get(coordinate, 1)


def check(spec: FrictionSpec, around: Around) -> Iterator[Problem]:
    if spec.kinetic is not None and spec.coefficient is not None:
        both = "kinetic friction and a coefficient are both given"
        yield Problem("coefficient", spec.coefficient, both, "leave one of them out")
        return
    if spec.kinetic is None and spec.coefficient is None and not spec.viscous:
        none = "neither kinetic friction, a coefficient nor viscous friction is given"
        yield Problem("kinetic", None, none, 'give "kinetic", or "coefficient" with "preload"')
        return
    if spec.normal == "reaction" and spec.coefficient is None:
        what = "friction by the reaction of its joint needs a coefficient"
        yield Problem("normal", "reaction", what, 'give "coefficient", or choose "preload"')
    yield from _check_joint(spec, around)
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


def _check_joint(spec: FrictionSpec, around: Around) -> Iterator[Problem]:
    """A wheel that cannot slip has no slip to brake, and faces belong to joints that turn about one axis."""
    joint = next((joint for joint in around.elements("joints") if joint.name == spec.joint), None)
    if joint is not None and spec.coordinate == "slip" and getattr(joint, "can_slip", None) is False:
        path = f"joints.{spec.joint}.can_slip"
        holds = f"wheel {spec.joint!r} rolls without slip, so that friction has nothing to hold"
        edit = SceneEdit(path, True)
        yield Problem("coordinate", "slip", holds, f"let the wheel slip: {path} = true", (edit,))
    if spec.face_radius is not None and (spec.coordinate != "angle" or spec.normal != "reaction"):
        where = "a thrust face counts for an angle under the reaction of its joint"
        yield Problem("face_radius", spec.face_radius, where, "leave it out")


KIND = ForceKind(
    spec=FrictionSpec,
    title="Friction",
    summary="Coulomb, Stribeck and viscous friction in a joint",
    symbol="brake",
    icon="force-friction",
    laws=laws,
    outputs=outputs,
    resists=lambda spec: True,
    loss=lambda spec: "friction",
    check=check,
    defaults={"kinetic": 0.1},
)
