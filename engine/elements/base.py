"""Words that every element is made of: numbers, vectors, functions, anchors."""

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from engine.elements.fields import number, reference, text, vec
from engine.elements.protocols.checking import Around, unchecked
from engine.elements.protocols.moving import Mover, Reversed
from engine.errors import Problem
from engine.registry import shown_by_name

if TYPE_CHECKING:
    from engine.compiled.layout import Array

WORLD = "world"  # the name by which anchors mean the ground

Number: TypeAlias = float | str  # a string is an expression of parameters
Vec: TypeAlias = Annotated[tuple[Number, ...], Meta(min_length=2, max_length=3)]
Color: TypeAlias = Annotated[str, Meta(pattern="^(#[0-9a-fA-F]{6})?$")]
ZERO: tuple[Number, ...] = (0.0, 0.0, 0.0)


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """Base of everything in a scene: frozen, and unknown fields are refused."""

    def unread(self) -> frozenset[str]:
        """Fields that mean nothing beside the others: forms leave them out while they are untouched."""
        return frozenset()


class Element(Part, frozen=True, kw_only=True):
    """What every named element has."""

    name: Annotated[str, text("Name")]
    color: Annotated[Color, text("Colour", "#rrggbb; empty for the theme's own")] = ""
    opacity: Annotated[Number, number("Opacity", ge=0.0, le=1.0)] = 1.0
    layer: Annotated[int, text("Layer")] = 0
    visible: Annotated[bool, text("Visible")] = True
    notes: Annotated[str, text("Notes")] = ""


class Table(Part, frozen=True, kw_only=True):
    """A function given by points."""

    points: Annotated[
        tuple[tuple[Number, Number], ...], number("Points", "", "pairs [t, value], t increasing")
    ]
    interpolation: Annotated[Literal["linear", "cubic"], text("Interpolation")] = "linear"
    outside: Annotated[Literal["hold", "periodic", "error"], text("Outside the points")] = "hold"


Function: TypeAlias = float | str | Table


class AxisAngle(Part, frozen=True, kw_only=True):
    """An orientation: turned about an axis."""

    axis: Annotated[Vec, vec("Axis", direction=True)]
    angle: Annotated[Number, number("Angle", "rad")]


Quaternion: TypeAlias = tuple[Number, Number, Number, Number]  # scalar first
Orientation: TypeAlias = Quaternion | AxisAngle
IDENTITY: Orientation = (1.0, 0.0, 0.0, 0.0)


class Anchor(Part, frozen=True, kw_only=True):
    """A frame on a body. What is None is left out: see the scene format for what it then is."""

    body: Annotated[str, reference("Body", "bodies", ground=True)]
    point: Annotated[
        Vec | str | None, vec("Point", "m", "in the body frame, or the name of a point", frame="plane")
    ] = None
    axis: Annotated[Vec | None, vec("Axis", "", "z axis of the joint frame", direction=True)] = None
    reference: Annotated[
        Vec | None, vec("Reference", "", "x direction of the joint frame", direction=True)
    ] = None


class Directions(enum.Enum):
    """Which directions of its two frames mean something to an element between two bodies."""

    NONE = "it joins points"
    SHARED = "both frames are aligned, whatever their directions: none needs to be chosen"
    FRAME = "all three axes of frame A"
    AXIS = "one axis, which B takes from A unless it is given"
    OF_B = "one axis of B alone"
    TWO_AXES = "one axis on each side; that of B is across that of A unless it is given"


def unmoved(spec: Any, mover: Mover) -> Any:
    """Nothing of its own changes."""
    return spec


def unreversed(spec: Any, is_reversed: Reversed) -> Any:
    """It acts on no joint coordinate, or its sign does not matter."""
    return spec


def unswapped(spec: Any, axes_A: "Array") -> Any:
    """No number of its own counts from one side to the other."""
    return spec


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Facts of a kind of element, for menus, tables, drawing and edits. The name is the struct's tag.

    `defaults`: fields of a new element that must be given or would not show at zero; `planar_defaults` are
    those that differ in the plane. `moved`: what a shift, a turn or a mirror does to the element beside
    its anchors. `reversed`: the element when joint coordinates that it acts on count the other way. `check`:
    what can be wrong with an element of this kind alone, beside its fields, references and directions.
    """

    spec: type[Struct]
    title: str
    summary: str
    symbol: str
    icon: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    planar_defaults: Mapping[str, Any] = field(default_factory=dict)
    moved: Callable[[Any, Mover], Any] = unmoved
    reversed: Callable[[Any, Reversed], Any] = unreversed
    check: Callable[[Any, Around], Iterable[Problem]] = unchecked

    __repr__ = shown_by_name

    @property
    def name(self) -> str:
        return str(self.spec.__struct_config__.tag)

    def defaults_in(self, space: str) -> dict[str, Any]:
        """Fields of a new element in a "spatial" or "planar" scene."""
        return {**self.defaults, **(self.planar_defaults if space == "planar" else {})}


def as_float(value: Any) -> float:
    """A number of a resolved scene."""
    if isinstance(value, str):
        raise TypeError(f"{value!r} is an expression; resolve the scene first")
    return float(value)
