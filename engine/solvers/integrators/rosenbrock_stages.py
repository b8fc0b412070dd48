"""Matrices for the stages of a Rosenbrock method:  (I − γh J) u = b,  J = ∂f/∂y at the start of the step.

The order of the method rests on J. In full it comes from differences of the rate, once per step however often
the step is tried. The sparse matrix leaves terms out (`sparse_stage.py`), so its solutions are refined with
J u from one more rate, at y + εu.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.arrays import copy
from engine.solvers.integrators import sparse_stage
from engine.solvers.integrators.base import OK
from engine.solvers.integrators.rate_jacobian import SHIFT, rate_jacobian
from engine.solvers.integrators.stage_rows import GAP, ROWS, SLOPE
from engine.solvers.linsolve.lu import lu_factor, lu_solve

H_TIME, H_KEPT = 4, 5  # Work.history: start of the step, and whether its derivatives are there
# rows of Work.stages beyond those of a stage: right-hand side and solution
B, X = ROWS, ROWS + 1
MORE_ROWS = ROWS + 2
REFINED = 1e-7  # of the solution: what its last refinement may change; differences have no more digits
MAX_REFINEMENTS = 12


@kernel
def full_factor(packed: Packed, t: float, weight: float, y: Array, first: int) -> int:
    """I − γh J, factored, with J kept in the second block of the matrix."""
    work, n = open_work(packed), y.shape[0]
    matrix = work.newton
    if work.history[H_KEPT] == 0.0:
        jacobian = matrix[n : 2 * n, n : 2 * n]
        status = rate_jacobian(packed, t, y, work.stages[0], work.stages[first + SLOPE], jacobian)
        if status != OK:
            return int(status)
        work.history[H_KEPT] = 1.0
    for i in range(n):
        for j in range(n):
            matrix[i, j] = (1.0 if i == j else 0.0) - weight * matrix[n + i, n + j]
    return int(lu_factor(matrix, work.newton_pivots, n))


@kernel
def full_solve(packed: Packed, weight: float, y: Array, first: int) -> None:
    """b becomes u, in the row GAP."""
    work = open_work(packed)
    lu_solve(work.newton, work.newton_pivots, y.shape[0], work.stages[first + GAP])


@kernel
def sparse_factor(packed: Packed, t: float, weight: float, y: Array, first: int) -> int:
    """The sparse matrix at y."""
    work = open_work(packed)
    work.history[H_TIME] = t
    status = call_rate(packed, t, y, work.stages[first + SLOPE])
    if status != OK:
        return int(status)
    return int(sparse_stage.factor(packed, t, weight, y, first))


@kernel
def sparse_solve(packed: Packed, weight: float, y: Array, first: int) -> None:
    """b becomes u, in the row GAP; where refinement does not converge, its error is part of the step's."""
    work, n = open_work(packed), y.shape[0]
    stages, t = work.stages, work.history[H_TIME]
    gap, b, x, slope = stages[first + GAP], stages[first + B], stages[first + X], stages[first + SLOPE]
    copy(gap, b)
    sparse_stage.solve(packed, weight, y, first)
    copy(gap, x)
    before = np.inf
    for _ in range(MAX_REFINEMENTS):
        size = 0.0
        for i in range(n):
            size = max(size, abs(x[i]) / max(1.0, abs(y[i])))
        if not (0.0 < size < np.inf):
            break
        shift = SHIFT / size
        for i in range(n):
            gap[i] = y[i] + shift * x[i]
        if call_rate(packed, t, gap, slope) != OK:
            break
        for i in range(n):
            gap[i] = b[i] - x[i] + weight * (slope[i] - stages[0, i]) / shift
        sparse_stage.solve(packed, weight, y, first)
        change = 0.0
        for i in range(n):
            change = max(change, abs(gap[i]) / max(1.0, abs(y[i])))
        if not change < before:
            break
        for i in range(n):
            x[i] += gap[i]
        if change <= REFINED * size:
            break
        before = change
    copy(x, gap)
