"""Logarithmic: any positive value between two limits, every power of ten equally likely."""

import math
from typing import Annotated

import numpy as np
from msgspec import Meta

from engine.elements.fields import number, text
from engine.errors import Problem
from engine.studies.variables.base import MAX_LEVELS, Variable, VariableKind, as_written
from engine.studies.variables.interval import check_limits


class Logarithmic(Variable, frozen=True, kw_only=True, tag="logarithmic"):
    """From `low` to `high` in equal ratios: stiffnesses, steps, damping."""

    low: Annotated[float, number("Smallest value")]
    high: Annotated[float, number("Largest value")]
    count: Annotated[int, Meta(ge=2, le=MAX_LEVELS), text("Values in a grid")] = 5


def check(variable: Logarithmic, path: str) -> list[Problem]:
    if variable.low > 0.0:
        return check_limits(variable.low, variable.high, path)
    text = f"{variable.low:g} has no logarithm"
    return [Problem(f"{path}.low", variable.low, text, "give a positive value, or use the kind interval")]


KIND = VariableKind(
    name="logarithmic",
    summary="between low and high in equal ratios",
    spec=Logarithmic,
    at=lambda variable, u: math.exp((1.0 - u) * math.log(variable.low) + u * math.log(variable.high)),
    levels=lambda variable: as_written(np.geomspace(variable.low, variable.high, variable.count)),
    ends=lambda variable: (variable.low, variable.high),
    check=check,
)
