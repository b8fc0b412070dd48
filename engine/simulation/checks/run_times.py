"""Refuse steps, durations and periods that no run can have."""

from __future__ import annotations

import math

from engine.elements.base import Table
from engine.errors import Problem, SceneError, shorten
from engine.model.checks.context import Context
from engine.model.scene import Scene

MAX_STEPS = 1_000_000_000  # of a run
MAX_KNOTS = 1000  # of a periodic table in one step; no step of that length follows them


def check_periods(scene: Scene, dt: float) -> None:
    """Refuse a periodic table that no step of this length can follow; every corner of it is stepped to."""
    for path, part in Context(scene, {}, {}).parts:
        if not isinstance(part, Table) or part.outside != "periodic":
            continue
        period = float(part.points[-1][0]) - float(part.points[0][0])
        if len(part.points) * dt > MAX_KNOTS * period:
            text = f"the table repeats every {period:g} s, too often for steps of {dt:g} s"
            remedy = "take a smaller step, or the mean value of the table"
            raise SceneError([Problem(path, period, text, remedy)])


def check_times(dt: float, duration: float, sample_every: int) -> None:
    """Refuse steps and durations that no run can have; raises SceneError."""
    problems = []
    if not 0.0 < dt < math.inf:
        problems.append(
            Problem("simulation.dt", dt, f"the step is {dt:g} s", "give a positive number of seconds")
        )
    if not 0.0 <= duration < math.inf:
        remedy = "give a finite number of seconds, 0 for the start only"
        problems.append(Problem("simulation.duration", duration, f"the duration is {duration:g} s", remedy))
    if not 1 <= sample_every <= MAX_STEPS:
        remedy = f"give a whole number from 1 to {MAX_STEPS}"
        text = f"a sample every {shorten(sample_every)} steps"
        problems.append(Problem("simulation.sample_every", sample_every, text, remedy))
    if not problems and duration / dt >= MAX_STEPS:
        message = f"{duration:g} s in steps of {dt:g} s are more than {MAX_STEPS:.0e} steps"
        problems.append(Problem("simulation.dt", dt, message, "give a larger step or a shorter duration"))
    if problems:
        raise SceneError(problems)
