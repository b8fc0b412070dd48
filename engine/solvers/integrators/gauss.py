"""Gauss methods of two and three stages, orders 4 and 6: collocation at the zeros of Legendre's polynomials.

    Z_i = h Σ a_ij f(t + c_j h, y + Z_j),    y⁺ = y + Σ d_i Z_i,    d = bᵀ A⁻¹          [Hairer 1996, §IV.8]

All stages are solved together, with a matrix at the start of the step (`gauss_stages.py`) that is kept, over
steps too, as long as the iteration contracts with it. Symmetric, and symplectic on canonical equations: the
energy of a free motion does not drift.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.dispatch import call_rate, call_stage_factor, call_stage_solve
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, StepStatus
from engine.maths.amplification import Complex, of_first_order
from engine.solvers.integrators import gauss_stages
from engine.solvers.integrators.base import OK, SchemeKind, StageMatrices, finish
from engine.solvers.integrators.gauss_stages import H_STALLED, TABLE
from engine.solvers.integrators.gauss_tables import (
    GAPS,
    MAX_STAGES,
    RATE,
    SCRATCH,
    STAGE,
    STAGES,
    TABLES,
    WEIGHTS,
    A,
    C,
    D,
    Z,
)
from engine.solvers.integrators.implicit import (
    CONTRACTION_LIMIT,
    NEWTON_TOLERANCE,
    ROUNDING,
    WEIGHT_TOLERANCE,
)
from engine.solvers.integrators.stage_rows import ROWS

NOT_CONVERGED = int(StepStatus.NOT_CONVERGED)
MANY_ITERATIONS = 120  # one matrix for all stages contracts by a half in the worst case
MATRICES = StageMatrices(
    full=(gauss_stages.full_factor, gauss_stages.full_solve),
    sparse=(gauss_stages.sparse_factor, gauss_stages.sparse_solve),
)
H_STEP = 0  # Work.history: step of the matrix that is factored; 0: none


@kernel
def _iterate(packed: Packed, t: float, h: float, y: Array, table: int) -> int:
    """The Z of all stages, from what stands there."""
    work = open_work(packed)
    n, s, stages = y.shape[0], STAGES[table], work.stages
    gap, stage = stages[GAPS : GAPS + MAX_STAGES].reshape(MAX_STAGES * n), stages[STAGE]
    fresh, before = False, np.inf
    for _ in range(MANY_ITERATIONS):
        if not abs(work.history[H_STEP] - h) <= WEIGHT_TOLERANCE * h:
            work.history[H_STEP] = 0.0
            status = call_stage_factor(packed, t, h, y, SCRATCH)
            work.counters[COUNT.FACTORISATIONS] += 1
            if status != OK:
                return int(status)
            work.history[H_STEP] = h
            fresh, before = True, np.inf
        for k in range(s):
            for i in range(n):
                stage[i] = y[i] + stages[Z + k, i]
            status = call_rate(packed, t + C[table, k] * h, stage, stages[RATE + k])
            if status != OK:
                return int(status)
        for k in range(s):
            for i in range(n):
                total = 0.0
                for j in range(s):
                    total += A[table, k, j] * stages[RATE + j, i]
                gap[k * n + i] = h * total - stages[Z + k, i]
        call_stage_solve(packed, h, y, SCRATCH)
        size = 0.0
        for k in range(s):
            for i in range(n):
                change = abs(gap[k * n + i]) / max(1.0, abs(y[i]))
                if not change <= size:  # keeps a NaN, too
                    size = change
                stages[Z + k, i] += gap[k * n + i]
        work.counters[COUNT.ITERATIONS] += 1
        if size <= NEWTON_TOLERANCE:
            return OK
        if not size <= CONTRACTION_LIMIT * before:
            if size <= ROUNDING and not size <= work.history[H_STALLED] * before:
                return OK
            if not np.isfinite(size) or (fresh and size > before):
                return NOT_CONVERGED
            if not fresh:
                work.history[H_STEP] = 0.0  # a new matrix, next time round
        before = size
    return NOT_CONVERGED


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t, n = open_work(packed), clock[CLOCK.NOW], y.shape[0]
    table, stages = int(work.options[TABLE]), work.stages
    for k in range(STAGES[table]):
        for i in range(n):
            stages[Z + k, i] = C[table, k] * h * stages[0, i]
    status = _iterate(packed, t, h, y, table)
    if status != OK:
        work.history[H_STEP] = 0.0
        return int(status)
    for k in range(STAGES[table]):
        for i in range(n):
            y[i] += D[table, k] * stages[Z + k, i]
    clock[CLOCK.USED] = h
    return finish(packed, t + h, y)


def _kind(stages: int, summary: str) -> SchemeKind:
    place = stages - 2
    a, b = np.array(TABLES[place]), np.array(WEIGHTS[place])

    def polynomial(z: Complex) -> tuple[float, Complex]:
        """R(z) = 1 + z bᵀ (I − zA)⁻¹ 1."""
        matrices = np.eye(stages) - z[..., None, None] * a
        solved = np.linalg.solve(matrices, np.ones((*z.shape, stages, 1), complex))[..., 0]
        return 1.0, -(1.0 + z * (solved @ b))

    return SchemeKind(
        name=f"gauss{stages}",
        title=f"Gauss, {stages} stages",
        summary=summary,
        order=2 * stages,
        stages=SCRATCH + ROWS,
        step=step,
        implicit=True,
        stage_by_stage=True,
        matrices=MATRICES,
        newton_blocks=stages,
        constants=((TABLE, float(place)),),
        growth=of_first_order(polynomial),
    )


GAUSS2 = _kind(
    2, "Order 4, implicit and symmetric, stable at any step, without damping. For long free motions."
)
GAUSS3 = _kind(3, "Order 6, implicit and symmetric, stable at any step, without damping. For many digits.")
