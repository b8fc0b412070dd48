"""Shapes: what a body looks like, and where its mass is when a density is given."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from engine.elements.base import IDENTITY, ZERO, Color, Kind, Number, Orientation, Part, Vec
from engine.elements.fields import fact, number, text, vec
from engine.registry import Registry


class Shape(Part, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all shapes, placed in the body frame."""

    position: Annotated[Vec, vec("Position", "m")] = ZERO
    orientation: Annotated[Orientation, number("Orientation")] = IDENTITY
    angle: Annotated[Number, number("Angle", "rad", "about z, in planar scenes")] = 0.0
    color: Annotated[Color, text("Colour", "#rrggbb; empty for the body's")] = ""
    opacity: Annotated[Number, number("Opacity", ge=0.0, le=1.0)] = 1.0
    density: Annotated[Number | None, number("Density", "kg/m³", "null: without mass", gt=0.0)] = None


class Box(Shape, frozen=True, kw_only=True, tag="box"):
    """A box with its centre at the position."""

    size: Annotated[tuple[Number, Number, Number], number("Size", "m", "along x, y, z", gt=0.0)]


class Cylinder(Shape, frozen=True, kw_only=True, tag="cylinder"):
    """A cylinder along z with its centre at the position."""

    radius: Annotated[Number, number("Radius", "m", gt=0.0)]
    length: Annotated[Number, number("Length", "m", gt=0.0)]


class Sphere(Shape, frozen=True, kw_only=True, tag="sphere"):
    """A ball with its centre at the position."""

    radius: Annotated[Number, number("Radius", "m", gt=0.0)]


class Capsule(Shape, frozen=True, kw_only=True, tag="capsule"):
    """A cylinder along z with half balls at its ends; the length is that of the cylinder."""

    radius: Annotated[Number, number("Radius", "m", gt=0.0)]
    length: Annotated[Number, number("Length", "m", ge=0.0)]


class Rod(Shape, frozen=True, kw_only=True, tag="rod"):
    """A round rod between two points."""

    start: Annotated[Vec, vec("Start", "m")]
    end: Annotated[Vec, vec("End", "m")]
    radius: Annotated[Number, number("Radius", "m", gt=0.0)]


class Outline(Shape, frozen=True, kw_only=True, tag="outline"):
    """A flat plate: a polygon in x-y, extruded along z to both sides."""

    points: Annotated[
        tuple[tuple[Number, Number], ...], Meta(min_length=3), number("Corners", "m", "[x, y] in order")
    ]
    thickness: Annotated[Number, number("Thickness", "m", gt=0.0)]


class Mesh(Shape, frozen=True, kw_only=True, tag="mesh"):
    """A surface from a file."""

    file: Annotated[str, text("File", "path relative to the scene")]
    scale: Annotated[Number, number("Scale", gt=0.0)] = 1.0
    hull: Annotated[
        tuple[tuple[Number, Number, Number], ...],
        fact(
            "number",
            "Hull",
            "",
            "corners of its convex hull before scaling, by which it touches others",
            worked_out=True,
        ),
    ] = ()


Vector = tuple[Any, ...]


class LongSide(NamedTuple):
    """The longest extent of a shape: along which of its axes, and how wide it is across [m]."""

    axis: int
    length: float
    width: float


def _nothing(*_: Any) -> None:
    return None


def _always(*_: Any) -> bool:
    return True


def _no_fields(*_: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True)
class ShapeKind(Kind):
    """A shape kind: facts, and what edits and tools ask of its numbers. Shapes are resolved, unless `given`.

    `solid`: it has a volume, and so a mass. `ends(shape)`: two points that it lies between, in its own frame.
    `mapped(shape, place)`: its fields with points in them, each at another place. `long_side(shape)`: its
    longest extent. `lengthened(given, shape, grows)`: fields of one that is longer by so much. `direction`:
    words for the direction that a joint on it may have, its z axis, or the face towards the viewer where it
    `has_faces`. `factors`: fields that multiply its lengths. `touches(shape)`: whether contact knows it.
    """

    solid: bool = True
    ends: Callable[[Any], tuple[Vector, Vector] | None] = _nothing
    mapped: Callable[[Any, Callable[[Vector], Vector]], dict[str, Any]] = _no_fields
    long_side: Callable[[Any], LongSide | None] = _nothing
    lengthened: Callable[[Any, Any, float], dict[str, Any]] = _no_fields
    direction: str = ""
    has_faces: bool = False
    factors: tuple[str, ...] = ()
    touches: Callable[[Any], bool] = _always


def _long_side_of_box(shape: Box) -> LongSide:
    sizes = [float(size) for size in shape.size]
    axis = sizes.index(max(sizes))
    return LongSide(axis, sizes[axis], max(size for i, size in enumerate(sizes) if i != axis))


def _longer_box(given: Box, shape: Box, grows: float) -> dict[str, Any]:
    axis, length, _ = _long_side_of_box(shape)
    return {"size": tuple(length + grows if i == axis else size for i, size in enumerate(given.size))}


def _longer_round(given: Any, shape: Any, grows: float) -> dict[str, Any]:
    return {"length": float(shape.length) + grows}


def _long_side_of_cylinder(shape: Cylinder) -> LongSide:
    return LongSide(2, float(shape.length), 2.0 * float(shape.radius))


def _long_side_of_capsule(shape: Capsule) -> LongSide:
    width = 2.0 * float(shape.radius)
    return LongSide(2, float(shape.length) + width, width)


def shape_kind(shape: Shape) -> ShapeKind:
    return SHAPES[str(shape.__struct_config__.tag)]


def touches(shape: Shape) -> bool:
    """Whether contact knows what the shape is; a mesh touches by its hull."""
    return shape_kind(shape).touches(shape)


SHAPES: Registry[ShapeKind] = Registry(
    "shape",
    ShapeKind(
        spec=Box,  # keep sorted
        title="Box",
        summary="A box",
        symbol="box",
        icon="shape-box",
        long_side=_long_side_of_box,
        lengthened=_longer_box,
        direction="face of",
        has_faces=True,
    ),
    ShapeKind(
        spec=Capsule,
        title="Capsule",
        summary="A cylinder with round ends",
        symbol="capsule",
        icon="shape-capsule",
        long_side=_long_side_of_capsule,
        lengthened=_longer_round,
        direction="axis of",
    ),
    ShapeKind(
        spec=Cylinder,
        title="Cylinder",
        summary="A cylinder along z",
        symbol="cylinder",
        icon="shape-cylinder",
        long_side=_long_side_of_cylinder,
        lengthened=_longer_round,
        direction="axis of",
    ),
    ShapeKind(
        spec=Mesh,
        title="Mesh",
        summary="A surface from a file",
        symbol="mesh",
        icon="shape-mesh",
        solid=False,
        factors=("scale",),
        touches=lambda shape: bool(shape.hull),
    ),
    ShapeKind(
        spec=Outline,
        title="Outline",
        summary="A plate with a polygon outline",
        symbol="outline",
        icon="shape-outline",
        mapped=lambda shape, place: {"points": tuple(map(place, shape.points))},
        direction="across",
    ),
    ShapeKind(
        spec=Rod,
        title="Rod",
        summary="A round rod between two points",
        symbol="rod",
        icon="shape-rod",
        ends=lambda shape: (shape.start, shape.end),
        mapped=lambda shape, place: {"start": place(shape.start), "end": place(shape.end)},
    ),
    ShapeKind(spec=Sphere, title="Sphere", summary="A ball", symbol="sphere", icon="shape-sphere"),
)
