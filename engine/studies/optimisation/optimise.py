"""Optimisation of a study: check the goal, search over the executor, and the best values as an edit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.errors import Problem, SceneEdit, SceneError
from engine.html_table import html_table
from engine.model.scene import Scene
from engine.model.set_value import apply_edits
from engine.progress import Cancel, Cancelled
from engine.studies.optimisation.goal import problems_of_goal
from engine.studies.optimisation.searches import SEARCHES
from engine.studies.optimisation.trials import EnoughRuns, Trial, Trials, Watch
from engine.studies.running.place import Given, Place
from engine.studies.running.process_pool import process_pool
from engine.studies.running.sweep import processors
from engine.studies.sensitivity.nominal import nominals

if TYPE_CHECKING:
    from engine.studies.study import Study

BUDGET = 500  # runs


@dataclass(frozen=True)
class Optimum:
    """What a search found. Without a best trial nothing that was tried is allowed."""

    study: Study
    search: str
    best: Trial | None
    first: Trial  # the values of the scene
    tried: tuple[Trial, ...]
    costs: tuple[float, ...]  # the best one after each trial that was allowed
    end: str  # why it ended

    @property
    def edits(self) -> tuple[SceneEdit, ...]:
        """The best values as changes of the scene; nothing where nothing better was found."""
        if self.best is None or self.best.values == self.first.values:
            return ()
        return tuple(
            SceneEdit(path, value) for path, value in zip(self.study.columns, self.best.values, strict=True)
        )

    @property
    def scene(self) -> Scene:
        """The scene with the best values."""
        return apply_edits(self.study.scene, self.edits)

    HEADINGS = ("", "scene", "best")

    def lines(self) -> list[tuple[Any, ...]]:
        """Values, objectives and cost, before and after."""
        best = self.best
        rows: list[tuple[Any, ...]] = []
        for k, path in enumerate(self.study.columns):
            rows.append((path, self.first.values[k], None if best is None else best.values[k]))
        for k, objective in enumerate(self.study.objectives[:SHOWN]):
            before = self.first.objectives[k] if self.first.objectives else None
            rows.append((objective.name, before, None if best is None else best.objectives[k]))
        rows.append(
            ("cost", self.first.cost if self.first.allowed else None, None if best is None else best.cost)
        )
        return rows

    def summary(self) -> str:
        if self.best is None:
            reasons = sorted({trial.message for trial in self.tried if trial.message})
            return f"{len(self.tried)} trials, none allowed: {'; '.join(reasons[:3])}"
        return f"{len(self.tried)} trials, cost {self.best.cost:.6g}; {self.end}"

    def _repr_html_(self) -> str:
        return html_table(f"{self.study.title or 'study'}: {self.summary()}", self.HEADINGS, self.lines(), "")


SHOWN = 20  # objectives in a table


def optimise(
    study: Study,
    search: str = "nelder_mead",
    *,
    budget: int = BUDGET,
    seed: int = 0,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    place: Place | None = None,
    watch: Watch | None = None,
    cancel: Cancel | None = None,
) -> Optimum:
    """Search the best values of the variables within their limits; raises SceneError, MissingExtra.

    After a cancel it is the best so far. With a store, runs that are known are not made again.
    """
    study.refuse_problems()
    known = {objective.name: objective for objective in study.objectives}
    problems = problems_of_goal(study.goal, study.limits, known)
    kind = SEARCHES[search]
    if not problems and (unfit := kind.unfit(study)):
        problems.append(Problem("search", search, unfit, "choose another search, or change the goal"))
    if problems:
        raise SceneError(problems, study.title or "study")
    bounds = nominals(study)
    with _place(place, executor, workers) as where:
        trials = Trials(study, bounds, where, store, budget, watch, cancel)
        first, end = None, ""
        try:
            (first,) = trials.trials(trials.start[None])
            end = kind.run(trials, seed)
        except EnoughRuns:
            end = "the budget is spent"
        except Cancelled:
            end = "stopped"
    if first is None:
        first = Trial(tuple(b.value for b in bounds), float("nan"), False, (), "not run")
    return Optimum(study, search, trials.best, first, tuple(trials.tried), trials.standing.costs, end)


@contextlib.contextmanager
def _place(place: Place | None, executor: Executor | None, workers: int | None) -> Iterator[Place | None]:
    """Where all trials run: one pool for all of them. None: this process."""
    count = processors() if workers is None else workers
    if place is not None:
        yield place
    elif executor is not None:
        yield Given(executor, count)
    elif count == 0:
        yield None
    else:
        with process_pool(count) as pool:
            yield pool
