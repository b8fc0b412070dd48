"""The point that a study is about, and how far each variable goes from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import Problem, SceneError
from engine.model.value_at import number_at
from engine.studies.checks import settled
from engine.studies.designs.base import kind_of
from engine.studies.variables.base import Variable

if TYPE_CHECKING:
    from engine.studies.study import Study


@dataclass(frozen=True)
class Nominal:
    """A variable of numbers at the value of the scene, within its limits; `reach` is half of its width."""

    path: str
    value: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        return (self.high - self.low) / 2.0


def nominals(study: Study) -> tuple[Nominal, ...]:
    """The point of the scene; raises SceneError for variables that are no numbers."""
    found, problems = [], []
    for i, variable in enumerate(study.vary):
        try:
            found.append(_nominal(settled(variable, study.scene), study))
        except SceneError as error:
            problems += [
                Problem(f"vary[{i}].path", variable.path, p.message, p.remedy) for p in error.problems
            ]
    if problems:
        raise SceneError(problems, study.title or "study")
    return tuple(found)


def _nominal(variable: Variable, study: Study) -> Nominal:
    levels = kind_of(variable).levels(variable)
    numbers = [float(x) for x in levels if isinstance(x, float | int) and not isinstance(x, bool)]
    if len(numbers) < len(levels) or not numbers:
        text = f"{variable.path!r} has words for values, which have no derivative"
        raise SceneError([Problem("vary", variable.path, text, "vary numbers only")])
    low, high = min(numbers), max(numbers)
    if not low < high:
        text = f"{variable.path!r} has one value only, {low:g}: nothing changes with it"
        raise SceneError([Problem("vary", variable.path, text, "give it a range, or leave it out")])
    value = min(high, max(low, number_at(study.scene, variable.path)))
    return Nominal(variable.path, value, low, high)
