"""What a channel is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.compiled.layout import Array
from engine.results.output_evaluation import OutputEvaluation

Read = Callable[[OutputEvaluation], Array]


@dataclass(frozen=True, slots=True)
class Channel:
    """A number over time: dotted name, unit, how it is read from samples, and what it means in words."""

    name: str
    unit: str
    read: Read
    meaning: str = ""


def vector(name: str, unit: str, read: Read, axes: str, meaning: str) -> Iterator[Channel]:
    """One channel per axis of a vector, shape (n, 3): `axes` are those that exist here, such as "xy"."""
    for axis in axes:
        yield Channel(f"{name}.{axis}", unit, _component(read, "xyz".index(axis)), meaning)


def _component(read: Read, column: int) -> Read:
    return lambda evaluation: read(evaluation)[:, column]
