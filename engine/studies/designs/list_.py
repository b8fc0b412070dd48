"""List: the runs one by one, as someone wrote them down."""

from collections.abc import Sequence
from typing import Annotated

from engine.elements.fields import text
from engine.errors import Problem
from engine.studies.designs.base import Design, DesignKind, Points
from engine.studies.variables.base import Value, Variable


class ListOfRuns(Design, frozen=True, kw_only=True, tag="list"):
    """One row of values per run, in the order of the variables; their ranges do not count."""

    rows: Annotated[tuple[tuple[Value, ...], ...], text("Rows")]


def points(design: ListOfRuns, variables: Sequence[Variable]) -> Points:
    return list(design.rows)


def check(design: ListOfRuns, variables: Sequence[Variable]) -> list[Problem]:
    if not design.rows:
        return [Problem("design.rows", [], "the list of runs is empty", "give a row of values for each run")]
    wanted = len(variables)
    return [
        Problem(
            f"design.rows[{i}]",
            list(row),
            f"{len(row)} values for {wanted} variables",
            "give one value for each variable, in their order",
        )
        for i, row in enumerate(design.rows)
        if len(row) != wanted
    ]


KIND = DesignKind(name="list", summary="rows of values", spec=ListOfRuns, points=points, check=check)
