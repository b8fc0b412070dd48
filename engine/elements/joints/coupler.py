"""Coupler: any linear relation between joint coordinates."""

from typing import Annotated, Literal

from msgspec import Meta

from engine.elements.base import Function, Number, Part, as_float
from engine.elements.fields import function, number, reference, text
from engine.elements.joints.base import JointKind, JointSpec, Rows
from engine.elements.rows import Combination, Row


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
    unit = "rad" if all(t.coordinate == "angle" for t in spec.terms) else "m"
    return (Row(total, "sum of the coordinates", unit, target=spec.value),)


KIND = JointKind(
    spec=CouplerSpec,
    title="Coupler",
    summary="Any linear relation between joint coordinates",
    symbol="link",
    icon="joint-coupler",
    rows=rows,
    planar_rows=rows,
    uses_anchors=False,
)
