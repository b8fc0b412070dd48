"""Backward differentiation of orders 1 to 6 with variable step, in backward differences.

With ∇ʲ the differences of the last states at distance h and γ_k = Σ_{j≤k} 1/j [Shampine 1997]:

    p = Σ_{j≤k} ∇ʲy,    y⁺ = p − (1/γ_k) Σ_{1≤j≤k} γ_j ∇ʲy + (h/γ_k) f(t + h, y⁺)
    error ≈ (y⁺ − p)/(k + 1)

Another step interpolates the differences at the new distance. The order goes up while the differences fall
with it, and down where they rise, as in DASSL [Brenan 1996, §5.2]. The step given is an upper limit, and the
interval up to it is divided into equal steps: the past is at equal distances then.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_project, call_rate
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, StepStatus, Work
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind
from engine.solvers.integrators.implicit import solve_stage
from engine.solvers.integrators.stage_rows import ROWS
from engine.solvers.integrators.step_sizes import (
    ATOL,
    OPTIONS,
    RTOL,
    SHRINK,
    SMALLEST_ERROR,
    over_tolerance,
    proposed_size,
    smallest_size,
)

STEP_TOO_SMALL = int(StepStatus.STEP_TOO_SMALL)
HIGHEST = SLOT.SCHEME + 2
MAX_ORDER, USUAL_ORDER = 6, 5
GAMMA = np.array([0.0, *np.cumsum(1.0 / np.arange(1, MAX_ORDER + 1))])
# Work.history; slot 2 belongs to the iteration (`implicit.py`)
H_ORDER, H_STEP, H_EQUAL = 0, 1, 3  # order; distance of the differences; steps of this size and order
HISTORY = 4
# rows of Work.stages; row 0 is the present rate
DIFFERENCE = 1  # ∇ʲy at the present state, j = 0 … MAX_ORDER + 2
SPARE = DIFFERENCE + MAX_ORDER + 3  # the same at another distance, while they are computed
PREDICTED = SPARE + MAX_ORDER + 1
CONSTANT = PREDICTED + 1
CORRECTION = CONSTANT + 1
OLD = CORRECTION + 1
SCRATCH = OLD + 1
FIRST_STEP = 1e-4  # of the sampling interval: a careful first step, since the order is one
EQUAL = 1e-9  # of a step: sizes that differ by less are one
SAFETY, GROW, KEEP = 0.9, 5.0, 1.2  # a step that could grow by less stays: its matrix and its past serve on


@inlined
def _interpolate(work: Work, order: int, factor: float) -> None:
    """Differences at `factor` times their distance: of the polynomial through the same states."""
    stages = work.stages
    n = stages.shape[1]
    for j in range(order + 1):
        for i in range(n):
            stages[SPARE + j, i] = 0.0
    # value of the polynomial s steps back: Σ_m (−1)^m C(s, m) ∇ᵐ with real s; then their differences
    for back in range(order + 1):
        s, weight = back * factor, 1.0
        for m in range(order + 1):
            if m > 0:
                weight *= -(s - m + 1.0) / m
            for i in range(n):
                stages[SPARE + back, i] += weight * stages[DIFFERENCE + m, i]
    for level in range(1, order + 1):
        for back in range(order, level - 1, -1):
            for i in range(n):
                stages[SPARE + back, i] = stages[SPARE + back - 1, i] - stages[SPARE + back, i]
    for j in range(order + 1):
        copy(stages[SPARE + j], stages[DIFFERENCE + j])


@inlined
def _size(work: Work, row: int, old: Array, new: Array) -> float:
    """Largest number of a row of the stages, over its tolerance."""
    rtol, atol, largest = work.options[RTOL], work.options[ATOL], 0.0
    for i in range(old.shape[0]):
        e = over_tolerance(work.stages[row, i], old[i], new[i], rtol, atol)
        if not e <= largest:  # keeps a NaN, too
            largest = e
    return largest


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t, n = open_work(packed), clock[CLOCK.NOW], y.shape[0]
    stages, history = work.stages, work.history
    predicted, constant, old = stages[PREDICTED], stages[CONSTANT], stages[OLD]
    highest = min(max(int(work.options[HIGHEST]), 1), MAX_ORDER)
    proposed, smallest = proposed_size(clock, FIRST_STEP), smallest_size(clock)
    k, distance, equal = int(history[H_ORDER]), history[H_STEP], int(history[H_EQUAL])
    copy(y, old)
    size = h / np.ceil(h / min(proposed, h) - EQUAL)
    if k == 0 or not distance > 0.0:
        k, distance, equal = 1, size, 0
        copy(y, stages[DIFFERENCE])
        for i in range(n):
            stages[DIFFERENCE + 1, i] = size * stages[0, i]
        for j in range(2, MAX_ORDER + 3):
            for i in range(n):
                stages[DIFFERENCE + j, i] = 0.0
    history[H_ORDER] = 0.0  # no past, until the step is accepted
    while True:
        if not abs(size - distance) <= EQUAL * distance:
            _interpolate(work, k, size / distance)
            distance, equal = size, 0
        for i in range(n):
            total, weighted = 0.0, 0.0
            for j in range(k + 1):
                total += stages[DIFFERENCE + j, i]
                weighted += GAMMA[j] * stages[DIFFERENCE + j, i]
            predicted[i] = total
            constant[i] = total - weighted / GAMMA[k]
            y[i] = total
        error = np.inf
        status = solve_stage(packed, t + size, size / GAMMA[k], constant, old, y, SCRATCH)
        if status == OK:
            for i in range(n):
                stages[CORRECTION, i] = y[i] - predicted[i]
            error = _size(work, CORRECTION, old, y) / (k + 1.0)
            if error <= 1.0:
                status = call_project(packed, t + size, y)
                if status == OK:
                    break
        work.counters[COUNT.REJECTED] += 1
        copy(old, y)
        if size <= smallest:
            return int(status) if status != OK else STEP_TOO_SMALL
        tame = status == OK and error < np.inf
        size = max(size * (max(SHRINK, SAFETY * error ** (-1.0 / (k + 1.0))) if tame else SHRINK), smallest)
    # differences at the new state, which is the projected one
    for i in range(n):
        correction = y[i] - predicted[i]
        stages[DIFFERENCE + k + 2, i] = correction - stages[DIFFERENCE + k + 1, i]
        stages[DIFFERENCE + k + 1, i] = correction
        for j in range(k, -1, -1):
            stages[DIFFERENCE + j, i] += stages[DIFFERENCE + j + 1, i]
    equal += 1
    factor = 1.0
    if equal > k:
        # the differences say which order is best: where they fall no more, the next one does not help
        here = (k + 1.0) * error
        lower = _size(work, DIFFERENCE + k, old, y)
        higher = _size(work, DIFFERENCE + k + 2, old, y)
        if k > 1 and lower <= min(here, higher):
            k, equal, error = k - 1, 0, lower / k
        elif k < highest and higher < (here if k > 1 else 0.5 * here):
            k, equal, error = k + 1, 0, higher / (k + 2.0)
        factor = SAFETY * max(error, SMALLEST_ERROR) ** (-1.0 / (k + 1.0))
        factor = min(factor, GROW) if factor >= KEEP or factor < 1.0 else 1.0
    if work.counters[COUNT.REBASED]:
        k, work.counters[COUNT.REBASED] = 0, 0
    history[H_ORDER], history[H_STEP], history[H_EQUAL] = k, distance, equal
    clock[CLOCK.NEXT] = max(size * factor, smallest) if size >= 0.5 * proposed or factor < 1.0 else proposed
    clock[CLOCK.USED] = size
    return int(call_rate(packed, t + size, y, stages[0]))


KIND = SchemeKind(
    name="bdf",
    title="BDF, variable step and order",
    summary="Orders 1 to 6, implicit, adaptive step: for stiff forces over long times.",
    order=USUAL_ORDER,
    stages=SCRATCH + ROWS,
    step=step,
    adaptive=True,
    implicit=True,
    stage_by_stage=True,
    history=HISTORY,
    options=(
        *OPTIONS,
        Option("order", HIGHEST, float(USUAL_ORDER), "Highest order", minimum=1.0, maximum=float(MAX_ORDER)),
    ),
)
