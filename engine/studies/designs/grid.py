"""Grid: every value of every variable with every value of the others."""

import itertools
import math
from collections.abc import Sequence

from engine.errors import Problem
from engine.studies.designs.base import MAX_RUNS, Design, DesignKind, Points, kind_of
from engine.studies.variables.base import Variable


class Grid(Design, frozen=True, kw_only=True, tag="grid"):
    """All combinations; the last variable changes fastest."""


def points(design: Grid, variables: Sequence[Variable]) -> Points:
    return list(itertools.product(*(kind_of(variable).levels(variable) for variable in variables)))


def check(design: Grid, variables: Sequence[Variable]) -> list[Problem]:
    count = math.prod(len(kind_of(variable).levels(variable)) for variable in variables)
    if count <= MAX_RUNS:
        return []
    text = f"the grid has {count} runs, at most {MAX_RUNS} are allowed"
    return [Problem("design", count, text, "take fewer values of each variable, or the design sobol")]


KIND = DesignKind(name="grid", summary="all combinations of values", spec=Grid, points=points, check=check)
