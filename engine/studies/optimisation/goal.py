"""What is wanted of a study: objectives small, large or at a target, and limits that are kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from engine.elements.base import Part
from engine.elements.fields import expression, number, text
from engine.errors import Problem
from engine.spelling import did_you_mean
from engine.studies.objectives import Objective


class Term(Part, frozen=True, kw_only=True):
    """One objective that is made small or large, or brought to a target.

    Its part of the cost is weight · y, −weight · y, or weight · (y − target)².
    """

    objective: Annotated[str, text("Objective")]
    sense: Annotated[Literal["minimise", "maximise", "target"], text("Wanted")] = "minimise"
    target: Annotated[float, number("Target", "", "where the sense is target")] = 0.0
    weight: Annotated[float, number("Weight", "", "of several terms", gt=0.0)] = 1.0

    def residual(self, value: float) -> float:
        """Whose square is the cost of a target."""
        return math.sqrt(self.weight) * (value - self.target)

    def cost(self, value: float) -> float:
        if self.sense == "target":
            residual = self.residual(value)
            return residual * residual  # a power would raise where this is infinite
        return self.weight * (value if self.sense == "minimise" else -value)


class Limit(Part, frozen=True, kw_only=True):
    """A bound on an objective (asked after the run), or on an expression of parameters (asked before)."""

    objective: Annotated[str, text("Objective", "empty: the expression counts")] = ""
    expression: Annotated[str, expression("Expression", "", "of parameters, such as a + b - c")] = ""
    min: Annotated[float | None, number("At least")] = None
    max: Annotated[float | None, number("At most")] = None

    def excess(self, value: float) -> float:
        """How far a value lies outside; 0: it is allowed."""
        below = 0.0 if self.min is None else self.min - value
        above = 0.0 if self.max is None else value - self.max
        return max(0.0, below, above)

    @property
    def words(self) -> str:
        what = self.objective or self.expression
        low = "" if self.min is None else f"{self.min:g} ≤ "
        high = "" if self.max is None else f" ≤ {self.max:g}"
        return f"{low}{what}{high}"


def grashof(a: str, b: str, c: str, d: str) -> Limit:
    """The shortest of four bars can turn: shortest + longest ≤ the two others [Grashof 1883]."""
    bars = f"{a}, {b}, {c}, {d}"
    return Limit(expression=f"2*(max({bars}) + min({bars})) - ({a} + {b} + {c} + {d})", max=0.0)


def problems_of_goal(
    terms: Sequence[Term], limits: Sequence[Limit], known: Mapping[str, Objective]
) -> list[Problem]:
    """What is wrong with a goal; names of objectives are those of the study."""
    found = []
    names = tuple(known)
    if not terms:
        found.append(
            Problem("goal", [], "the study has no goal", 'give one, {"objective": "…", "sense": "minimise"}')
        )
    for i, term in enumerate(terms):
        if term.objective not in known:
            hint = did_you_mean(term.objective, names)
            message = f"there is no objective {term.objective!r}{hint}"
            found.append(
                Problem(f"goal[{i}].objective", term.objective, message, f"known: {', '.join(names)}")
            )
        if not 0.0 < term.weight < math.inf:
            message = f"the weight is {term.weight:g}"
            found.append(Problem(f"goal[{i}].weight", term.weight, message, "give a number above 0"))
        if not math.isfinite(term.target):
            message = f"the target is {term.target:g}"
            found.append(Problem(f"goal[{i}].target", term.target, message, "give a finite number"))
    for i, limit in enumerate(limits):
        path = f"limits[{i}]"
        if limit.objective and limit.objective not in known:
            message = f"there is no objective {limit.objective!r}{did_you_mean(limit.objective, names)}"
            found.append(Problem(f"{path}.objective", limit.objective, message, f"known: {', '.join(names)}"))
        if bool(limit.objective) == bool(limit.expression):
            message = "a limit is of an objective or of an expression, not of both and not of none"
            found.append(Problem(path, limit.words, message, 'give "objective" or "expression"'))
        if limit.min is None and limit.max is None:
            found.append(Problem(path, limit.words, "the limit allows everything", 'give "min" or "max"'))
        elif limit.min is not None and limit.max is not None and limit.min > limit.max:
            found.append(Problem(path, limit.words, "the limit allows nothing", "give min below max"))
    return found
