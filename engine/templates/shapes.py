"""Shapes of bodies as a scene file has them; templates and shipped scenes are made with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Number = float | str  # a string is an expression of parameters
Fields = dict[str, Any]


def shape(
    kind: str, place: Fields, size: Fields, *, color: str = "", opacity: float = 1.0, density: float = 0.0
) -> Fields:
    """A shape; an empty colour is the body's, without a density it has no mass."""
    look: Fields = {"color": color} if color else {}
    if opacity < 1.0:
        look["opacity"] = opacity
    return {"kind": kind, **place, **look, **size, **({"density": density} if density else {})}


def rod(
    start: Iterable[Number], end: Iterable[Number], radius: Number, color: str = "", density: float = 0.0
) -> Fields:
    size = {"start": [*start], "end": [*end], "radius": radius}
    return shape("rod", {}, size, color=color, density=density)


def box(size: Sequence[Number], position: Sequence[Number], color: str = "", density: float = 0.0) -> Fields:
    return shape("box", {"position": position}, {"size": size}, color=color, density=density)


def sphere(radius: Number, position: Sequence[Number], color: str = "") -> Fields:
    return shape("sphere", {"position": position}, {"radius": radius}, color=color)


def outline(
    points: Sequence[Sequence[Number]], thickness: Number, opacity: float = 1.0, density: float = 0.0
) -> Fields:
    """A plate with a polygon outline in x-y."""
    return shape("outline", {}, {"points": points, "thickness": thickness}, opacity=opacity, density=density)


def disc(
    radius: Number,
    thickness: Number,
    *,
    position: Sequence[Number] | None = None,
    orientation: Fields | None = None,
    color: str = "",
    opacity: float = 1.0,
    density: float = 0.0,
) -> Fields:
    """A cylinder along z unless turned."""
    given = {"position": position, "orientation": orientation}
    place = {name: value for name, value in given.items() if value}
    size = {"radius": radius, "length": thickness}
    return shape("cylinder", place, size, color=color, opacity=opacity, density=density)
