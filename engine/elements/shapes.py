"""Shapes: what a body looks like, and where its mass is when a density is given."""

from typing import Annotated

from msgspec import Meta

from engine.elements.base import IDENTITY, ZERO, Color, Kind, Number, Orientation, Part, Vec
from engine.elements.fields import number, text, vec
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


SHAPES: Registry[Kind] = Registry(
    "shape",
    Kind(spec=Box, title="Box", summary="A box", symbol="box", icon="shape-box"),  # keep sorted
    Kind(
        spec=Capsule,
        title="Capsule",
        summary="A cylinder with round ends",
        symbol="capsule",
        icon="shape-capsule",
    ),
    Kind(
        spec=Cylinder,
        title="Cylinder",
        summary="A cylinder along z",
        symbol="cylinder",
        icon="shape-cylinder",
    ),
    Kind(spec=Mesh, title="Mesh", summary="A surface from a file", symbol="mesh", icon="shape-mesh"),
    Kind(
        spec=Outline,
        title="Outline",
        summary="A plate with a polygon outline",
        symbol="outline",
        icon="shape-outline",
    ),
    Kind(spec=Rod, title="Rod", summary="A round rod between two points", symbol="rod", icon="shape-rod"),
    Kind(spec=Sphere, title="Sphere", summary="A ball", symbol="sphere", icon="shape-sphere"),
)
