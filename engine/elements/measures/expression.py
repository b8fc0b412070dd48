"""Expression: any expression of other channels."""

from typing import Annotated

from engine.elements.fields import expression, text
from engine.elements.measures.base import MeasureKind, MeasureSpec


class ExpressionMeasure(MeasureSpec, frozen=True, kw_only=True, tag="expression"):
    """Any expression of channels."""

    expression: Annotated[str, expression("Expression", "", "of channels")]
    unit: Annotated[str, text("Unit")] = ""


KIND = MeasureKind(
    spec=ExpressionMeasure,
    title="Expression",
    summary="Any expression of channels",
    symbol="formula",
    icon="measure-expression",
    read=lambda spec, build: build.expression(spec.expression),
    unit=lambda spec: spec.unit,
)
