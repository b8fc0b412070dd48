"""What forces have in common: structs, the kind record, and the builder that receives their laws."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

from engine.elements.base import Anchor, Directions, Element, Function, Kind, unswapped
from engine.elements.coordinates.coordinate_functions import Combination, CoordinateFunction
from engine.elements.fields import text

if TYPE_CHECKING:
    from engine.compiled.layout import Array
    from engine.elements.bodies.shapes import Shape
    from engine.elements.coordinates.frames import Frame, Place


class ForceSpec(Element, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all forces."""


class TwoPointSpec(ForceSpec, frozen=True, kw_only=True):
    """A force between frame A and frame B."""

    a: Annotated[Anchor, text("Frame A")]
    b: Annotated[Anchor, text("Frame B")]


class ForceBuilder(Protocol):
    """What the compiler offers a force: coordinate functions to act along, and the laws that are compiled."""

    planar: bool

    def between(self, a: Anchor, b: Anchor, coordinate_function: CoordinateFunction) -> int:
        """A coordinate function between two anchors."""

    def coordinate(self, joint: str, coordinate: str) -> int:
        """The coordinate function of a joint coordinate."""

    def at_pose(self, coordinate_function: int) -> float:
        """Value of a coordinate function at the given pose."""

    def own_coordinate(self, joint: str, coordinate: str) -> int:
        """A second coordinate function of a joint coordinate, for a row of its own."""

    def slip(self, joint: str, name: str) -> tuple[int, ...]:
        """New functions, one behind the other, whose rates are the components of a slip of a joint; a
        coordinate counts as one."""

    def combination(self, coordinate_function: Combination) -> int:
        """A sum of joint coordinates."""

    def row(self, coordinate_function: int, unit: str, target: float = 0.0, *, velocity: bool = False) -> int:
        """Number of a new constraint row that holds the coordinate function at the target while the law that
        is given the number says so; no other row or law may use that coordinate function. One that has no
        value is held by its rate."""

    def relation(self, joint: str) -> "tuple[int, tuple[tuple[str, str, float], ...]]":
        """Row of a joint that couples coordinates, and these with their factors."""

    def frames_of(self, a: Anchor, b: Anchor) -> "tuple[Frame, Frame]":
        """Frames of two anchors."""

    def shape_axes(self, shape: "Shape") -> "Array":
        """Axes of a shape in the frame of its body, as columns."""

    def shapes(self, body: str) -> "tuple[Shape, ...]":
        """Shapes of a body, in its frame."""

    def place(self, body: str) -> "Place":
        """Where a body is at the given pose."""

    def members(self, group: str) -> tuple[str, ...]:
        """Names of the bodies of a group; all bodies without one."""

    def joined(self) -> frozenset[frozenset[str]]:
        """Pairs of bodies that a joint holds together."""

    def reaction(self, joint: str) -> tuple[int, int, int]:
        """First of the rows by which a joint bears a load, the one behind their last, and the number of a
        moving body that they act on."""

    def body(self, name: str) -> int:
        """Number of a body."""

    def program(self, function: Function | None, variables: Sequence[str] = ("t",)) -> int:
        """Number of the program of a function; -1 when there is none or it is the constant zero."""

    def law(
        self,
        kind: str,
        target: int,
        *,
        integers: Sequence[int] = (),
        reals: Sequence[float] = (),
        table: tuple[float, ...] = (),
    ) -> None:
        """A law of any kind on its coordinate function or body; the kind says which integers are programs.
        Where its table begins stands behind its integers."""

    def line(
        self,
        coordinate_function: int,
        *,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        free: Any = 0.0,
        preload: Any = 0.0,
        function: Function = 0.0,
        sign: float = 1.0,
    ) -> None:
        """Spring, damper, preload (all resist the coordinate function) and an actuator along a coordinate
        function."""

    def motor(
        self,
        coordinate_function: int,
        *,
        effort: Function | None,
        speed: Function | None,
        gain: Any,
        limit: Any,
    ) -> None:
        """Effort and speed control along a coordinate function."""

    def applied(
        self,
        body: str,
        components: tuple[Function, ...],
        *,
        in_body: bool,
        torque: bool = False,
        point: Any = None,
        application: tuple[Function, ...] | None = None,
    ) -> None:
        """A force or torque on a body."""


@dataclass(frozen=True)
class Output:
    """A channel of a force: what one of its laws does, or the coordinate function that the law acts along;
    `least`: the smallest of several; `size` and `slip`: magnitudes of effort and speed along several."""

    name: str
    unit: str
    what: Literal["effort", "coordinate", "speed", "force", "torque", "least", "size", "slip"] = "effort"
    # of those that the element is made of, in their order; None: all; a name: those of that kind
    law: int | tuple[int, ...] | str | None = 0
    sign: float = 1.0  # the effort of a law pushes, tension pulls
    axis: int = 0  # component of a force or torque on a body, in the world
    meaning: str = ""  # in words: which way is positive, on which body, in which axes


@dataclass(frozen=True, kw_only=True, repr=False)
class ForceKind(Kind):
    """A force kind: facts, the laws that a resolved spec is made of, and the channels that it shows.

    `outputs(spec, planar)` are the channels but the power, which all forces have; all begin with `family`.
    `swapped`: what happens to its own numbers when its two bodies are swapped, see `JointKind`. `drives`:
    joint and coordinate that it moves as an actuator does, so that assembly leaves them where they are.
    `loss`: the sort of loss that its own work integral counts, with the sign of work, when it does no other
    work; "" where it does. `resists`: whether it depends on velocities otherwise than by a field `…damping`
    or a law of v.
    """

    laws: Callable[[Any, ForceBuilder], None]
    outputs: Callable[[Any, bool], tuple[Output, ...]]
    family: Literal["force", "spring"] = "force"
    loss: Callable[[Any], Literal["", "friction", "contact", "impact"]] = lambda spec: ""
    directions: Directions = Directions.NONE
    swapped: "Callable[[Any, Array], Any]" = unswapped
    drives: Callable[[Any], tuple[str, str] | None] = lambda spec: None
    resists: Callable[[Any], bool] = lambda spec: False
