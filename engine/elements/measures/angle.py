"""Angle: between two directions, each fixed to a body."""

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from msgspec.structs import replace

from engine.elements.base import Part, Vec
from engine.elements.fields import reference, text, vec
from engine.elements.measures.base import MeasureBuilder, MeasureKind, MeasureSpec, Read
from engine.elements.protocols.moving import Mover

if TYPE_CHECKING:
    from engine.compiled.layout import Array

X: tuple[float, ...] = (1.0, 0.0, 0.0)


class AxisOf(Part, frozen=True, kw_only=True):
    """A direction of a body."""

    body: Annotated[str, reference("Body", "bodies", ground=True)]
    axis: Annotated[Vec, vec("Axis", "", "in body axes", direction=True)] = X


class AngleMeasure(MeasureSpec, frozen=True, kw_only=True, tag="angle"):
    """The angle between two directions."""

    a: Annotated[AxisOf, text("Direction A")]
    b: Annotated[AxisOf, text("Direction B")]


def read(spec: AngleMeasure, build: MeasureBuilder) -> Read:
    """Between 0 and π; exact also for small angles."""
    a, b = (build.direction(end.body, end.axis) for end in (spec.a, spec.b))

    def angles(samples: Any) -> "Array":
        first, second = a(samples), b(samples)
        across = np.linalg.norm(np.cross(first, second), axis=1)
        return np.asarray(np.arctan2(across, np.einsum("ni,ni->n", first, second)))

    return angles


def moved(spec: AngleMeasure, mover: Mover) -> AngleMeasure:
    def at(end: AxisOf) -> AxisOf:
        return replace(end, axis=mover.direction(end.body, end.axis, X))

    return replace(spec, a=at(spec.a), b=at(spec.b))


KIND = MeasureKind(
    spec=AngleMeasure,
    title="Angle",
    summary="Angle between two directions",
    symbol="angle",
    icon="measure-angle",
    read=read,
    unit=lambda spec: "rad",
    between=lambda a, b: {"a": AxisOf(body=a.body), "b": AxisOf(body=b.body)},
    moved=moved,
)
