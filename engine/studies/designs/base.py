"""What a design is: which values the variables of a study take together, run by run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from engine.compiled.layout import Array
from engine.elements.base import Part
from engine.elements.fields import text
from engine.errors import Problem
from engine.studies.variables import VARIABLES
from engine.studies.variables.base import Value, Variable, VariableKind

MAX_RUNS = 1_000_000  # of a study
EDGE = 2.0**-53  # shares stay off 0 and 1, where a normal distribution is infinite

Points = list[tuple[Value, ...]]  # one value per variable, for each run


class Design(Part, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all designs."""


class Sampled(Design, frozen=True, kw_only=True):
    """Base of designs that draw so many points from the space of all values."""

    count: Annotated[int, Meta(ge=1, le=MAX_RUNS), text("Runs")]
    seed: Annotated[int, Meta(ge=0), text("Seed", "the same seed gives the same runs")] = 0


def _sound(design: Any, variables: Sequence[Variable]) -> list[Problem]:
    return []


@dataclass(frozen=True, kw_only=True)
class DesignKind:
    """A kind of design: its points for variables that are sound, and what is wrong with it."""

    name: str
    summary: str
    spec: type[Design]
    points: Callable[[Any, Sequence[Variable]], Points]
    check: Callable[[Any, Sequence[Variable]], list[Problem]] = _sound


def kind_of(variable: Variable) -> VariableKind:
    return VARIABLES[str(variable.__struct_config__.tag)]


def from_shares(shares: Array, variables: Sequence[Variable]) -> Points:
    """Points of the unit cube, shape (runs, variables), as values."""
    kinds = [kind_of(variable) for variable in variables]
    inside = np.clip(shares, EDGE, 1.0 - EDGE)
    return [
        tuple(kind.at(variable, float(u)) for kind, variable, u in zip(kinds, variables, row, strict=True))
        for row in inside
    ]
