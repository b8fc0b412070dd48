"""Trials: points of a search become runs of the study, runs become costs. What was tried is remembered.

    cost = Σ terms                      where all limits are kept
    cost = BAD · (1 + log(1 + Σ excess)) where they are not: worse than what is allowed, better the nearer

Values outside of their bounds are not run, nor those that break a limit on parameters; a run that failed
counts as worse than all others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.maths.expressions import parse
from engine.model.resolve import parameter_values
from engine.progress import Cancel, Cancelled
from engine.studies.designs.list_ import ListOfRuns
from engine.studies.outcomes.row import Row
from engine.studies.running.place import Place
from engine.studies.running.single_run import varied
from engine.studies.sensitivity.nominal import Nominal

if TYPE_CHECKING:
    from engine.studies.study import Study

BAD = 1e6  # added to costs of what is not allowed, times their size
FAILED = 1e3  # excess of a run that has no numbers


@dataclass(frozen=True)
class Trial:
    """One point that was tried."""

    values: tuple[float, ...]
    cost: float
    allowed: bool
    objectives: tuple[float | None, ...]
    message: str = ""


@dataclass(frozen=True)
class Standing:
    """How far a search is, for whoever watches."""

    tried: int
    budget: int
    best: Trial | None
    costs: tuple[float, ...]  # the best cost after each trial that was allowed
    seconds: float

    @property
    def words(self) -> str:
        best = "nothing allowed yet" if self.best is None else f"best {self.best.cost:.6g}"
        return f"{self.tried} of at most {self.budget} runs, {best}"


Watch = Callable[[Standing], None]


class EnoughRuns(Exception):
    """The budget of runs is spent."""


@dataclass
class Trials:
    """All trials of one search."""

    study: Study
    bounds: tuple[Nominal, ...]
    place: Place | None
    store: Any
    budget: int
    watch: Watch | None
    cancel: Cancel | None
    tried: list[Trial] = field(default_factory=list)
    best: Trial | None = None
    _costs: list[float] = field(default_factory=list)
    _known: dict[tuple[float, ...], Trial] = field(default_factory=dict)
    _runs: int = 0
    _begin: float = field(default_factory=time.monotonic)

    @property
    def start(self) -> Array:
        """The values of the scene, in shares of the bounds."""
        return np.array([(b.value - b.low) / (b.high - b.low) for b in self.bounds])

    def values(self, share: Sequence[float] | Array) -> tuple[float, ...]:
        """Values of the variables from shares between 0 and 1."""
        inside = np.clip(np.asarray(share, dtype=float), 0.0, 1.0)
        return tuple(float(b.low + u * (b.high - b.low)) for b, u in zip(self.bounds, inside, strict=True))

    def costs(self, shares: Array) -> Array:
        """Costs of points, one per line; all that is new runs at once. Raises EnoughRuns, Cancelled."""
        return np.array([trial.cost for trial in self.trials(shares)])

    def trials(self, shares: Array) -> list[Trial]:
        if self.cancel is not None and self.cancel():
            raise Cancelled
        if self._runs >= self.budget:
            raise EnoughRuns
        points = [self.values(share) for share in np.atleast_2d(shares)]
        new = list(dict.fromkeys(point for point in points if point not in self._known))
        excess = {point: self._before(point) for point in new}
        self._run([point for point in new if not excess[point]], excess)
        for point in new:
            if excess[point]:
                self._keep(Trial(point, self._bad(excess[point]), False, (), "a limit on parameters"))
        if self.watch is not None:
            self.watch(self.standing)
        return [self._known[point] for point in points]

    @property
    def standing(self) -> Standing:
        seconds = time.monotonic() - self._begin
        return Standing(self._runs, self.budget, self.best, tuple(self._costs), seconds)

    def _run(self, points: list[tuple[float, ...]], excess: dict[tuple[float, ...], float]) -> None:
        if not points:
            return
        listed = msgspec.structs.replace(self.study, design=ListOfRuns(rows=tuple(points)))
        workers = None if self.place is not None else 0
        table = listed.run(
            self.store,
            workers=workers,
            place=self.place,
            progress=lambda share, words: None,
            cancel=self.cancel,
        )
        if not table.complete:
            raise Cancelled
        self._runs += len(points)
        for row in table.rows:
            self._keep(self._judged(row))

    def _judged(self, row: Row) -> Trial:
        names = [objective.name for objective in self.study.objectives]
        numbers = dict(zip(names, row.objectives, strict=True))
        point = tuple(float(value) for value in row.values)
        wanted = [numbers[term.objective] for term in self.study.goal]
        if any(number is None for number in wanted):
            return Trial(point, self._bad(FAILED), False, row.objectives, row.message or row.status)
        over, words = 0.0, ""
        for limit in self.study.limits:
            if limit.objective:
                number = numbers[limit.objective]
                beyond = FAILED if number is None else limit.excess(number)
                words = words or (f"not {limit.words}" if beyond else "")
                over += beyond
        if over:
            return Trial(point, self._bad(over), False, row.objectives, words)
        cost = sum(term.cost(numbers[term.objective] or 0.0) for term in self.study.goal)
        return Trial(point, float(cost), True, row.objectives)

    def _before(self, point: tuple[float, ...]) -> float:
        """The excess over limits on parameters."""
        limits = [limit for limit in self.study.limits if limit.expression]
        if not limits:
            return 0.0
        try:
            scene, _ = varied(self.study, point)
            values = parameter_values(scene)
            return sum(limit.excess(float(parse(limit.expression).value(values))) for limit in limits)
        except (SceneError, ValueError, ArithmeticError):
            return FAILED

    def _bad(self, excess: float) -> float:
        return BAD * (1.0 + math.log1p(excess))

    def _keep(self, trial: Trial) -> None:
        self._known[trial.values] = trial
        self.tried.append(trial)
        if trial.allowed:
            if self.best is None or trial.cost < self.best.cost:
                self.best = trial
            self._costs.append(self.best.cost)
