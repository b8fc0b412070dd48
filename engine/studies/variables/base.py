"""What a variable of a study is: a value of the scene by its path, and the values that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from engine.compiled.layout import Array
from engine.elements.base import Part
from engine.elements.fields import text
from engine.errors import Problem

Value = float | int | str | bool  # what a variable can be in one run
MAX_LEVELS = 1_000_000  # values of a variable in a grid: no study has more runs


class Variable(Part, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all variables."""

    path: Annotated[
        str, text("Path", "as --set takes it: parameters.L1, bodies.crank.mass, simulation.method")
    ]


def as_written(values: Array) -> list[float]:
    """To 15 digits, as people write them, but for the ends: half way from 0.02 to 0.06 is 0.04."""
    first, *between, last = map(float, values)
    return [first, *(float(f"{value:.15g}") for value in between), last]


def _sound(variable: Any, path: str) -> list[Problem]:
    return []


@dataclass(frozen=True, kw_only=True)
class VariableKind:
    """A kind of variable.

    `at(variable, u)` gives the value at the share u of the probability, 0 < u < 1; `levels` the values that a
    grid takes; `ends` those that must be possible for all to be; `check(variable, path)` what is wrong.
    """

    name: str
    summary: str
    spec: type[Variable]
    at: Callable[[Any, float], Value]
    levels: Callable[[Any], Sequence[Value]]
    ends: Callable[[Any], Sequence[Value]]
    check: Callable[[Any, str], list[Problem]] = _sound
