"""Partition of the velocities into dependent and independent ones, and all that follows from it.

With the columns of J sorted into dependent and independent, J = [D F], and as many independent rows as
dependent columns chosen, D is square. One factor of it gives

    R = [−D⁻¹F; 1]                the motions that the constraints allow, one per independent velocity
    v = R ż + [D⁻¹ν; 0]           all velocities from the independent ones
    δ = [−D⁻¹Φ; 0]                the correction of a position that leaves the independent part alone
    a = R z̈ + [D⁻¹γ; 0],   RᵀMR z̈ = Rᵀ(Q − M[D⁻¹γ; 0]),   Dᵀλ = (M a − Q) of the dependent part

[Wehage 1982], [Antón 2015, §3.5.5–3.5.6]. Rows that only velocities have (rolling) stand in D with Φ = 0.
"""

from typing import Final

from engine.calls import call_constraints
from engine.kernel import inlined, kernel
from engine.linsolve.base import apply_mass
from engine.linsolve.lu import lu_factor, lu_solve, lu_solve_transposed
from engine.linsolve.rows import dense_rows
from engine.packing import open_system, open_work
from engine.problems import (
    C_ELIMINATIONS,
    C_GUILTY,
    C_ITERATIONS,
    C_PRODUCTS,
    RR_SCALE,
    RV_GAMMA,
    RV_LAMBDA,
    RV_PHI,
    RV_RATE,
    S_NV,
    S_RANK,
    V_A,
    V_Q,
    Array,
    Ints,
    Packed,
    StepStatus,
    System,
    Work,
)
from engine.system.kinematics import normalise, retract

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
# Work.dense and Work.pivots
ROWS_OF_J, BLOCK, MOTIONS, REDUCED = range(4)
COLUMNS, CHOSEN, BLOCK_PIVOTS, REDUCED_PIVOTS = range(4)  # dependent columns first; independent rows first
MATRICES: Final = 4
# Work.scratch
RIGHT, FORCE, QUALITY, FIRST_FREE = range(4)
CLOSED = 1e-13  # violation, over the size of the row, that is left
ROUNDING = 1e-10  # the same, accepted when it shrinks no more
SLOW = 0.1  # a correction that leaves more than this share calls for a fresh factor
MOST = 20
WORN = 0.1  # of its best value since the partition was chosen: a smaller pivot of D calls for another one


@kernel
def choose(matrix: Array, m: int, n: int, rank: int, chosen: Ints, columns: Ints) -> None:
    """Gauss with full pivoting: rows and columns of the pivots come first. Destroys the matrix."""
    for i in range(m):
        chosen[i] = i
    for c in range(n):
        columns[c] = c
    for k in range(rank):
        row, column, size = k, k, -1.0
        for i in range(k, m):
            for c in range(k, n):
                if abs(matrix[i, c]) > size:
                    row, column, size = i, c, abs(matrix[i, c])
        chosen[k], chosen[row] = chosen[row], chosen[k]
        columns[k], columns[column] = columns[column], columns[k]
        for c in range(n):
            matrix[k, c], matrix[row, c] = matrix[row, c], matrix[k, c]
        for i in range(m):
            matrix[i, k], matrix[i, column] = matrix[i, column], matrix[i, k]
        if size > 0.0:
            for i in range(k + 1, m):
                factor = matrix[i, k] / matrix[k, k]
                for c in range(k + 1, n):
                    matrix[i, c] -= factor * matrix[k, c]


@kernel
def factor_block(system: System, work: Work) -> int:
    """D of the present gradients, factored."""
    n, rank = system.sizes[S_NV], system.sizes[S_RANK]
    rows, block, columns, chosen = (
        work.dense[ROWS_OF_J],
        work.dense[BLOCK],
        work.pivots[COLUMNS],
        work.pivots[CHOSEN],
    )
    dense_rows(system, work.grad, n, rows)
    for i in range(rank):
        for k in range(rank):
            block[i, k] = rows[chosen[i], columns[k]]
    work.counters[C_ELIMINATIONS] += 1
    work.counters[C_PRODUCTS] += rank * rank * rank // 3
    return int(lu_factor(block, work.pivots[BLOCK_PIVOTS], rank))


@kernel
def smallest_pivot(system: System, work: Work) -> float:
    """Of D: how well the independent velocities fix the others."""
    smallest, largest, block = 1.0, 0.0, work.dense[BLOCK]
    for k in range(system.sizes[S_RANK]):
        size = abs(block[k, k])
        smallest, largest = (size if k == 0 else min(smallest, size)), max(largest, size)
    return smallest / largest if largest > 0.0 else 1.0


@kernel
def partition(system: System, work: Work) -> int:
    """Choose the independent velocities anew, at the present gradients, and factor."""
    n, rank = system.sizes[S_NV], system.sizes[S_RANK]
    dense_rows(system, work.grad, n, work.dense[ROWS_OF_J])
    choose(work.dense[ROWS_OF_J], system.rows.shape[0], n, rank, work.pivots[CHOSEN], work.pivots[COLUMNS])
    status = factor_block(system, work)
    work.scratch[QUALITY, 0] = smallest_pivot(system, work)
    return status


@inlined
def is_worn(system: System, work: Work) -> bool:
    """Whether the partition has become bad; D must be that of the present pose. Remembers the best."""
    now = smallest_pivot(system, work)
    worn = bool(now < WORN * work.scratch[QUALITY, 0])
    work.scratch[QUALITY, 0] = max(work.scratch[QUALITY, 0], now)
    return worn


@inlined
def largest(system: System, work: Work, column: int) -> float:
    """Largest entry of a column of the rows over its scale; remembers the row."""
    worst = 0.0
    for r in range(system.rows.shape[0]):
        value = abs(work.row[r, column]) / system.row_reals[r, RR_SCALE]
        if not value <= worst:
            worst = value
            work.counters[C_GUILTY] = r
    return worst


@inlined
def _solve_rows(system: System, work: Work, column: int, sign: float) -> None:
    """RIGHT = D⁻¹ times a column of the chosen rows."""
    rank, x, chosen = system.sizes[S_RANK], work.scratch[RIGHT], work.pivots[CHOSEN]
    for i in range(rank):
        x[i] = sign * work.row[chosen[i], column]
    lu_solve(work.dense[BLOCK], work.pivots[BLOCK_PIVOTS], rank, x)


@kernel
def close_positions(packed: Packed, t: float, q: Array, v: Array) -> int:
    """Newton on the dependent part of q; the rows are those at (t, q, v), before and after."""
    system, work = open_system(packed), open_work(packed)
    rank, columns = system.sizes[S_RANK], work.pivots[COLUMNS]
    x, step = work.scratch[RIGHT], work.scratch[FORCE]
    size = largest(system, work, RV_PHI)
    for _ in range(MOST):
        if size <= CLOSED:
            return OK
        _solve_rows(system, work, RV_PHI, -1.0)
        for c in range(v.shape[0]):
            step[c] = 0.0
        for k in range(rank):
            step[columns[k]] = x[k]
        retract(system.bodies, q, step, q)
        call_constraints(packed, t, q, v)
        work.counters[C_ITERATIONS] += 1
        before, size = size, largest(system, work, RV_PHI)
        if not size <= SLOW * before:
            if size <= ROUNDING:
                break
            status = factor_block(system, work)
            if status != OK:
                return status
    normalise(system.bodies, q)
    return OK if size <= ROUNDING else NOT_CONVERGED


@kernel
def close_velocities(system: System, work: Work, v: Array) -> None:
    """The dependent velocities from the independent ones; the rows and D are those at the present pose."""
    x, columns = work.scratch[RIGHT], work.pivots[COLUMNS]
    _solve_rows(system, work, RV_RATE, -1.0)
    for k in range(system.sizes[S_RANK]):
        v[columns[k]] += x[k]


@kernel
def accelerate(system: System, work: Work) -> int:
    """a and λ from rows, forces and D at one state."""
    n, rank, a, columns = system.sizes[S_NV], system.sizes[S_RANK], work.vectors[V_A], work.pivots[COLUMNS]
    rows, block, motions, reduced = (
        work.dense[ROWS_OF_J],
        work.dense[BLOCK],
        work.dense[MOTIONS],
        work.dense[REDUCED],
    )
    chosen, force, free = work.pivots[CHOSEN], work.scratch[FORCE][:n], n - rank
    x = work.scratch[RIGHT]
    _solve_rows(system, work, RV_GAMMA, 1.0)
    a[:] = 0.0
    for k in range(rank):
        a[columns[k]] = x[k]

    # R, and RᵀMR
    for j in range(free):
        motion = motions[j]
        for i in range(rank):
            x[i] = -rows[chosen[i], columns[rank + j]]
        lu_solve(block, work.pivots[BLOCK_PIVOTS], rank, x)
        motion[:] = 0.0
        for k in range(rank):
            motion[columns[k]] = x[k]
        motion[columns[rank + j]] = 1.0
    for j in range(free):
        apply_mass(system, motions[j], force)
        for i in range(free):
            total, motion = 0.0, motions[i]
            for c in range(n):
                total += motion[c] * force[c]
            reduced[i, j] = total
    work.counters[C_PRODUCTS] += free * (rank * rank + free * n) + free * free * free // 3
    status = lu_factor(reduced, work.pivots[REDUCED_PIVOTS], free)
    if status != OK:
        return int(status)

    # z̈ from Rᵀ(Q − M a_p)
    apply_mass(system, a, force)
    for j in range(free):
        total, motion = 0.0, motions[j]
        for c in range(n):
            total += motion[c] * (work.vectors[V_Q, c] - force[c])
        x[j] = total
    lu_solve(reduced, work.pivots[REDUCED_PIVOTS], free, x)
    for j in range(free):
        for c in range(n):
            a[c] += x[j] * motions[j, c]

    # λ of the chosen rows
    apply_mass(system, a, force)
    for k in range(rank):
        x[k] = force[columns[k]] - work.vectors[V_Q, columns[k]]
    lu_solve_transposed(block, work.pivots[BLOCK_PIVOTS], rank, x)
    for r in range(system.rows.shape[0]):
        work.row[r, RV_LAMBDA] = 0.0
    for i in range(rank):
        work.row[chosen[i], RV_LAMBDA] = x[i]
    return OK
