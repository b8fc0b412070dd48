"""Stop: elastic or rigid limits of a joint coordinate, or of its difference from others: play of a mesh."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec.structs import replace

from engine.elements.arithmetic import negated
from engine.elements.base import Number, as_float
from engine.elements.coordinates.coordinate_functions import Combination
from engine.elements.field_units import coordinate_unit
from engine.elements.fields import number, reference, text
from engine.elements.forces.base import ForceBuilder, ForceKind, Output
from engine.elements.forces.contact_spec import (
    ContactSpec,
    check_contact,
    check_order,
    contact_laws,
    contact_loss,
    contact_resists,
)
from engine.elements.joints.coupler import Term
from engine.elements.protocols.checking import Around
from engine.elements.protocols.moving import Reversed
from engine.errors import Problem


class StopSpec(ContactSpec, frozen=True, kw_only=True, tag="stop"):
    """Keep a joint coordinate between two limits, each of which pushes back where it is passed.

    With `against` the sum coordinate + Σ factor·coordinate is limited: gears and racks with backlash.
    """

    joint: Annotated[str, reference("Joint", "joints")]
    coordinate: Annotated[Literal["angle", "displacement"], text("Coordinate")] = "angle"
    lower: Annotated[Number | None, number("Lower limit", "rad or m", "null: none")] = None
    upper: Annotated[Number | None, number("Upper limit", "rad or m", "null: none")] = None
    against: Annotated[
        tuple[Term, ...], text("Against", "coordinates that are added before the limits: play between gears")
    ] = ()


def laws(spec: StopSpec, build: ForceBuilder) -> None:
    rigid = spec.law == "rigid"  # its rows need coordinate functions of their own
    unit = coordinate_unit(spec.coordinate)

    def make() -> int:
        if spec.against:
            others = tuple((term.joint, term.coordinate, as_float(term.factor)) for term in spec.against)
            return build.combination(Combination(((spec.joint, spec.coordinate, 1.0), *others)))
        return (build.own_coordinate if rigid else build.coordinate)(spec.joint, spec.coordinate)

    contact_laws(spec, build, make, unit, spec.lower, spec.upper)


def outputs(spec: StopSpec, planar: bool) -> tuple[Output, ...]:
    """The effort of both limits on the coordinate."""
    unit = coordinate_unit(spec.coordinate)
    return (
        Output(
            "effort", "N·m" if unit == "rad" else "N", law=None, meaning="effort of both limits on body B"
        ),
        Output("coordinate", unit, "coordinate", meaning="the coordinate that is limited"),
        Output("speed", f"{unit}/s", "speed", meaning="rate of the coordinate"),
    )


def reversed_(spec: StopSpec, is_reversed: Reversed) -> StopSpec:
    turned = is_reversed(spec.joint, spec.coordinate)
    against = tuple(
        term
        if is_reversed(term.joint, term.coordinate) == turned
        else replace(term, factor=negated(term.factor))
        for term in spec.against
    )
    if not turned:
        return spec if against == spec.against else replace(spec, against=against)
    lower, upper = (None if limit is None else negated(limit) for limit in (spec.upper, spec.lower))
    return replace(spec, lower=lower, upper=upper, against=against)


def check(spec: StopSpec, around: Around) -> Iterator[Problem]:
    yield from check_contact(spec)
    if spec.lower is None and spec.upper is None:
        nothing = "neither lower nor upper is given, so that nothing is limited"
        yield Problem("upper", None, nothing, 'give "lower", "upper" or both')
    yield from check_order(("lower", spec.lower), ("upper", spec.upper), coordinate_unit(spec.coordinate))


KIND = ForceKind(
    spec=StopSpec,
    title="Stop",
    summary="Elastic or rigid limits of a joint coordinate",
    symbol="stop",
    icon="force-stop",
    laws=laws,
    outputs=outputs,
    reversed=reversed_,
    resists=contact_resists,
    loss=contact_loss,
    check=check,
    defaults={"lower": -0.5, "upper": 0.5, "stiffness": 1000.0, "damping": 1.0},
)
