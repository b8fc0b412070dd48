"""Rosenbrock's method RODAS3: linearly implicit, order 3 with an estimate of order 2, controlled steps.

    (I/(γh) − J) u_i = f(t + α_i h, y + Σ a_ij u_j) + Σ (c_ij/h) u_j + γ_i h ∂f/∂t,    J = ∂f/∂y
    y⁺ = y + Σ m_i u_i,    error ≈ u_4                                                       [Sandu 1997]

One matrix (`rosenbrock_stages.py`), no iteration. L-stable; the last two stages are at the end of the step.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.dispatch import call_rate, call_stage_factor, call_stage_solve
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import Complex, of_first_order
from engine.maths.arrays import copy
from engine.solvers.integrators import rosenbrock_stages
from engine.solvers.integrators.base import OK, SchemeKind, StageMatrices
from engine.solvers.integrators.rosenbrock_stages import H_KEPT, MORE_ROWS
from engine.solvers.integrators.stage_rows import GAP
from engine.solvers.integrators.step_sizes import (
    ATOL,
    OPTIONS,
    RTOL,
    over_tolerance,
    proposed_size,
    smallest_size,
)
from engine.solvers.integrators.trial_steps import accept, close_trial, reason, shorter

STAGES, POWER = 4, 3.0
GAMMA = 0.5
ALPHA = np.array([0.0, 0.0, 1.0, 1.0])
GAMMAS = np.array([0.5, 1.5, 0.0, 0.0])
A = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 0.0, 1.0]])
C = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, -8.0 / 3.0]])
M = np.array([2.0, 0.0, 1.0, 1.0])
# rows of Work.stages; row 0 is the present rate
U = 1
OLD, STAGE, RATE, TIME = (U + STAGES + k for k in range(4))
FIRST = TIME + 1  # of those of the matrix
FIRST_STEP = 1e-3  # of the sampling interval: a careful first step
TIME_SHIFT = 1e-4  # of the proposed step: distance of the difference over time


@kernel
def _derivatives(packed: Packed, t: float, shift: float, y: Array) -> int:
    """∂f/∂t, in the row TIME; those over y are worked out with the matrix."""
    work, n = open_work(packed), y.shape[0]
    stages = work.stages
    work.history[H_KEPT] = 0.0
    status = call_rate(packed, t + shift, y, stages[TIME])
    for i in range(n):
        stages[TIME, i] = (stages[TIME, i] - stages[0, i]) / shift
    return int(status)


@kernel
def _stages(packed: Packed, t: float, h: float, old: Array) -> int:
    """The u of all stages."""
    work, n = open_work(packed), old.shape[0]
    stages, weight = work.stages, GAMMA * h
    status = call_stage_factor(packed, t, weight, old, FIRST)
    work.counters[COUNT.FACTORISATIONS] += 1
    if status != OK:
        return int(status)
    stage, rate = stages[STAGE], stages[RATE]
    copy(stages[0], rate)
    for k in range(STAGES):
        if ALPHA[k] > 0.0:
            for i in range(n):
                total = 0.0
                for j in range(k):
                    total += A[k, j] * stages[U + j, i]
                stage[i] = old[i] + total
            status = call_rate(packed, t + ALPHA[k] * h, stage, rate)
            if status != OK:
                return int(status)
        right = stages[FIRST + GAP]
        for i in range(n):
            total = 0.0
            for j in range(k):
                total += C[k, j] * stages[U + j, i]
            right[i] = weight * (rate[i] + total / h + GAMMAS[k] * h * stages[TIME, i])
        call_stage_solve(packed, weight, old, FIRST)
        copy(right, stages[U + k])
    return OK


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, n, t = open_work(packed), y.shape[0], clock[CLOCK.NOW]
    stages, old = work.stages, work.stages[OLD]
    rtol, atol = work.options[RTOL], work.options[ATOL]
    proposed, smallest = proposed_size(clock, FIRST_STEP), smallest_size(clock)
    shift = max(TIME_SHIFT * min(proposed, h), 1024.0 * np.spacing(abs(t)))
    status = _derivatives(packed, t, shift, y)
    if status != OK:
        return status
    copy(y, old)
    while True:
        size = min(proposed, h)
        failed = _stages(packed, t, size, old) != OK
        error = np.inf if failed else 0.0
        if not failed:
            for i in range(n):
                total = 0.0
                for k in range(STAGES):
                    total += M[k] * stages[U + k, i]
                y[i] = old[i] + total
                e = over_tolerance(stages[U + STAGES - 1, i], old[i], y[i], rtol, atol)
                if not e <= error:  # keeps a NaN, too
                    error = e
        status = close_trial(packed, t + size, error, y)
        if status == OK:
            return accept(packed, clock, size, proposed, error, POWER, y)
        copy(old, y)
        if size <= smallest:
            return reason(status, error)
        proposed = shorter(work, size, smallest, status, error, POWER)


def _polynomial(z: Complex) -> tuple[float, Complex]:
    u: list[Complex] = []
    for k in range(STAGES):
        known = 1.0 + sum((A[k, j] * u[j] for j in range(k)), np.zeros_like(z))
        shared = sum((C[k, j] * u[j] for j in range(k)), np.zeros_like(z))
        u.append(GAMMA * (z * known + shared) / (1.0 - GAMMA * z))
    return 1.0, -(1.0 + sum((M[k] * u[k] for k in range(STAGES)), np.zeros_like(z)))


KIND = SchemeKind(
    name="rodas3",
    title="Rosenbrock, RODAS3",
    summary="Order 3, linearly implicit without iteration, adaptive step: for stiff forces and few digits.",
    order=3,
    stages=FIRST + MORE_ROWS,
    step=step,
    adaptive=True,
    implicit=True,
    stage_by_stage=True,
    matrices=StageMatrices(
        full=(rosenbrock_stages.full_factor, rosenbrock_stages.full_solve),
        sparse=(rosenbrock_stages.sparse_factor, rosenbrock_stages.sparse_solve),
    ),
    newton_blocks=2,  # the derivatives, and the matrix that is factored
    options=OPTIONS,
    growth=of_first_order(_polynomial),
)
