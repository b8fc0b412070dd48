"""What forces have in common: structs, the kind record, and the builder that receives their laws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

from engine.elements.base import Anchor, Element, Function, Kind
from engine.elements.fields import text
from engine.elements.rows import Gauge


class ForceSpec(Element, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all forces."""


class TwoPointSpec(ForceSpec, frozen=True, kw_only=True):
    """A force between frame A and frame B."""

    a: Annotated[Anchor, text("Frame A")]
    b: Annotated[Anchor, text("Frame B")]


class ForceBuilder(Protocol):
    """What the compiler offers a force: gauges to act along, and the laws that are compiled."""

    planar: bool

    def between(self, a: Anchor, b: Anchor, gauge: Gauge) -> int:
        """A gauge between two anchors."""

    def coordinate(self, joint: str, coordinate: str) -> int:
        """The gauge of a joint coordinate."""

    def at_pose(self, gauge: int) -> float:
        """Value of a gauge at the given pose."""

    def line(
        self,
        gauge: int,
        *,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        free: Any = 0.0,
        preload: Any = 0.0,
        function: Function = 0.0,
        sign: float = 1.0,
    ) -> None:
        """Spring, damper, preload (all resist the gauge) and an actuator along a gauge."""

    def motor(
        self, gauge: int, *, effort: Function | None, speed: Function | None, gain: Any, limit: Any
    ) -> None:
        """Effort and speed control along a gauge."""

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


@dataclass(frozen=True, kw_only=True)
class ForceKind(Kind):
    """A force kind: facts, and the laws that a resolved spec is made of."""

    laws: Callable[[Any, ForceBuilder], None]
