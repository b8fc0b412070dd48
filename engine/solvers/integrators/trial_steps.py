"""Trials of schemes that control their steps: taken where the error allows it and the constraints close, else
tried again with a shorter step.

The error is in units of the tolerance; a trial that could not be evaluated has an infinite one. The error of
the last accepted step is remembered in `Work.history` for the controller, until a trial is rejected.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.dispatch import call_project, call_rate
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, Packed, StepStatus, Work
from engine.solvers.integrators.base import OK
from engine.solvers.integrators.step_sizes import SHRINK, SMALLEST_ERROR, change, propose, shrink

STEP_TOO_SMALL, NOT_FINITE = int(StepStatus.STEP_TOO_SMALL), int(StepStatus.NOT_FINITE)
TOO_FAR = -1  # in place of a status: the error is too large
LAST_ERROR = 0  # column of Work.history


@inlined
def close_trial(packed: Packed, t: float, error: float, y: Array) -> int:
    """Project a trial that ends at t; `TOO_FAR` where its error does not allow it."""
    status = int(call_project(packed, t, y)) if error <= 1.0 else TOO_FAR
    if status != OK:
        open_work(packed).counters[COUNT.REJECTED] += 1
    return status


@inlined
def reason(status: int, error: float) -> int:
    """Why even the smallest step was rejected."""
    if status != TOO_FAR:
        return status
    return NOT_FINITE if error == np.inf else STEP_TOO_SMALL


@inlined
def shorter(work: Work, size: float, smallest: float, status: int, error: float, power: float) -> float:
    """Size of the trial after one that was rejected."""
    work.history[LAST_ERROR] = 0.0
    return max(size * (shrink(error, power) if status == TOO_FAR else SHRINK), smallest)


@inlined
def accept(
    packed: Packed, clock: Array, size: float, proposed: float, error: float, power: float, y: Array
) -> int:
    """Tell the step that comes next, and evaluate the rate where it begins."""
    work = open_work(packed)
    propose(clock, size, proposed, change(error, work.history[LAST_ERROR], power))
    work.history[LAST_ERROR] = max(error, SMALLEST_ERROR)
    return int(call_rate(packed, clock[CLOCK.NOW] + size, y, work.stages[0]))
