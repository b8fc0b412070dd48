"""Measures: numbers to watch, made from positions or channels."""

from typing import Annotated

from msgspec.structs import replace

from engine.elements.base import ZERO, Element, Kind, Part, Vec
from engine.elements.fields import expression, reference, text, vec
from engine.elements.moving import Mover
from engine.registry import Registry

X: tuple[float, ...] = (1.0, 0.0, 0.0)


class PointOf(Part, frozen=True, kw_only=True):
    """A point of a body."""

    body: Annotated[str, reference("Body", "bodies", ground=True)]
    point: Annotated[
        Vec | str, vec("Point", "m", "in the body frame, or the name of a point", frame="plane")
    ] = ZERO


class AxisOf(Part, frozen=True, kw_only=True):
    """A direction of a body."""

    body: Annotated[str, reference("Body", "bodies", ground=True)]
    axis: Annotated[Vec, vec("Axis", "", "in body axes", direction=True)] = X


class MeasureSpec(Element, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all measures."""


class DistanceMeasure(MeasureSpec, frozen=True, kw_only=True, tag="distance"):
    """The distance between two points."""

    a: Annotated[PointOf, text("Point A")]
    b: Annotated[PointOf, text("Point B")]


class AngleMeasure(MeasureSpec, frozen=True, kw_only=True, tag="angle"):
    """The angle between two directions."""

    a: Annotated[AxisOf, text("Direction A")]
    b: Annotated[AxisOf, text("Direction B")]


class ExpressionMeasure(MeasureSpec, frozen=True, kw_only=True, tag="expression"):
    """Any expression of channels."""

    expression: Annotated[str, expression("Expression", "", "of channels")]
    unit: Annotated[str, text("Unit")] = ""


def _moved_points(spec: DistanceMeasure, mover: Mover) -> DistanceMeasure:
    def at(end: PointOf) -> PointOf:
        return replace(end, point=mover.point(end.body, end.point))

    return replace(spec, a=at(spec.a), b=at(spec.b))


def _moved_axes(spec: AngleMeasure, mover: Mover) -> AngleMeasure:
    def at(end: AxisOf) -> AxisOf:
        return replace(end, axis=mover.direction(end.body, end.axis, X))

    return replace(spec, a=at(spec.a), b=at(spec.b))


MEASURES: Registry[Kind] = Registry(
    "measure",
    Kind(
        spec=AngleMeasure,
        title="Angle",
        summary="Angle between two directions",
        symbol="angle",
        icon="measure-angle",
        moved=_moved_axes,
    ),
    Kind(
        spec=DistanceMeasure,
        title="Distance",
        summary="Distance of two points",
        symbol="ruler",
        icon="measure-distance",
        moved=_moved_points,
    ),
    Kind(
        spec=ExpressionMeasure,
        title="Expression",
        summary="Any expression of channels",
        symbol="formula",
        icon="measure-expression",
    ),
)
