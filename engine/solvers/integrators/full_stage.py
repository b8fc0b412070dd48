"""The matrix of a stage in full:  (I − g ∂f/∂y) δ = r, with ∂f/∂y by differences of the rate."""

from engine.compiled.arenas import open_work
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.solvers.integrators.base import OK
from engine.solvers.integrators.rate_jacobian import rate_jacobian
from engine.solvers.integrators.stage_rows import GAP, SHIFTED, SLOPE
from engine.solvers.linsolve.lu import lu_factor, lu_solve


@kernel
def factor(packed: Packed, t: float, weight: float, y: Array, first: int) -> int:
    """I − g ∂f/∂y at y, factored; the rate at y is in the row SLOPE."""
    work = open_work(packed)
    n, slope, shifted, matrix = (
        y.shape[0],
        work.stages[first + SLOPE],
        work.stages[first + SHIFTED],
        work.newton,
    )
    status = rate_jacobian(packed, t, y, slope, shifted, matrix)
    if status != OK:
        return int(status)
    for i in range(n):
        for j in range(n):
            matrix[i, j] = (1.0 if i == j else 0.0) - weight * matrix[i, j]
    return int(lu_factor(matrix, work.newton_pivots, n))


@kernel
def solve(packed: Packed, weight: float, y: Array, first: int) -> None:
    """r becomes δ, in the row GAP."""
    work = open_work(packed)
    lu_solve(work.newton, work.newton_pivots, y.shape[0], work.stages[first + GAP])
