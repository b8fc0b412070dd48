"""The implicit trapezoidal rule on any formulation:  y⁺ = y + h (f(t, y) + f(t + h, y⁺))/2.

Newton with one matrix per step, I − h/2 ∂f/∂y, by differences of the rate.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, StepStatus
from engine.maths.arrays import copy
from engine.solvers.integrators.base import SchemeKind, finish
from engine.solvers.linsolve.lu import lu_factor, lu_solve

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
TOLERANCE, MAX_ITERATIONS, SHIFT = 1e-12, 20, 1e-7


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work = open_work(packed)
    n, t, matrix, pivots = y.shape[0], clock[CLOCK.NOW] + h, work.newton, work.newton_pivots
    before, slope, stage, other, gap = (
        work.stages[0],
        work.stages[1],
        work.stages[2],
        work.stages[3],
        work.stages[4],
    )
    for i in range(n):
        stage[i] = y[i] + h * before[i]
    status = call_rate(packed, t, stage, slope)
    for j in range(n):
        kept, shift = stage[j], SHIFT * max(1.0, abs(stage[j]))
        stage[j] = kept + shift
        status = max(status, call_rate(packed, t, stage, other))
        stage[j] = kept
        for i in range(n):
            matrix[i, j] = (1.0 if i == j else 0.0) - 0.5 * h * (other[i] - slope[i]) / shift
    status = max(status, lu_factor(matrix, pivots, n))
    if status != OK:
        return int(status)
    size = np.inf
    for _ in range(MAX_ITERATIONS):
        for i in range(n):
            gap[i] = y[i] + 0.5 * h * (before[i] + slope[i]) - stage[i]
        lu_solve(matrix, pivots, n, gap)
        size = 0.0
        for i in range(n):
            stage[i] += gap[i]
            size = max(size, abs(gap[i]))
        work.counters[COUNT.ITERATIONS] += 1
        status = call_rate(packed, t, stage, slope)
        if status != OK or size < TOLERANCE:
            break
    if status != OK or not size < TOLERANCE:
        return int(max(status, NOT_CONVERGED))
    copy(stage, y)
    clock[CLOCK.USED] = h
    return finish(packed, t, y)


KIND = SchemeKind(
    name="prototype_trapezoidal",
    title="Trapezoidal rule",
    summary="Order 2, implicit.",
    order=2,
    stages=5,
    step=step,
    implicit=True,
)
