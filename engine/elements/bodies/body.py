"""Bodies: rigid, with a frame, mass, named points and shapes."""

from typing import TYPE_CHECKING, Annotated, Literal, Union

from engine.elements.base import IDENTITY, ZERO, Element, Number, Orientation, Part, Vec
from engine.elements.bodies.shapes import SHAPES, Shape
from engine.elements.fields import number, text, vec

if TYPE_CHECKING:
    AnyShape = Shape
else:
    AnyShape = Union[tuple(kind.spec for kind in SHAPES)]  # noqa: UP007


class Point(Part, frozen=True, kw_only=True):
    """A named point of a body."""

    name: Annotated[str, text("Name")]
    position: Annotated[Vec, vec("Position", "m", "in the body frame", frame="plane")]


class Body(Element, frozen=True, kw_only=True):
    """A rigid body. Position, velocity and orientation are those of its frame, not of the centre of mass."""

    position: Annotated[Vec, vec("Position", "m", "of the body frame, in the world", frame="plane")] = ZERO
    angle: Annotated[Number, number("Angle", "rad", "about z, in planar scenes")] = 0.0
    orientation: Annotated[Orientation, number("Orientation", "", "body to world, scalar first")] = IDENTITY
    velocity: Annotated[Vec, vec("Velocity", "m/s", "of the body origin, world axes", frame="plane")] = ZERO
    angular_velocity: Annotated[Vec, vec("Angular velocity", "rad/s", "world axes")] = ZERO
    mass: Annotated[Number | None, number("Mass", "kg", "null: from the shapes' densities", ge=0.0)] = None
    com: Annotated[
        Vec | None,
        vec("Centre of mass", "m", "in the body frame; null: from the shapes, or the origin", frame="plane"),
    ] = None
    inertia: Annotated[
        tuple[Number, ...] | None,
        number("Inertia", "kg·m²", "[Izz], or [Ixx, Iyy, Izz] and [Ixy, Ixz, Iyz]; null: from the shapes"),
    ] = None
    fixed: Annotated[bool, text("Fixed", "part of the world")] = False
    hold: Annotated[
        Literal["none", "pose", "velocity", "both"], text("Hold", "what assembly changes last")
    ] = "none"
    points: Annotated[tuple[Point, ...], text("Points")] = ()
    shapes: Annotated[tuple[AnyShape, ...], text("Shapes")] = ()

    def point(self, name: str) -> Point:
        """The named point."""
        for point in self.points:
            if point.name == name:
                return point
        known = ", ".join(p.name for p in self.points) or "none"
        raise KeyError(f"body {self.name!r} has no point {name!r} (known: {known})")
