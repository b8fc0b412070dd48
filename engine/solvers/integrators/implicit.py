"""What implicit schemes share: Newton for  y = c + g f(t, y)  with any formulation's rate.

The matrix I − g ∂f/∂y comes from differences of the rate and is kept, over steps too, as long as the
iteration contracts with it.
"""

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, StepStatus
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK
from engine.solvers.integrators.rate_jacobian import rate_jacobian
from engine.solvers.linsolve.lu import lu_factor, lu_solve
from engine.solvers.linsolve.trust_region import MAX_RESTRICTED, largest_turn_of_coordinates, trusted_share

NOT_CONVERGED = int(StepStatus.NOT_CONVERGED)
H_WEIGHT = 2  # Work.history: g of the matrix that is factored; 0: none
NEWTON_TOLERANCE = 1e-13  # of a number (or of 1): correction at which the iteration ends
ROUNDING = 1e-9  # of the same: correction that is accepted when it shrinks no more
CONTRACTION_LIMIT = 0.2  # a correction that leaves more than this share calls for a new matrix
MAX_ITERATIONS = 40
WEIGHT_TOLERANCE = 1e-9  # of g: the same matrix serves
SLOPE, SHIFTED, GAP = 0, 1, 2  # rows of Work.stages that `solve_stage` uses, from `first` on
ROWS = 3


@kernel
def _new_matrix(packed: Packed, t: float, weight: float, y: Array, first: int) -> int:
    """I − g ∂f/∂y at y, factored; the rate at y is in the row SLOPE."""
    work = open_work(packed)
    n, slope, shifted, matrix = (
        y.shape[0],
        work.stages[first + SLOPE],
        work.stages[first + SHIFTED],
        work.newton,
    )
    work.history[H_WEIGHT] = 0.0
    status = rate_jacobian(packed, t, y, slope, shifted, matrix)
    if status != OK:
        return int(status)
    for i in range(n):
        for j in range(n):
            matrix[i, j] = (1.0 if i == j else 0.0) - weight * matrix[i, j]
    status = lu_factor(matrix, work.newton_pivots, n)
    work.counters[COUNT.FACTORISATIONS] += 1
    if status == OK:
        work.history[H_WEIGHT] = weight
    return int(status)


@kernel
def iterate(
    packed: Packed, t: float, weight: float, constant: Array, restricted: bool, y: Array, first: int
) -> int:
    """From the guess in y; restricted iterations have a matrix each (`linsolve/trust_region.py`)."""
    system, work = open_system(packed), open_work(packed)
    n, nq, slope, gap = (
        y.shape[0],
        system.sizes[SIZE.NQ],
        work.stages[first + SLOPE],
        work.stages[first + GAP],
    )
    fresh = False
    before, share, taken, reach = np.inf, 1.0, np.inf, np.inf
    for _ in range(MAX_RESTRICTED if restricted else MAX_ITERATIONS):
        status = call_rate(packed, t, y, slope)
        if status != OK:
            return int(status)
        if restricted or not abs(work.history[H_WEIGHT] - weight) <= WEIGHT_TOLERANCE * weight:
            status = _new_matrix(packed, t, weight, y, first)
            if status != OK:
                return int(status)
            fresh = True
            if not restricted:
                before = np.inf
        for i in range(n):
            gap[i] = constant[i] + weight * slope[i] - y[i]
        lu_solve(work.newton, work.newton_pivots, n, gap)
        size = 0.0
        for i in range(n):
            change = abs(gap[i]) / max(1.0, abs(y[i]))
            if not change <= size:  # keeps a NaN, too
                size = change
        if restricted:
            turn = largest_turn_of_coordinates(system.bodies, gap[:nq])
            share, reach = trusted_share(size, before, turn, taken, reach)
            taken = share * size
        for i in range(n):
            y[i] += share * gap[i]
        work.counters[COUNT.ITERATIONS] += 1
        if size <= NEWTON_TOLERANCE:
            return OK
        if not size <= CONTRACTION_LIMIT * before:
            if size <= ROUNDING:
                return OK
            if not np.isfinite(size) or (fresh and size > before and not restricted):
                return NOT_CONVERGED
            work.history[H_WEIGHT] = 0.0  # a new matrix, next time round
        before = size
    return NOT_CONVERGED


@kernel
def solve_stage(
    packed: Packed, t: float, weight: float, constant: Array, old: Array, y: Array, first: int
) -> int:
    """y with y = c + g f(t, y), from the guess in y; f(t, y) of the last iterate is in the row SLOPE.

    Where that fails, once more from the state `old` where the step began, with restricted corrections.
    """
    status = iterate(packed, t, weight, constant, False, y, first)
    if status != OK:
        copy(old, y)
        status = iterate(packed, t, weight, constant, True, y, first)
    if status != OK:
        open_work(packed).history[H_WEIGHT] = 0.0  # of an iterate that led nowhere
    return int(status)
