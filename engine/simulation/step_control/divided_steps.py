"""A step whose equations could not be solved, taken in parts: the last resort of implicit methods.

Their iteration has been tried from the prediction and, restricted, from the old state. What is left is a
shorter step: half of the way to the point of the grid, a quarter of it, … . After the part the rest is tried
as a whole. Methods with a past begin anew, as they do at every jump. Next to a singular configuration
nothing is divided: there it is the pose, not the step, that the equations fail at, and methods answer for
what they do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import StepStatus
from engine.simulation.stepping.advance import LANDED
from engine.simulation.stepping.method_driver import Driver

UNSOLVED = (StepStatus.NOT_SOLVED, StepStatus.NOT_CONVERGED)
MAX_HALVINGS = 10


@dataclass
class Parts:
    """The parts of a run so far."""

    count: int = 0  # steps of the grid, or rests of them, that were divided
    first: float = 0.0  # beginning of the first [s]
    smallest: float = 0.0  # size of the smallest part [s]

    def take(self, driver: Driver, status: StepStatus, end: float) -> StepStatus:
        """After a step from the present state has failed with this status: a part of it, if one succeeds."""
        if status not in UNSOLVED or not driver.divides:
            return status
        whole, scratch = _way_to_grid(driver, end), np.zeros((1, driver.width))
        for k in range(1, MAX_HALVINGS + 1):
            if driver.refresh() is not StepStatus.OK:
                return status
            t, part, near = driver.t, whole / 2.0**k, int(driver.work.counters[COUNT.NEAR_SINGULAR])
            found, _ = driver.advance(t + part, scratch)
            if not found.failed:
                self.first = t if self.count == 0 else self.first
                self.smallest = part if self.count == 0 else min(part, self.smallest)
                self.count += 1
                return StepStatus.OK
            if int(driver.work.counters[COUNT.NEAR_SINGULAR]) > near:
                break
        return status

    @property
    def warning(self) -> str:
        """What the user should know of it, or nothing."""
        if self.count == 0:
            return ""
        steps = "a step was" if self.count == 1 else f"{self.count} steps were"
        return (
            f"{steps} taken in parts, the first at t = {self.first:.6g} s, the smallest part of "
            f"{self.smallest:.3g} s, because the equations of the whole step could not be solved: forces "
            "change too much in a step there; take a smaller one."
        )


def _way_to_grid(driver: Driver, end: float) -> float:
    """From the present instant to where a step would end [s]."""
    clock = driver.clock
    step, grid = clock[CLOCK.STEP], clock[CLOCK.ORIGIN] + (clock[CLOCK.INDEX] + 1.0) * clock[CLOCK.STEP]
    if grid - clock[CLOCK.NOW] <= LANDED * step:
        grid += step
    return float(min(grid, end) - clock[CLOCK.NOW])
