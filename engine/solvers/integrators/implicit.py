"""What implicit schemes share: Newton for  y = c + g f(t, y)  with any formulation's rate.

What stands for the matrix I − g ∂f/∂y is called by its address: in full, by differences of the rate
(`full_stage.py`), or as a sparse saddle-point matrix (`sparse_stage.py`). It is kept, over steps too, as long
as the iteration contracts with it.
"""

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import call_rate, call_stage_factor, call_stage_solve
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, StepStatus
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK
from engine.solvers.integrators.stage_rows import GAP, SLOPE
from engine.solvers.linsolve.trust_region import MAX_RESTRICTED, largest_turn_of_coordinates, trusted_share

NOT_CONVERGED = int(StepStatus.NOT_CONVERGED)
H_WEIGHT = 2  # Work.history: g of the matrix that is factored; 0: none
NEWTON_TOLERANCE = 1e-13  # of a number (or of 1): correction at which the iteration ends
ROUNDING = 1e-9  # of the same: correction that is accepted when it shrinks no more
CONTRACTION_LIMIT = 0.2  # a correction that leaves more than this share calls for a new matrix
MAX_ITERATIONS = 40
WEIGHT_TOLERANCE = 1e-9  # of g: the same matrix serves


@kernel
def _new_matrix(packed: Packed, t: float, weight: float, y: Array, first: int) -> int:
    """Factored at y; the rate at y is in the row SLOPE."""
    work = open_work(packed)
    work.history[H_WEIGHT] = 0.0
    status = call_stage_factor(packed, t, weight, y, first)
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
        call_stage_solve(packed, weight, y, first)
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
