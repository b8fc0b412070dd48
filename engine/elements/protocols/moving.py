"""What an edit tells a kind about the new place of an element: protocols, which the window's edits fulfil."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # a scene is listed without waiting for Numba
    from engine.compiled.layout import Array

Reversed = Callable[[str, str], bool]  # (joint, coordinate) → whether it counts the other way now


class Placing(Protocol):
    """p → Q p + d in the world. A mirror image flips body frames too, so that they stay right-handed."""

    @property
    def Q(self) -> Array: ...

    @property
    def d(self) -> Array: ...

    @property
    def angle(self) -> float:
        """Of the turn about z, for planar scenes [rad]."""

    @property
    def mirrors(self) -> bool: ...

    def point(self, p: tuple[Any, ...]) -> tuple[Any, ...]:
        """A point of the world."""

    def vector(self, v: tuple[Any, ...]) -> tuple[Any, ...]:
        """Velocities, forces, directions in the world."""

    def spin(self, w: tuple[Any, ...]) -> tuple[Any, ...]:
        """Angular velocities and torques, which a mirror turns the other way."""

    def turned(self, angle: Any) -> Any:
        """The angle of a planar body."""

    def local(self, v: tuple[Any, ...]) -> tuple[Any, ...]:
        """A vector in axes of a body that moves along."""

    def local_spin(self, w: tuple[Any, ...]) -> tuple[Any, ...]:
        """A torque in axes of a body that moves along."""


class Mover(Protocol):
    """Puts elements to their new place; bodies may move along, or stay where they are."""

    @property
    def placing(self) -> Placing: ...

    @property
    def planar(self) -> bool: ...

    def takes(self, body: str) -> bool:
        """Whether the body moves along."""

    def point(self, body: str, point: Any) -> Any:
        """Where a point given in a body's axes, or by name, goes."""

    def direction(self, body: str, given: Any, otherwise: tuple[float, ...]) -> Any:
        """Where a direction goes; None stays so while it means the same as `otherwise`."""
