"""Coupler: any linear relation between joint coordinates."""

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from engine.elements.arithmetic import negated
from engine.elements.base import Function, Number, Part, as_float
from engine.elements.coordinates.coordinate_functions import Combination
from engine.elements.coordinates.rows import Row
from engine.elements.field_units import coordinate_unit
from engine.elements.fields import function, number, reference, text
from engine.elements.joints.base import JointKind, JointSpec, Rows
from engine.elements.protocols.moving import Reversed


class Term(Part, frozen=True, kw_only=True):
    """One coordinate of the sum."""

    joint: Annotated[str, reference("Joint", "joints")]
    coordinate: Annotated[Literal["angle", "displacement"], text("Coordinate")]
    factor: Annotated[Number, number("Factor")] = 1.0


class CouplerSpec(JointSpec, frozen=True, kw_only=True, tag="coupler"):
    """Keep a sum of joint coordinates: Σ factor·coordinate = value."""

    terms: Annotated[tuple[Term, ...], Meta(min_length=1), text("Terms")]
    value: Annotated[Function | None, function("Value", "", "null: from the given pose")] = None


def rows(spec: CouplerSpec) -> Rows:
    total = Combination(tuple((t.joint, t.coordinate, as_float(t.factor)) for t in spec.terms))
    units = {coordinate_unit(term.coordinate) for term in spec.terms}
    unit: Literal["m", "rad"] = "rad" if units == {"rad"} else "m"
    return (Row(total, "sum of the coordinates", unit, target=spec.value),)


def reversed_(spec: CouplerSpec, is_reversed: Reversed) -> CouplerSpec:
    terms = tuple(
        replace(term, factor=negated(term.factor)) if is_reversed(term.joint, term.coordinate) else term
        for term in spec.terms
    )
    return spec if terms == spec.terms else replace(spec, terms=terms)


def coupled(joints: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """The second coordinate follows the first."""
    factors = (1.0, -1.0, *(1.0,) * len(joints))
    return {
        "terms": tuple(
            Term(joint=joint, coordinate=coordinate, factor=factor)  # type: ignore[arg-type]
            for (joint, coordinate), factor in zip(joints, factors, strict=False)
        )
    }


KIND = JointKind(
    spec=CouplerSpec,
    title="Coupler",
    summary="Any linear relation between joint coordinates",
    symbol="link",
    icon="joint-coupler",
    rows=rows,
    planar_rows=rows,
    uses_anchors=False,
    reversed=reversed_,
    coupled=coupled,
)
