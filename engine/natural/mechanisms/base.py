"""What a mechanism in natural coordinates is: its model, and which coordinates are independent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.natural.model import NaturalModel


@dataclass(frozen=True)
class Published:
    """Sizes and times that the source prints [Antón 2015, chapter 5]; None where it prints none."""

    rows: int
    columns: int
    rank: int
    entries: int
    border: int | None = None
    bottom: int | None = None
    solve_gain: float = 0.0  # time of full solves over that of reordered ones
    integration_gain: float = 0.0


@dataclass(frozen=True)
class NaturalMechanism:
    """`opened`: coordinates that are independent too once the loops are opened."""

    name: str
    title: str
    make: Callable[[], NaturalModel]
    independent: tuple[str, ...]
    published: Published
    opened: tuple[str, ...] = ()
