"""What motions have in common: the struct, the kind record, and the builder that makes their coordinate
functions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from engine.elements.base import Anchor, Directions, Element, Kind, unswapped
from engine.elements.coordinates.coordinate_functions import CoordinateFunction
from engine.elements.field_units import coordinate_unit

if TYPE_CHECKING:
    from engine.compiled.layout import Array

SWING = "0.05*sin(2*t)"  # m, along a slider or an axis of the world
STEADY = "2*t"  # rad: a turn in three seconds


class MotionSpec(Element, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all motions: a coordinate, or its rate, follows a function of time.

    Each kind has the fields `level` (position or velocity) and `function`.
    """


class MotionBuilder(Protocol):
    """What the compiler offers a motion: a coordinate function of its own, so that no other element has the
    same one."""

    def own_coordinate(self, joint: str, coordinate: str) -> int:
        """A coordinate function that has the value of a joint coordinate."""

    def between(self, a: Anchor, b: Anchor, coordinate_function: CoordinateFunction) -> int:
        """A coordinate function between two anchors."""

    def on_body(self, body: str, point: Any, coordinate_function: CoordinateFunction) -> int:
        """A coordinate function between the world's frame and a point of a body."""


class Moved(NamedTuple):
    """A coordinate that a motion prescribes, by the element that has it."""

    owner: Literal["body", "joint", "motion"]  # the motion itself has it when no other element does
    name: str
    coordinate: str

    @property
    def unit(self) -> str:
        return coordinate_unit(self.coordinate)


def to_and_fro(spec: Any) -> str:
    return SWING


@dataclass(frozen=True, kw_only=True, repr=False)
class MotionKind(Kind):
    """A motion kind: `coordinate_function` is what shall follow the function, `moves` says whose coordinate
    that is.

    `directions` and `swapped` are for kinds between two anchors, see `ForceKind`. `first`: a function of
    time that is zero at t = 0, which a new motion adds to where its coordinate is.
    """

    coordinate_function: Callable[[Any, MotionBuilder], int]
    moves: Callable[[Any], Moved]
    first: Callable[[Any], str] = to_and_fro
    directions: Directions = Directions.NONE
    swapped: "Callable[[Any, Array], Any]" = unswapped
    noun: str = "motion"  # what the names of new ones begin with
