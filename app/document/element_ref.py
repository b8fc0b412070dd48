"""References to elements of the scene and their parts, and what they mean. No Qt: views use it too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.model.scene import LISTS, Scene

SIMULATION, SETTINGS = "simulation", "scene"  # `where` of what is no element
MAX_SEARCHED = 30  # elements of a list that are looked through
MAX_INDICES = 12  # lists: those of two scenes


@dataclass(frozen=True)
class Ref:
    """An element by list and name ("bodies", "crank"), or a part of it, such as one of its points."""

    where: str
    name: str
    part: str = ""

    @property
    def element(self) -> Ref:
        return self if not self.part else Ref(self.where, self.name)

    def __str__(self) -> str:
        return ".".join(filter(None, (self.where, self.name, self.part)))


@dataclass(frozen=True)
class Piece:
    """Which point or shape of the selected body is meant, counted in the lists of the body."""

    where: str  # "points" or "shapes"
    index: int


def refs_of(scene: Scene) -> tuple[Ref, ...]:
    """All elements, in the order of the scene."""
    return tuple(Ref(where, item.name) for where in LISTS for item in getattr(scene, where))


def find(scene: Scene, ref: Ref) -> Any:
    """The element that a reference means; None when there is none."""
    if ref.where == SIMULATION:
        return scene.simulation
    if ref.where == SETTINGS:
        return scene
    items = getattr(scene, ref.where, ())
    if len(items) > MAX_SEARCHED:
        return _by_name(items).get(ref.name)
    return next((item for item in items if item.name == ref.name), None)


def _by_name(items: tuple[Any, ...]) -> dict[str, Any]:
    """Long lists of frozen scenes by name, made once; the first of equal names counts."""
    known = _indices.get(id(items))
    if known is None or known[0] is not items:
        if len(_indices) >= MAX_INDICES:
            _indices.clear()
        known = _indices[id(items)] = (items, {item.name: item for item in reversed(items)})
    return known[1]


_indices: dict[int, tuple[tuple[Any, ...], dict[str, Any]]] = {}  # by identity; each holds its list
