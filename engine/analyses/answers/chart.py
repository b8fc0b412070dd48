"""Charts of an answer: series over a common axis, drawn by whoever shows the answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from engine.compiled.layout import Array


@dataclass(frozen=True)
class Series:
    """Points that belong together; those of a line are joined, a band is filled between y and `upper`."""

    name: str  # empty: not in the legend
    x: Array
    y: Array
    style: Literal["line", "points", "band"] = "line"
    upper: Array | None = None  # of a band
    group: int = 0  # series of one group have one colour


@dataclass(frozen=True)
class Axis:
    """What is along an axis; numbers are in `unit`, an SI unit."""

    title: str
    unit: str = ""
    logarithmic: bool = False

    @property
    def heading(self) -> str:
        return f"{self.title} [{self.unit}]" if self.unit else self.title


@dataclass(frozen=True)
class Field:
    """A number over both axes of a chart, as colours with lines of equal value; NaN: there is none."""

    x: Array  # (n,), evenly spaced
    y: Array  # (m,), evenly spaced
    z: Array  # (n, m), in `of.unit`
    of: Axis  # what the colours mean
    marked: float | None = None  # a value whose line stands out


@dataclass(frozen=True)
class Chart:
    """Series under a title; `equal`: both axes have the same scale, as paths and poles need."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    equal: bool = False
    field: Field | None = None  # behind the series

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "x": {"title": self.x.title, "unit": self.x.unit},
            "y": {"title": self.y.title, "unit": self.y.unit},
            "series": [
                {
                    "name": one.name,
                    "style": one.style,
                    "x": one.x.tolist(),
                    "y": one.y.tolist(),
                    **({} if one.upper is None else {"upper": one.upper.tolist()}),
                }
                for one in self.series
            ],
            **({} if self.field is None else {"field": self._field_data(self.field)}),
        }

    def _field_data(self, field: Field) -> dict[str, Any]:
        values = [[None if math.isnan(z) else z for z in row] for row in field.z.tolist()]
        named = {"title": field.of.title, "unit": field.of.unit, "marked": field.marked}
        return {**named, "x": field.x.tolist(), "y": field.y.tolist(), "z": values}
