"""Interval: any value between two limits, all equally likely."""

from typing import Annotated

import numpy as np
from msgspec import Meta

from engine.elements.fields import number, text
from engine.errors import Problem
from engine.studies.variables.base import MAX_LEVELS, Variable, VariableKind, as_written


class Interval(Variable, frozen=True, kw_only=True, tag="interval"):
    """From `low` to `high`."""

    low: Annotated[float, number("Smallest value")]
    high: Annotated[float, number("Largest value")]
    count: Annotated[int, Meta(ge=2, le=MAX_LEVELS), text("Values in a grid")] = 5


def check_limits(low: float, high: float, path: str) -> list[Problem]:
    """An empty range is refused."""
    if low < high:
        return []
    text = f"the range from {low:g} to {high:g} is empty"
    return [Problem(f"{path}.high", high, text, f"give a largest value above {low:g}")]


KIND = VariableKind(
    name="interval",
    summary="between low and high, all values equally likely",
    spec=Interval,
    at=lambda variable, u: float(variable.low + u * (variable.high - variable.low)),
    levels=lambda variable: as_written(np.linspace(variable.low, variable.high, variable.count)),
    ends=lambda variable: (variable.low, variable.high),
    check=lambda variable, path: check_limits(variable.low, variable.high, path),
)
