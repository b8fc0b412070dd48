"""Independent velocities ż = B v, those of joint coordinates or of bodies, and all that follows from them.

With as many independent rows of J as its rank, and a row of B for each degree of freedom, the matrix A = [J;
B] is square, and one factor of it gives

    V = A⁻¹[0; 1]                 the motions that the constraints allow, one per independent velocity
    v = A⁻¹[ν; ż]                 all velocities from the independent ones
    δ = −A⁻¹[Φ; 0]                the correction of a position that leaves the independent part alone
    a = V u + A⁻¹[γ; 0],   VᵀMV u = Vᵀ(Q − M A⁻¹[γ; 0]),   z̈ = u + β,   Aᵀ[λ; 0] = M a − Q

[Wehage 1982], [Antón 2015, §3.5.5–3.5.6]. A row of B is the gradient of a joint
coordinate, whose second derivative along v is β, or a velocity of a body in world axes, with β = 0: of its
centre, or its spin, (R ω)' = R ω' with ω in body axes. In an open chain with all joint coordinates as
independent ones A is regular in every pose. Rows that only velocities have (rolling) stand in J with Φ = 0.

The choice is that of a QR factorisation with pivoting of B N, N being an orthonormal basis of the allowed
motions (lengths in units of the mechanism's size, rows of B of length one): a pivot is what is left of a row
beside those that were taken. Where there are as many joint coordinates as degrees of freedom, as in an open
chain, all of them are taken. Elsewhere they are preferred to velocities of bodies, and angles and spins to
displacements: a displacement comes to a standstill where the hinges of a loop go on.
"""

import math
from typing import Final

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, StepStatus, System, Work
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.lu import lu_factor, lu_solve, lu_solve_transposed
from engine.solvers.linsolve.nullspace import apply_orthogonal_transposed, decompose
from engine.solvers.linsolve.rows import add_coordinate_function, add_row, dense_rows
from engine.system.equations.equations import coordinates_at_rest
from engine.system.equations.kinematics import normalise, retract

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
INDEPENDENT = SLOT.FORMULATION + 1  # place in Work.options
BODY_VELOCITIES = 1.0
OPTION: Final = Option(
    "independent",
    INDEPENDENT,
    0.0,
    "Independent velocities",
    choices=("of joint coordinates, where there are", "of bodies"),
)
# Work.dense and Work.pivots
ROWS, MATRIX, MOTIONS, REDUCED, CANDIDATES = range(5)
INDEPENDENTS, CHOSEN, PIVOTS, REDUCED_PIVOTS, FRESH = range(5)  # candidates; independent rows of J first
MATRICES: Final = 5
# Work.scratch
RIGHT, FORCE, SCALE, QUALITY, FIRST_FREE = range(5)
# of QUALITY: best smallest pivot of A since the last look and since the start, best regularity of J
BEST, EVER, USUAL = range(3)
CLOSED = 1e-13  # violation, over the size of the row, that is left
ROUNDING = 1e-10  # the same, accepted when it shrinks no more
CONTRACTION_LIMIT = 0.1  # a correction that leaves more than this share calls for a fresh factor
MAX_ITERATIONS = 20
# what pivots count, beside those of the velocities of centres
JOINT_WORTH, ANGLE_WORTH, CHAIN_WORTH = 3.0, 50.0, 1e9
RENEWAL_SHARE = 0.7  # of its best value since the last look: a smaller pivot of A calls for a fresh choice
WORN = 0.5  # of the smallest pivot of the fresh choice: with less the present one is given up
# of the usual regularity of J, or pivot of A: below it no choice is made, the allowed motions turn too fast
SINGULAR = 0.1
BASIN = 0.01  # violation, over the square of the smallest pivot, that may be closed there


# the rows of B


@inlined
def _coordinates(system: System, work: Work) -> int:
    """Number of joint coordinates among the candidates; body velocities follow."""
    return 0 if work.options[INDEPENDENT] == BODY_VELOCITIES else system.coordinates.shape[0]


@inlined
def _fill(system: System, work: Work, n: int, candidate: int, out: Array) -> None:
    """The row of B of a candidate; coordinate functions must have been evaluated."""
    for c in range(n):
        out[c] = 0.0
    count = _coordinates(system, work)
    if candidate < count:
        add_coordinate_function(system, work.grad, system.coordinates[candidate], 1.0, out)
        return
    c = candidate - count
    if system.bodies[0, BODY.PLANAR] or c % 6 < 3:
        out[c] = 1.0
        return
    pose, axis, at = work.pose[c // 6], c % 6 - 3, c - c % 6 + 3
    for k in range(3):
        out[at + k] = pose[POSE.R + 3 * axis + k]


@inlined
def bias(system: System, work: Work, j: int) -> float:
    """β of independent velocity j: z̈ = B a + β."""
    candidate = work.pivots[INDEPENDENTS, j]
    if candidate < _coordinates(system, work):
        return float(work.coordinate[system.coordinates[candidate], COORDINATE_VALUE.BIAS])
    return 0.0


@inlined
def independent_velocity(system: System, work: Work, j: int, v: Array) -> float:
    """B v of independent velocity j."""
    row, total = work.scratch[RIGHT], 0.0
    _fill(system, work, v.shape[0], work.pivots[INDEPENDENTS, j], row)
    for c in range(v.shape[0]):
        total += row[c] * v[c]
    return total


# their choice


@inlined
def _unit(system: System) -> float:
    """Size of the mechanism [m], which rows of lengths have as their scale; rows of angles have 1."""
    size = 1.0
    for r in range(system.rows.shape[0]):
        scale = system.row_reals[r, ROW_REAL.SCALE]
        if abs(math.log(scale)) > abs(math.log(size)):
            size = scale
    return size


@inlined
def _scale_columns(system: System, unit: float, row: Array) -> float:
    """Columns of lengths in units of the mechanism's size; the length of the row."""
    total = 0.0
    for b in range(system.bodies.shape[0] - 1):
        at = system.bodies[b, BODY.V]
        lengths, count = (2, 3) if system.bodies[b, BODY.PLANAR] else (3, 6)
        for c in range(at, at + count):
            if c < at + lengths:
                row[c] *= unit
            total += row[c] * row[c]
    return math.sqrt(total)


@inlined
def _worth(system: System, coordinates: int, free: int, candidate: int, row: Array) -> float:
    """What the pivot of a candidate with this row of B counts."""
    if candidate < coordinates == free:
        return CHAIN_WORTH
    worth = JOINT_WORTH if candidate < coordinates else 1.0
    for b in range(system.bodies.shape[0] - 1):
        at = system.bodies[b, BODY.V]
        for c in range(at, at + (2 if system.bodies[b, BODY.PLANAR] else 3)):
            if row[c] != 0.0:
                return worth  # displaces something
    return worth * ANGLE_WORTH


@kernel
def _project_candidates(system: System, work: Work) -> float:
    """B N of all candidates, normalised, into CANDIDATES, with their worth in place n of the row.

    The independent rows of J come first in CHOSEN. Returns the regularity of J: its smallest pivot over the
    largest.
    """
    n, rank, m = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], system.rows.shape[0]
    rows, table, unit = work.dense[ROWS], work.dense[CANDIDATES], _unit(system)
    dense_rows(system, work.grad, n, rows)
    for r in range(m):
        _scale_columns(system, unit, rows[r])
        for c in range(n):
            rows[r, c] /= system.row_reals[r, ROW_REAL.SCALE]
    regularity = decompose(rows, m, n, rank, work.scratch[SCALE], work.pivots[CHOSEN])
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += 2 * m * rank * n
    coordinates = _coordinates(system, work)
    for k in range(coordinates + n):
        row = table[k]
        _fill(system, work, n, k, row)
        row[n] = _worth(system, coordinates, n - rank, k, row)
        size = _scale_columns(system, unit, row)
        apply_orthogonal_transposed(rows, n, rank, work.scratch[SCALE], row)
        for j in range(n - rank):
            row[j] = row[rank + j] / size if size > 0.0 else 0.0
        work.counters[COUNT.PRODUCTS] += 2 * rank * n
    return regularity


@inlined
def _take(table: Array, candidates: int, free: int, taken: int) -> None:
    """Make all rows of the table orthogonal to one of them, which becomes zero itself."""
    size, row = 0.0, table[taken]
    for j in range(free):
        size += row[j] * row[j]
    if size > 0.0:
        for k in range(candidates):
            if k != taken:
                product = 0.0
                for j in range(free):
                    product += table[k, j] * row[j]
                for j in range(free):
                    table[k, j] -= product / size * row[j]
    for j in range(free):
        row[j] = 0.0


@inlined
def _length(row: Array, free: int) -> float:
    total = 0.0
    for j in range(free):
        total += row[j] * row[j]
    return math.sqrt(total)


@kernel
def _quality(system: System, work: Work) -> float:
    """Smallest pivot of the present choice, the largest first. Destroys the table."""
    free, table, own = (
        system.sizes[SIZE.NV] - system.sizes[SIZE.RANK],
        work.dense[CANDIDATES],
        work.pivots[FRESH],
    )
    candidates, smallest = _coordinates(system, work) + system.sizes[SIZE.NV], 1.0
    for j in range(free):
        own[j] = work.pivots[INDEPENDENTS, j]
    for i in range(free):
        best, size = i, -1.0
        for j in range(i, free):
            length = _length(table[own[j]], free)
            if length > size:
                best, size = j, length
        own[i], own[best] = own[best], own[i]
        smallest = min(smallest, size)
        _take(table, candidates, free, own[i])
    return smallest


@kernel
def _choose(system: System, work: Work) -> float:
    """A fresh choice into FRESH, and its smallest pivot. Destroys the table."""
    n = system.sizes[SIZE.NV]
    free, table, fresh = n - system.sizes[SIZE.RANK], work.dense[CANDIDATES], work.pivots[FRESH]
    coordinates, smallest = _coordinates(system, work), 1.0
    for i in range(free):
        taken, size, most = 0, 0.0, -1.0
        for k in range(coordinates + n):
            length = _length(table[k], free)
            if length * table[k, n] > most:
                taken, size, most = k, length, length * table[k, n]
        fresh[i] = taken
        smallest = min(smallest, size)
        _take(table, coordinates + n, free, taken)
    return smallest


@inlined
def _adopt(system: System, work: Work) -> None:
    """The fresh choice, in increasing order of the candidates."""
    free, chosen, fresh = (
        system.sizes[SIZE.NV] - system.sizes[SIZE.RANK],
        work.pivots[INDEPENDENTS],
        work.pivots[FRESH],
    )
    for i in range(free):
        place = i
        while place > 0 and chosen[place - 1] > fresh[i]:
            chosen[place] = chosen[place - 1]
            place -= 1
        chosen[place] = fresh[i]


@kernel
def partition(packed: Packed) -> int:
    """Choose the independent velocities, at the pose that was evaluated last, and factor."""
    system, work = open_system(packed), open_work(packed)
    coordinates_at_rest(packed, system)
    work.scratch[QUALITY, USUAL] = _project_candidates(system, work)
    _choose(system, work)
    _adopt(system, work)
    status = factor(packed)
    work.scratch[QUALITY, BEST] = work.scratch[QUALITY, EVER] = smallest_pivot(system, work)
    return status


@inlined
def is_safe(system: System, work: Work) -> bool:
    """Whether Newton on positions surely stays on its branch: no singular configuration is near, or little
    is to do.

    Joint coordinates of an open chain leave the pose no choice, whatever the pivots.
    """
    if _coordinates(system, work) == system.sizes[SIZE.NV] - system.sizes[SIZE.RANK]:
        return True
    pivot, quality = smallest_pivot(system, work), work.scratch[QUALITY]
    quality[EVER] = max(quality[EVER], pivot)
    return bool(
        pivot > SINGULAR * quality[EVER] or largest(system, work, ROW_VALUE.PHI) <= BASIN * pivot * pivot
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
    regularity = _project_candidates(system, work)
    quality[USUAL] = max(quality[USUAL], regularity)
    if regularity < SINGULAR * quality[USUAL]:
        return False
    quality[BEST] = now
    present = _quality(system, work)
    _project_candidates(system, work)
    if present >= WORN * _choose(system, work):
        return False
    _adopt(system, work)
    return True


# A and what is solved with it


@kernel
def factor(packed: Packed) -> int:
    """A of the rows that were evaluated last, factored."""
    system, work = open_system(packed), open_work(packed)
    n, rank, matrix = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], work.dense[MATRIX]
    if _coordinates(system, work) > 0:
        coordinates_at_rest(packed, system)
    for i in range(rank):
        row = matrix[i]
        for c in range(n):
            row[c] = 0.0
        add_row(system, work.grad, work.pivots[CHOSEN, i], 1.0, row)
    for j in range(n - rank):
        _fill(system, work, n, work.pivots[INDEPENDENTS, j], matrix[rank + j])
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += n * n * n // 3
    return int(lu_factor(matrix, work.pivots[PIVOTS], n))


@kernel
def smallest_pivot(system: System, work: Work) -> float:
    """Of A, over the largest: how well the independent velocities fix the others."""
    smallest, most, matrix = 1.0, 0.0, work.dense[MATRIX]
    for k in range(system.sizes[SIZE.NV]):
        size = abs(matrix[k, k])
        smallest, most = (size if k == 0 else min(smallest, size)), max(most, size)
    return smallest / most if most > 0.0 else 1.0


@inlined
def largest(system: System, work: Work, column: int) -> float:
    """Largest entry of a column of the rows over its scale; remembers the row."""
    worst = 0.0
    for r in range(system.rows.shape[0]):
        value = abs(work.row[r, column]) / system.row_reals[r, ROW_REAL.SCALE]
        if not value <= worst:
            worst = value
            work.counters[COUNT.OFFENDER] = r
    return worst


@inlined
def _solve_rows(system: System, work: Work, column: int, sign: float) -> None:
    """RIGHT = A⁻¹ [a column of the chosen rows; 0]."""
    n, rank, x = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], work.scratch[RIGHT]
    for i in range(n):
        x[i] = sign * work.row[work.pivots[CHOSEN, i], column] if i < rank else 0.0
    lu_solve(work.dense[MATRIX], work.pivots[PIVOTS], n, x)


@kernel
def close_positions(packed: Packed, t: float, q: Array, v: Array) -> int:
    """Newton on the dependent part of q; the rows are those at (t, q, v), before and after."""
    system, work = open_system(packed), open_work(packed)
    size = largest(system, work, ROW_VALUE.PHI)
    for _ in range(MAX_ITERATIONS):
        if size <= CLOSED:
            return OK
        _solve_rows(system, work, ROW_VALUE.PHI, -1.0)
        retract(system.bodies, q, work.scratch[RIGHT], q)
        call_constraints(packed, t, q, v)
        work.counters[COUNT.ITERATIONS] += 1
        before, size = size, largest(system, work, ROW_VALUE.PHI)
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
    for i in range(rank):
        r = work.pivots[CHOSEN, i]
        v[i] = work.row[r, ROW_VALUE.F] if system.rows[r, ROW.VELOCITY] else work.row[r, ROW_VALUE.FT]
    for j in range(n - rank):
        v[rank + j] = independent[j]
    lu_solve(work.dense[MATRIX], work.pivots[PIVOTS], n, v)


@kernel
def accelerate(system: System, work: Work) -> int:
    """a and λ from rows, forces and A at one state."""
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
