"""What a selection is made of: an element of the scene, or a part of one. No Qt here, so views may use it."""

from __future__ import annotations

from dataclasses import dataclass


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
