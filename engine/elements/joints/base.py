"""What joints have in common: structs, facts of a kind, and rows that many kinds share."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec

from engine.elements.base import Anchor, Directions, Element, Kind, Number, Part, unswapped
from engine.elements.coordinates.coordinate_functions import Along, CoordinateFunction, Dot
from engine.elements.coordinates.relative_motion import Movements
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number, text

if TYPE_CHECKING:
    from engine.compiled.layout import Array

Rows = tuple[Row, ...]
Fixed = TypeVar("Fixed")


class JointSpec(Element, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all joints."""


class AnchoredSpec(JointSpec, frozen=True, kw_only=True):
    """A joint between frame A and frame B."""

    a: Annotated[Anchor, text("Frame A")]
    b: Annotated[Anchor, text("Frame B")]


class Start(Part, frozen=True, kw_only=True):
    """What assembly shall honour of a joint coordinate; None leaves it free."""

    value: Annotated[Number | None, number("Value", "rad or m")] = None
    speed: Annotated[Number | None, number("Speed", "rad/s or m/s")] = None


class CoordinateSpec(AnchoredSpec, frozen=True, kw_only=True):
    """An anchored joint that has coordinates."""

    start: Annotated[dict[str, Start], text("Start", "coordinate → value and speed at the start")] = (
        msgspec.field(default_factory=dict)
    )


@dataclass(frozen=True)
class Weaker:
    """A kind that allows all that the joint allows, and more.

    `where`: in the joint's own frame, once for each axis of that frame (`word`: how it lies to the axis),
    with the frame's x and y as second arm of a cross, or as a slot of one body for the pin of the other.
    """

    kind: str
    where: Literal["frame", "each axis", "each arm", "slots"] = "frame"
    word: str = "along"


def irreducible(spec: Any) -> Iterable[tuple[Any, str]]:
    """There is no joint of the same kind that holds less."""
    return ()


@dataclass(frozen=True, kw_only=True, repr=False)
class JointKind(Kind):
    """A joint kind: its rows and coordinates in space and in the plane, for a resolved spec.

    `planar_rows` None: not available in planar scenes. `planar_axis_is_x`: there the anchor's axis lies in
    the plane and becomes x of the joint frame, z being the world's. What anchor b leaves out is taken from a
    at the given pose, unless the kind has it from body B itself: `own_point` its origin, `own_axes` its axes.
    `on_wheel`: frame B is a wheel of the `radius` that is given; a tool takes all three from a cylinder of B.

    When the bodies are swapped, `swap_turns_axis`: the axis is turned over, so that coordinates keep their
    sign; `swapped`: what happens to the kind's own numbers, given the axes of frame A on its body (columns).
    Joints in its place that hold less are of the kinds `weaker` or, with words on what is given up, those
    that `reduced` makes; of several, those of low `cost` are offered first.

    `movements`: how frame B moves in frame A, for methods that follow open chains joint by joint; None where
    the joint is more than that.

    `rubs`: slips that friction can act against beside coordinates, each by the functions whose rates are its
    components. `bearing_rows`: how many of the rows, from the first on, press the surfaces together.

    A kind that relates any number of coordinates of joints says by `coupled` which fields these
    (joint, coordinate) give it; one whose fields name their joints needs nothing.
    """

    rows: Callable[[Any], Rows]
    planar_rows: Callable[[Any], Rows] | None = None
    coordinates: Mapping[str, CoordinateFunction] = field(default_factory=dict)
    planar_coordinates: Mapping[str, CoordinateFunction] = field(default_factory=dict)
    movements: Callable[[Any], Movements] | None = None
    planar_movements: Callable[[Any], Movements] | None = None
    rubs: Mapping[str, Callable[[Any], tuple[CoordinateFunction, ...]]] = field(default_factory=dict)
    planar_rubs: Mapping[str, Callable[[Any], tuple[CoordinateFunction, ...]]] = field(default_factory=dict)
    bearing_rows: int | None = None
    uses_anchors: bool = True
    planar_axis_is_x: bool = False
    own_point: bool = False
    own_axes: bool = False
    on_wheel: bool = False
    directions: Directions = Directions.AXIS
    swap_turns_axis: bool = False
    swapped: "Callable[[Any, Array], Any]" = unswapped
    weaker: tuple[Weaker, ...] = ()
    planar_weaker: tuple[Weaker, ...] = ()
    reduced: Callable[[Any], Iterable[tuple[Any, str]]] = irreducible
    coupled: Callable[[tuple[tuple[str, str], ...]], dict[str, Any]] | None = None
    cost: float = 1.5

    def rows_in(self, space: str, spec: JointSpec) -> Rows:
        """The rows of a resolved joint in a "spatial" or "planar" scene."""
        if space != "planar":
            return self.rows(spec)
        if self.planar_rows is None:
            raise ValueError(f"joint {spec.name!r}: kind {self.name!r} does not exist in planar scenes")
        return self.planar_rows(spec)

    def coordinates_in(self, space: str) -> Mapping[str, CoordinateFunction]:
        """Coordinate name → coordinate function in a "spatial" or "planar" scene."""
        return self.planar_coordinates if space == "planar" else self.coordinates

    def movements_in(self, space: str) -> Callable[[Any], Movements] | None:
        """Movements of a resolved joint in a "spatial" or "planar" scene."""
        return self.planar_movements if space == "planar" else self.movements

    def rubs_in(self, space: str) -> Mapping[str, Callable[[Any], tuple[CoordinateFunction, ...]]]:
        """Name of a slip → its functions for a resolved spec, in a "spatial" or "planar" scene."""
        return self.planar_rubs if space == "planar" else self.rubs

    def weaker_in(self, space: str) -> tuple[Weaker, ...]:
        """Kinds that hold less in a "spatial" or "planar" scene."""
        return self.planar_weaker if space == "planar" else self.weaker


# P_A and P_B coincide
POINT_ON_POINT: Rows = (
    Row(Along("x", "W"), "translation along x", "m"),
    Row(Along("y", "W"), "translation along y", "m"),
    Row(Along("z", "W"), "translation along z", "m"),
)
PLANAR_POINT_ON_POINT: Rows = POINT_ON_POINT[:2]

# P_B stays on the z axis of A
POINT_ON_AXIS: Rows = (
    Row(Along("x", "A"), "translation along x", "m"),
    Row(Along("y", "A"), "translation along y", "m"),
)

# z_B stays parallel to z_A
PARALLEL_AXES: Rows = (
    Row(Dot("z", "x"), "rotation about y", "rad"),
    Row(Dot("z", "y"), "rotation about x", "rad"),
)

# frame B keeps the orientation of frame A
SAME_ORIENTATION: Rows = (
    Row(Dot("x", "y"), "rotation about z", "rad"),
    Row(Dot("y", "z"), "rotation about x", "rad"),
    Row(Dot("z", "x"), "rotation about y", "rad"),
)


def same(rows: Fixed) -> Callable[[Any], Fixed]:
    """Rows or movements that do not depend on the joint's own numbers."""
    return lambda spec: rows
