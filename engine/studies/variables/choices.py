"""Choices: the values of a list; numbers, or words such as the names of methods."""

from typing import Annotated

from engine.elements.fields import text
from engine.errors import Problem
from engine.studies.variables.base import Value, Variable, VariableKind


class Choices(Variable, frozen=True, kw_only=True, tag="choices"):
    """One of `values`."""

    values: Annotated[tuple[Value, ...], text("Values")]


def check(variable: Choices, path: str) -> list[Problem]:
    if variable.values:
        return []
    return [Problem(f"{path}.values", [], "the list of values is empty", "give at least one value")]


KIND = VariableKind(
    name="choices",
    summary="the values of a list, all equally likely",
    spec=Choices,
    at=lambda variable, u: variable.values[int(u * len(variable.values))],
    levels=lambda variable: variable.values,
    ends=lambda variable: variable.values,
    check=check,
)
