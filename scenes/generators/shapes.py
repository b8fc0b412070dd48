"""What bodies look like: colours and shapes."""

from typing import Any

from scenes.generators.vocabulary import Element, Number, Vec

# Okabe and Ito's palette: told apart with every kind of colour vision
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PINK, YELLOW, GREY, DARK = "#56B4E9", "#CC79A7", "#F0E442", "#9AA0A6", "#3C4043"


def shape(kind: str, color: str, opacity: float, place: Element, **size: Any) -> Element:
    """A shape, fields in the documented order; an empty colour is the body's."""
    paint = {"color": color} if color else {}
    return {"kind": kind} | place | paint | ({"opacity": opacity} if opacity < 1.0 else {}) | size


def rod(start: Vec, end: Vec, radius: Number, color: str = "") -> Element:
    return shape("rod", color, 1.0, {}, start=start, end=end, radius=radius)


def box(size: Vec, position: Vec, color: str = "") -> Element:
    return shape("box", color, 1.0, {"position": position}, size=size)


def sphere(radius: Number, position: Vec, color: str = "") -> Element:
    return shape("sphere", color, 1.0, {"position": position}, radius=radius)


def outline(points: list[Vec], thickness: Number, opacity: float = 1.0) -> Element:
    return shape("outline", "", opacity, {}, points=points, thickness=thickness)


def disc(
    radius: Number,
    thickness: Number,
    *,
    position: Vec | None = None,
    orientation: Element | None = None,
    color: str = "",
    opacity: float = 1.0,
) -> Element:
    """A cylinder along z unless turned."""
    place = ({"position": position} if position else {}) | (
        {"orientation": orientation} if orientation else {}
    )
    return shape("cylinder", color, opacity, place, radius=radius, length=thickness)
