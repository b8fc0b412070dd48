"""Independent velocities ż = B v, those of joint coordinates or of bodies, and all that follows from them.

With as many independent rows of J as its rank, and a row of B for each degree of freedom, the matrix A = [J;
B] is square, and one factor of it gives

    V = A⁻¹[0; 1]                 the motions that the constraints allow, one per independent velocity
    v = A⁻¹[ν; ż]                 all velocities from the independent ones
    δ = −A⁻¹[Φ; 0]                the correction of a position that leaves the independent part alone
    a = V u + A⁻¹[γ; 0],   VᵀMV u = Vᵀ(Q − M A⁻¹[γ; 0]),   z̈ = u + β,   Aᵀ[λ; 0] = M a − Q

[Wehage 1982], [Antón 2015, §3.5.5–3.5.6]. `independents.py` has the rows of B, β, and how they are chosen. In
an open chain with all joint coordinates as independent ones A is regular in every pose. Rows that only
velocities have (rolling) stand in J with Φ = 0. In large mechanisms A is not formed (`sparse_partition.py`).
"""

import math
from typing import Final

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_solve
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Room, StepStatus, System, Work
from engine.maths.arrays import copy
from engine.solvers.linsolve import sparse_partition
from engine.solvers.linsolve.base import apply_mass, near_singular
from engine.solvers.linsolve.independents import (
    CANDIDATES,
    CHOSEN,
    INDEPENDENTS,
    MATRICES,
    MATRIX,
    MOTIONS,
    PIVOTS,
    REDUCED,
    REDUCED_PIVOTS,
    adopt,
    choose,
    coordinate_count,
    evaluate_chosen,
    fill_row,
    project_candidates,
    quality,
)
from engine.solvers.linsolve.lu import lu_factor, lu_solve, lu_solve_transposed
from engine.solvers.linsolve.rows import add_row, largest_violation
from engine.system.equations.equations import coordinates_at_rest
from engine.system.equations.kinematics import normalise, retract

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
NOT_SOLVED = int(StepStatus.NOT_SOLVED)
# Work.scratch
RIGHT, FORCE, _, QUALITY = range(4)
FIRST_FREE: Final = sparse_partition.FIRST_FREE
# of QUALITY: best smallest pivot of A since the last look and since the start, best regularity of J
BEST, EVER, USUAL = range(3)
CLOSED = 1e-13  # violation, over the size of the row, that is left
ROUNDING = 1e-10  # the same, accepted when it shrinks no more
CONTRACTION_LIMIT = 0.1  # a correction that leaves more than this share calls for a fresh factor
MAX_ITERATIONS = 20
RENEWAL_SHARE = 0.7  # of its best value since the last look: a smaller pivot of A calls for a fresh choice
WORN = 0.5  # of the smallest pivot of the fresh choice: with less the present one is given up
# of the usual regularity of J, or pivot of A: below it no choice is made, the allowed motions turn too fast
SINGULAR = 0.1
BASIN = 0.01  # violation, over the square of the smallest pivot, that may be closed there
REFINEMENTS = 3  # near singular configurations
DENSE_LIMIT = 2000  # candidates; their square in numbers is what dense matrices take
SURELY_FEW = 12  # degrees of freedom that the choice without dense matrices always serves


def room(system: System, vectors: int) -> Room:
    """Scratch for all of this, with further vectors of the caller."""
    order = _order(system)
    return Room(
        matrices=MATRICES,
        vectors=FIRST_FREE + vectors,
        order=order if order <= DENSE_LIMIT else 0,
        factors=sparse_partition.FACTORS,
    )


def too_many(system: System) -> str:
    """Reason to refuse a mechanism whose independent velocities could be chosen by dense matrices only."""
    free, order = int(system.sizes[SIZE.NV]) - len(system.rows), _order(system)
    if order <= DENSE_LIMIT or len(system.coordinates) == free or free <= SURELY_FEW:
        return ""
    return (
        f"its independent velocities are chosen by dense matrices, which serve up to {DENSE_LIMIT} "
        f"candidates, not {order}, where there are more degrees of freedom than joint coordinates or "
        f"more than {SURELY_FEW}"
    )


def _order(system: System) -> int:
    """Of dense matrices that hold the candidates."""
    candidates = len(system.coordinates) + int(system.sizes[SIZE.NV])
    return max(int(system.sizes[SIZE.NQ]), len(system.rows), candidates) + 1


@inlined
def _choose(system: System, work: Work) -> tuple[float, float]:
    """A fresh choice into FRESH: regularity of J, smallest pivot of the choice."""
    if sparse_partition.serves(system, work):
        return _regularity(work), sparse_partition.choose(system, work)
    n, candidates = system.sizes[SIZE.NV], coordinate_count(system, work) + system.sizes[SIZE.NV]
    regularity = project_candidates(system, work)
    return regularity, choose(work, work.dense[CANDIDATES], candidates, n - system.sizes[SIZE.RANK], n)


@inlined
def _present_quality(system: System, work: Work) -> tuple[float, float]:
    """Regularity of J, smallest pivot of the present choice."""
    if sparse_partition.serves(system, work):
        return _regularity(work), sparse_partition.quality(system, work)
    n, candidates = system.sizes[SIZE.NV], coordinate_count(system, work) + system.sizes[SIZE.NV]
    regularity = project_candidates(system, work)
    return regularity, quality(work, work.dense[CANDIDATES], candidates, n - system.sizes[SIZE.RANK])


@inlined
def _regularity(work: Work) -> float:
    """Of J, as the linear solver saw it last: its pivots are squares."""
    return math.sqrt(max(work.diagonal[DIAGONAL.INFO, PIVOT.WORST], 0.0))


@kernel
def partition(packed: Packed) -> int:
    """Choose the independent velocities, at the pose that was evaluated last, and factor."""
    system, work = open_system(packed), open_work(packed)
    if work.dense.shape[1] == 0 and not sparse_partition.serves(system, work):
        return NOT_SOLVED  # more degrees of freedom than the rows let on, which repeat each other
    coordinates_at_rest(packed, system)
    work.scratch[QUALITY, USUAL] = _choose(system, work)[0]
    adopt(system, work)
    status = factor(packed)
    work.scratch[QUALITY, BEST] = work.scratch[QUALITY, EVER] = smallest_pivot(system, work)
    return status


@inlined
def is_safe(system: System, work: Work) -> bool:
    """Whether Newton on positions surely stays on its branch: no singular configuration is near, or little
    is to do.

    Joint coordinates of an open chain leave the pose no choice, whatever the pivots.
    """
    if coordinate_count(system, work) == system.sizes[SIZE.NV] - system.sizes[SIZE.RANK]:
        return True
    pivot, quality = smallest_pivot(system, work), work.scratch[QUALITY]
    quality[EVER] = max(quality[EVER], pivot)
    return bool(
        pivot > SINGULAR * quality[EVER]
        or largest_violation(system, work, ROW_VALUE.PHI) <= BASIN * pivot * pivot
    )


@kernel
def renew(packed: Packed) -> bool:
    """Whether another choice is so much better here that it was taken; A must be that of the present pose.

    A fresh choice is looked for only when a pivot of A has fallen, and not next to a singular configuration.
    The factor is left as it was.
    """
    system, work = open_system(packed), open_work(packed)
    now = smallest_pivot(system, work)
    quality = work.scratch[QUALITY]
    if now >= RENEWAL_SHARE * quality[BEST]:
        quality[BEST] = max(quality[BEST], now)
        return False
    coordinates_at_rest(packed, system)  # all candidates
    regularity, present = _present_quality(system, work)
    quality[USUAL] = max(quality[USUAL], regularity)
    if regularity < SINGULAR * quality[USUAL]:
        return False
    quality[BEST] = now
    if present >= WORN * _choose(system, work)[1]:
        return False
    adopt(system, work)
    return True


# A and what is solved with it


@kernel
def factor(packed: Packed) -> int:
    """A of the rows that were evaluated last, factored."""
    system, work = open_system(packed), open_work(packed)
    evaluate_chosen(packed, system, work)
    if sparse_partition.serves(system, work):
        return sparse_partition.factor(system, work)
    return factor_dense(system, work)


@kernel
def factor_dense(system: System, work: Work) -> int:
    """The same whatever the size; all coordinate functions must have been evaluated."""
    n, rank, matrix = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], work.dense[MATRIX]
    for i in range(rank):
        row = matrix[i]
        for c in range(n):
            row[c] = 0.0
        add_row(system, work.grad, work.pivots[CHOSEN, i], 1.0, row)
    for j in range(n - rank):
        fill_row(system, work, n, work.pivots[INDEPENDENTS, j], matrix[rank + j])
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += n * n * n // 3
    return int(lu_factor(matrix, work.pivots[PIVOTS], n))


@kernel
def smallest_pivot(system: System, work: Work) -> float:
    """Of A, over the largest: how well the independent velocities fix the others."""
    if sparse_partition.serves(system, work):
        return sparse_partition.smallest_pivot(system, work)
    return smallest_dense_pivot(system, work)


@kernel
def smallest_dense_pivot(system: System, work: Work) -> float:
    """The same of the factor that `factor_dense` left."""
    smallest, most, matrix = 1.0, 0.0, work.dense[MATRIX]
    for k in range(system.sizes[SIZE.NV]):
        size = abs(matrix[k, k])
        smallest, most = (size if k == 0 else min(smallest, size)), max(most, size)
    return smallest / most if most > 0.0 else 1.0


@inlined
def _solve_rows(system: System, work: Work, column: int, sign: float) -> None:
    """RIGHT = A⁻¹ [a column of the chosen rows; 0]."""
    n, rank, x = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], work.scratch[RIGHT]
    if sparse_partition.serves(system, work):
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.RESIDUAL] = sign * work.row[r, column]
        for j in range(n - rank):
            work.scratch[sparse_partition.WANTED, j] = 0.0
        sparse_partition.solve(system, work, x)
        return
    for i in range(n):
        x[i] = sign * work.row[work.pivots[CHOSEN, i], column] if i < rank else 0.0
    lu_solve(work.dense[MATRIX], work.pivots[PIVOTS], n, x)


@kernel
def close_positions(packed: Packed, t: float, q: Array, v: Array) -> int:
    """Newton on the dependent part of q; the rows are those at (t, q, v), before and after."""
    system, work = open_system(packed), open_work(packed)
    size = largest_violation(system, work, ROW_VALUE.PHI)
    for _ in range(MAX_ITERATIONS):
        if size <= CLOSED:
            return OK
        _solve_rows(system, work, ROW_VALUE.PHI, -1.0)
        retract(system.bodies, q, work.scratch[RIGHT], q)
        call_constraints(packed, t, q, v)
        work.counters[COUNT.ITERATIONS] += 1
        before, size = size, largest_violation(system, work, ROW_VALUE.PHI)
        if not size <= CONTRACTION_LIMIT * before:
            if size <= ROUNDING:
                break
            status = factor(packed)
            if status != OK:
                return status
    normalise(system.bodies, q)
    return OK if size <= ROUNDING else NOT_CONVERGED


@kernel
def close_velocities(system: System, work: Work, v: Array) -> None:
    """The dependent velocities follow, the independent ones stay; rows and A are those of the pose."""
    _solve_rows(system, work, ROW_VALUE.RATE, -1.0)
    for c in range(v.shape[0]):
        v[c] += work.scratch[RIGHT, c]


@kernel
def velocities(system: System, work: Work, independent: Array, v: Array) -> None:
    """v of the independent velocities; rows and A are those of the pose, whatever v they were given."""
    n, rank = system.sizes[SIZE.NV], system.sizes[SIZE.RANK]
    if sparse_partition.serves(system, work):
        for r in range(system.rows.shape[0]):
            of_time = ROW_VALUE.F if system.rows[r, ROW.VELOCITY] else ROW_VALUE.FT
            work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, of_time]
        for j in range(n - rank):
            work.scratch[sparse_partition.WANTED, j] = independent[j]
        sparse_partition.solve(system, work, v)
        return
    for i in range(rank):
        r = work.pivots[CHOSEN, i]
        v[i] = work.row[r, ROW_VALUE.F] if system.rows[r, ROW.VELOCITY] else work.row[r, ROW_VALUE.FT]
    for j in range(n - rank):
        v[rank + j] = independent[j]
    lu_solve(work.dense[MATRIX], work.pivots[PIVOTS], n, v)


@kernel
def accelerate(packed: Packed) -> int:
    """a and λ from rows, forces and A at one state."""
    system, work = open_system(packed), open_work(packed)
    if sparse_partition.serves(system, work):
        return _accelerate_by_multipliers(packed)
    n, rank, a = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], work.vectors[VECTOR.A]
    matrix, motions, reduced = work.dense[MATRIX], work.dense[MOTIONS], work.dense[REDUCED]
    force, free, x = work.scratch[FORCE][:n], n - rank, work.scratch[RIGHT]
    _solve_rows(system, work, ROW_VALUE.GAMMA, 1.0)
    for c in range(n):
        a[c] = x[c]

    # V, and VᵀMV
    for j in range(free):
        motion = motions[j]
        for c in range(n):
            motion[c] = 0.0
        motion[rank + j] = 1.0
        lu_solve(matrix, work.pivots[PIVOTS], n, motion)
    for j in range(free):
        apply_mass(system, motions[j], force)
        for i in range(free):
            total, motion = 0.0, motions[i]
            for c in range(n):
                total += motion[c] * force[c]
            reduced[i, j] = total
    work.counters[COUNT.PRODUCTS] += free * (n * n + free * n) + free * free * free // 3
    status = lu_factor(reduced, work.pivots[REDUCED_PIVOTS], free)
    if status != OK:
        return int(status)

    # u from Vᵀ(Q − M a_p)
    apply_mass(system, a, force)
    for j in range(free):
        total, motion = 0.0, motions[j]
        for c in range(n):
            total += motion[c] * (work.vectors[VECTOR.Q, c] - force[c])
        x[j] = total
    lu_solve(reduced, work.pivots[REDUCED_PIVOTS], free, x)
    for j in range(free):
        for c in range(n):
            a[c] += x[j] * motions[j, c]

    # λ of the chosen rows
    apply_mass(system, a, force)
    for c in range(n):
        x[c] = force[c] - work.vectors[VECTOR.Q, c]
    lu_solve_transposed(matrix, work.pivots[PIVOTS], n, x)
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.LAMBDA] = 0.0
    for i in range(rank):
        work.row[work.pivots[CHOSEN, i], ROW_VALUE.LAMBDA] = x[i]
    return OK


@inlined
def _accelerate_by_multipliers(packed: Packed) -> int:
    """The same without V: Vᵀ(M a − Q) = 0 is M a − Q = Jᵀλ."""
    system, work = open_system(packed), open_work(packed)
    status, free = call_factor(packed), work.vectors[VECTOR.FREE]
    if status != OK:
        return int(status)
    copy(work.vectors[VECTOR.Q], free)
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.SOLVE] = work.row[r, ROW_VALUE.GAMMA]
    status = call_solve(packed, REFINEMENTS if near_singular(work.diagonal[DIAGONAL.INFO]) else 0)
    copy(free, work.vectors[VECTOR.A])
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.LAMBDA] = work.row[r, ROW_VALUE.SOLVE]
    return int(status)
