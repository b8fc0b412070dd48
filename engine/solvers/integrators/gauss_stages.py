"""Matrices for the stages of a Gauss method, which are solved together:  (I − h A ⊗ J) δ = r,  J = ∂f/∂y.

In full, with J by differences of the rate at the start of the step. Or one sparse matrix I − γh J for each
stage in turn: eigenvalues µ of A become γ, so that a correction leaves the share z (µ − γ)/(1 − γz) of the
gap, z = hλ of a motion: hardly anything of what is slow, and at most |µ − γ|/γ, which is 0.5 for two stages
and 0.7 for three.
"""

from engine.compiled.arenas import open_work
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.arrays import copy
from engine.solvers.integrators import sparse_stage
from engine.solvers.integrators.base import OK
from engine.solvers.integrators.gauss_tables import DIAGONAL, GAPS, STAGE, STAGES, A
from engine.solvers.integrators.implicit import CONTRACTION_LIMIT
from engine.solvers.integrators.rate_jacobian import rate_jacobian
from engine.solvers.integrators.stage_rows import GAP
from engine.solvers.linsolve.lu import lu_factor, lu_solve

TABLE = SLOT.SCHEME
H_STALLED = 1  # Work.history: share of a correction that the next may have, unless only rounding is left
STALLED = 0.9


@kernel
def full_factor(packed: Packed, t: float, h: float, y: Array, first: int) -> int:
    """I − h A ⊗ ∂f/∂y at the start of the step, factored; the derivatives are first in its last block."""
    work = open_work(packed)
    table = int(work.options[TABLE])
    n, s, matrix = y.shape[0], STAGES[table], work.newton
    work.history[H_STALLED] = CONTRACTION_LIMIT
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
    return int(lu_factor(matrix, work.newton_pivots, s * n))


@kernel
def full_solve(packed: Packed, h: float, y: Array, first: int) -> None:
    """The gaps of all stages become their corrections."""
    work = open_work(packed)
    n, s = y.shape[0], STAGES[int(work.options[TABLE])]
    gaps = work.stages[GAPS : GAPS + s].reshape(s * n)
    lu_solve(work.newton, work.newton_pivots, s * n, gaps)


@kernel
def sparse_factor(packed: Packed, t: float, h: float, y: Array, first: int) -> int:
    """I − γh J at the start of the step."""
    work = open_work(packed)
    work.history[H_STALLED] = STALLED
    status = call_rate(packed, t, y, work.stages[STAGE])
    if status != OK:
        return int(status)
    return int(sparse_stage.factor(packed, t, DIAGONAL[int(work.options[TABLE])] * h, y, first))


@kernel
def sparse_solve(packed: Packed, h: float, y: Array, first: int) -> None:
    """The gaps of all stages become corrections, each by itself."""
    work = open_work(packed)
    table, stages = int(work.options[TABLE]), work.stages
    for k in range(STAGES[table]):
        copy(stages[GAPS + k], stages[first + GAP])
        sparse_stage.solve(packed, DIAGONAL[table] * h, y, first)
        copy(stages[first + GAP], stages[GAPS + k])
