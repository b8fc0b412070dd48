"""Gauss methods of two and three stages, orders 4 and 6: collocation at the zeros of Legendre's polynomials.

    Z_i = h Σ a_ij f(t + c_j h, y + Z_j),    y⁺ = y + Σ d_i Z_i,    d = bᵀ A⁻¹          [Hairer 1996, §IV.8]

All stages are solved together: Newton with the matrix I − h A ⊗ ∂f/∂y, from differences of the rate at the
start of the step, kept, over steps too, as long as the iteration contracts with it. Symmetric, and symplectic
on canonical equations: the energy of a free motion does not drift.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, StepStatus
from engine.maths.amplification import Complex, of_first_order
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.implicit import (
    CONTRACTION_LIMIT,
    MAX_ITERATIONS,
    NEWTON_TOLERANCE,
    ROUNDING,
    WEIGHT_TOLERANCE,
)
from engine.solvers.integrators.rate_jacobian import rate_jacobian
from engine.solvers.linsolve.lu import lu_factor, lu_solve

NOT_CONVERGED = int(StepStatus.NOT_CONVERGED)
TABLE = SLOT.SCHEME
MAX_STAGES = 3
H_STEP = 0  # Work.history: step of the matrix that is factored; 0: none
R3, R15 = np.sqrt(3.0), np.sqrt(15.0)
TABLES = (
    ((1 / 4, 1 / 4 - R3 / 6), (1 / 4 + R3 / 6, 1 / 4)),
    (
        (5 / 36, 2 / 9 - R15 / 15, 5 / 36 - R15 / 30),
        (5 / 36 + R15 / 24, 2 / 9, 5 / 36 - R15 / 24),
        (5 / 36 + R15 / 30, 2 / 9 + R15 / 15, 5 / 36),
    ),
)
WEIGHTS = ((1 / 2, 1 / 2), (5 / 18, 4 / 9, 5 / 18))


def _padded() -> tuple[Array, Array, Array]:
    a, c, d = np.zeros((2, MAX_STAGES, MAX_STAGES)), np.zeros((2, MAX_STAGES)), np.zeros((2, MAX_STAGES))
    for place, (rows, weights) in enumerate(zip(TABLES, WEIGHTS, strict=True)):
        matrix, s = np.array(rows), len(rows)
        a[place, :s, :s], c[place, :s] = matrix, matrix.sum(axis=1)
        d[place, :s] = np.linalg.solve(matrix.T, np.array(weights))
    return a, c, d


A, C, D = _padded()
STAGES = np.array([len(rows) for rows in TABLES])
# rows of Work.stages: Z and f of each stage; corrections of all stages one after the other; scratch
Z, RATE, GAP = 1, 1 + MAX_STAGES, 1 + 2 * MAX_STAGES
STAGE = GAP + MAX_STAGES
SCRATCH = STAGE + 1


@kernel
def _new_matrix(packed: Packed, t: float, h: float, y: Array, table: int) -> int:
    """I − h A ⊗ ∂f/∂y at the start of the step, factored; the derivatives are first in its last block."""
    work = open_work(packed)
    n, s, matrix = y.shape[0], STAGES[table], work.newton
    work.history[H_STEP] = 0.0
    last = (s - 1) * n
    jacobian = matrix[last : last + n, last : last + n]
    status = rate_jacobian(packed, t, y, work.stages[0], work.stages[STAGE], jacobian)
    if status != OK:
        return int(status)
    for p in range(s):
        for q in range(s):
            if p * s + q < s * s - 1:  # the block that is read comes last
                factor = h * A[table, p, q]
                for i in range(n):
                    for j in range(n):
                        matrix[p * n + i, q * n + j] = -factor * jacobian[i, j]
    for i in range(n):
        for j in range(n):
            jacobian[i, j] *= -h * A[table, s - 1, s - 1]
    for i in range(s * n):
        matrix[i, i] += 1.0
    status = lu_factor(matrix, work.newton_pivots, s * n)
    work.counters[COUNT.FACTORISATIONS] += 1
    if status == OK:
        work.history[H_STEP] = h
    return int(status)


@kernel
def _iterate(packed: Packed, t: float, h: float, y: Array, table: int) -> int:
    """The Z of all stages, from what stands there."""
    work = open_work(packed)
    n, s, stages = y.shape[0], STAGES[table], work.stages
    gap, stage = stages[GAP : GAP + MAX_STAGES].reshape(MAX_STAGES * n), stages[STAGE]
    fresh, before = False, np.inf
    for _ in range(MAX_ITERATIONS):
        if not abs(work.history[H_STEP] - h) <= WEIGHT_TOLERANCE * h:
            status = _new_matrix(packed, t, h, y, table)
            if status != OK:
                return int(status)
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
        lu_solve(work.newton, work.newton_pivots, s * n, gap)
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
            if size <= ROUNDING:
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
        stages=SCRATCH,
        step=step,
        implicit=True,
        newton_blocks=stages,
        constants=((TABLE, float(place)),),
        growth=of_first_order(polynomial),
    )


GAUSS2 = _kind(
    2, "Order 4, implicit and symmetric, stable at any step, without damping. For long free motions."
)
GAUSS3 = _kind(3, "Order 6, implicit and symmetric, stable at any step, without damping. For many digits.")
