"""What measures have in common: the struct, ends on bodies, the kind record, and the builder they read by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias

from engine.elements.base import ZERO, Element, Kind, Part, Vec
from engine.elements.fields import reference, vec

if TYPE_CHECKING:  # a scene is listed without waiting for Numba
    from engine.compiled.layout import Array

Read: TypeAlias = "Callable[[Any], Array]"  # samples that were evaluated → a number for each, shape (n,)


class MeasureSpec(Element, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all measures."""


class PointOf(Part, frozen=True, kw_only=True):
    """A point of a body."""

    body: Annotated[str, reference("Body", "bodies", ground=True)]
    point: Annotated[
        Vec | str, vec("Point", "m", "in the body frame, or the name of a point", frame="plane")
    ] = ZERO


class MeasureBuilder(Protocol):
    """What a measure is read from. All reads take the same evaluated samples."""

    def position(self, body: str, point: Any) -> Read:
        """A point of a body in the world [m], shape (n, 3)."""

    def direction(self, body: str, axis: Any) -> Read:
        """A unit vector given in the axes of a body, in those of the world, shape (n, 3)."""

    def expression(self, text: str) -> Read:
        """An expression of channels, parameters and t."""


@dataclass(frozen=True, kw_only=True, repr=False)
class MeasureKind(Kind):
    """A measure kind: how the one channel that it has is read, and its unit.

    `between`: the fields of a measure of two points that were picked; None when it is made otherwise.
    """

    read: Callable[[Any, MeasureBuilder], Read]
    unit: Callable[[Any], str]
    between: Callable[[PointOf, PointOf], dict[str, Any]] | None = None
