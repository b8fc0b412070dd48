"""Distance: how far two points are from each other."""

from typing import Annotated

import numpy as np
from msgspec.structs import replace

from engine.elements.fields import text
from engine.elements.measures.base import MeasureBuilder, MeasureKind, MeasureSpec, PointOf, Read
from engine.elements.protocols.moving import Mover


class DistanceMeasure(MeasureSpec, frozen=True, kw_only=True, tag="distance"):
    """The distance between two points."""

    a: Annotated[PointOf, text("Point A")]
    b: Annotated[PointOf, text("Point B")]


def read(spec: DistanceMeasure, build: MeasureBuilder) -> Read:
    a, b = (build.position(end.body, end.point) for end in (spec.a, spec.b))
    return lambda samples: np.asarray(np.linalg.norm(b(samples) - a(samples), axis=1))


def moved(spec: DistanceMeasure, mover: Mover) -> DistanceMeasure:
    def at(end: PointOf) -> PointOf:
        return replace(end, point=mover.point(end.body, end.point))

    return replace(spec, a=at(spec.a), b=at(spec.b))


KIND = MeasureKind(
    spec=DistanceMeasure,
    title="Distance",
    summary="Distance of two points",
    symbol="ruler",
    icon="measure-distance",
    read=read,
    unit=lambda spec: "m",
    between=lambda a, b: {"a": a, "b": b},
    moved=moved,
)
