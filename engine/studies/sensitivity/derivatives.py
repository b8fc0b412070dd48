"""Derivatives of objectives by variables: central differences of three steps, extrapolated, with their error.

    D(h) = (f(p + h) − f(p − h)) / 2h = f' + c₂ h² + c₄ h⁴ + …
    D₁(h) = (4 D(h/2) − D(h)) / 3,   D₂ = (16 D₁(h/2) − D₁(h)) / 15

The error is estimated by what the last extrapolation changed, as Ridders' method does, and the value with the
smallest one is taken [Ridders 1982]. All runs of all variables go out together, as those of a sweep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compiled.layout import Array
from engine.errors import Problem, SceneError
from engine.html_table import html_table
from engine.progress import Cancel
from engine.studies.column_units import column_units
from engine.studies.designs.list_ import ListOfRuns
from engine.studies.outcomes.row import Row
from engine.studies.outcomes.table import Table
from engine.studies.sensitivity.nominal import Nominal, nominals

if TYPE_CHECKING:
    from engine.studies.study import Study

STEP = 0.1  # of the reach of a variable: the largest step
SHRINK = 2.0
LEVELS = 3  # steps per variable and side
DIRECT = "direct"  # message of a derivative that was integrated


@dataclass(frozen=True)
class Derivative:
    """∂objective/∂variable at the nominal point; NaN with a message where runs failed."""

    objective: str
    variable: str
    value: float
    error: float  # estimated
    elasticity: float  # (p/y) ∂y/∂p: per cent of the objective per per cent of the variable
    effect: float  # |∂y/∂p| times the reach of the variable: what its whole range may do, to first order
    message: str = ""


@dataclass(frozen=True)
class Sensitivities:
    """All derivatives, objective by objective, largest effect first."""

    title: str
    nominal: tuple[Nominal, ...]
    objectives: tuple[float | None, ...]  # at the nominal point
    derivatives: tuple[Derivative, ...]
    table: Table  # of the runs

    def value(self, objective: str, variable: str) -> float:
        """One derivative; raises KeyError."""
        for one in self.derivatives:
            if (one.objective, one.variable) == (objective, variable):
                return one.value
        raise KeyError(f"there is no derivative of {objective!r} by {variable!r}")

    HEADINGS = ("objective", "variable", "derivative", "error", "elasticity", "effect", "message")

    def lines(self) -> list[tuple[Any, ...]]:
        """For tables."""
        return [
            (d.objective, d.variable, d.value, d.error, d.elasticity, d.effect, d.message)
            for d in self.derivatives
        ]

    def _repr_html_(self) -> str:
        return html_table(f"{self.title or 'study'}: sensitivities", self.HEADINGS, self.lines(), "")


def sensitivities(study: Study, **running: Any) -> Sensitivities:
    """Derivatives at the values of the scene; `running` goes to `Study.run`. Raises SceneError."""
    import msgspec

    study.refuse_problems()
    points = nominals(study)
    rows: list[tuple[float, ...]] = [tuple(p.value for p in points)]
    steps = [_steps(point) for point in points]
    for k, offsets in enumerate(steps):
        for offset in offsets:
            for side in (-1.0, 1.0):
                row = list(rows[0])
                row[k] += side * offset
                rows.append(tuple(row))
    listed = msgspec.structs.replace(study, design=ListOfRuns(rows=tuple(rows)))
    table: Table = listed.run(**running)
    by_key = {row.values: row for row in table.rows}
    values = [by_key.get(row) for row in rows]
    found = []
    middle = values[0]
    objectives = middle.objectives if middle is not None else (None,) * len(study.objectives)
    for j, objective in enumerate(study.objectives):
        of_one = []
        for k, point in enumerate(points):
            begin = 1 + 2 * LEVELS * k
            runs = values[begin : begin + 2 * LEVELS]
            numbers = [None if run is None else run.objectives[j] for run in runs]
            here = objectives[j]
            if any(number is None for number in numbers):
                said = next(
                    (run.message for run in runs if run is not None and run.message), "a run is missing"
                )
                of_one.append(_failed(objective.name, point.path, said))
                continue
            sides = np.array(numbers, dtype=float).reshape(LEVELS, 2)
            value, error = extrapolated((sides[:, 1] - sides[:, 0]) / (2.0 * np.array(steps[k])))
            elasticity = value * point.value / here if here else float("nan")
            effect = abs(value) * point.reach
            of_one.append(Derivative(objective.name, point.path, value, error, elasticity, effect))
        found += sorted(of_one, key=lambda d: -d.effect if d.effect == d.effect else np.inf)
    return Sensitivities(study.title, points, objectives, tuple(found), table)


def direct_sensitivities(study: Study, cancel: Cancel | None = None) -> Sensitivities:
    """The same from one run with its variational equations; raises SceneError where that cannot be."""
    from engine.studies.sensitivity.direct import NotDirect, direct_derivatives

    try:
        run, by_name = direct_derivatives(study, cancel)
    except NotDirect as error:
        raise SceneError([Problem("vary", "direct", str(error), "leave `direct` out")], study.title) from None
    points = nominals(study)
    values = [objective.of(run.t, run.expression(objective.expression)) for objective in study.objectives]
    found: list[Derivative] = []
    for objective, here in zip(study.objectives, values, strict=True):
        of_one = []
        for point in points:
            value = by_name[objective.name, point.path]
            elasticity = value * point.value / here if here else float("nan")
            effect = abs(value) * point.reach
            of_one.append(
                Derivative(objective.name, point.path, value, float("nan"), elasticity, effect, DIRECT)
            )
        found += sorted(of_one, key=lambda d: -d.effect)
    row = Row("", tuple(p.value for p in points), tuple(values), "finished", "", run.wall_time)
    objectives = [objective.name for objective in study.objectives]
    table = Table(study.title, study.columns, objectives, [row], 1, lambda: column_units(study))
    return Sensitivities(study.title, points, tuple(values), tuple(found), table)


def extrapolated(differences: Sequence[float] | Array) -> tuple[float, float]:
    """The best of the extrapolations of D(h), D(h/2), …, and its estimated error."""
    level = list(map(float, differences))
    best, error = level[-1], abs(level[-1] - level[-2]) if len(level) > 1 else float("nan")
    power = SHRINK * SHRINK
    while len(level) > 1:
        finer = [(power * b - a) / (power - 1.0) for a, b in pairwise(level)]
        changed = max(abs(finer[-1] - level[-1]), abs(finer[-1] - level[-2]))
        if changed <= error or not np.isfinite(error):
            best, error = finer[-1], changed
        level, power = finer, power * SHRINK * SHRINK
    return best, error


def _steps(point: Nominal) -> list[float]:
    """From the largest to the smallest; numbers that the machine can represent exactly."""
    reach = point.reach or abs(point.value) or 1.0
    largest = STEP * reach
    exact = [(point.value + largest / SHRINK**i) - point.value for i in range(LEVELS)]
    return [step if step else largest for step in exact]


def _failed(objective: str, variable: str, message: str) -> Derivative:
    nan = float("nan")
    return Derivative(objective, variable, nan, nan, nan, nan, message)
