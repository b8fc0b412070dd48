"""Which velocities ż = B v are independent: those of joint coordinates or of bodies.

A row of B is the gradient of a joint coordinate, whose second derivative along v is β, or a velocity of a
body in world axes, with β = 0: of its centre, or its spin, (R ω)' = R ω' with ω in body axes. Of a spatial
body that no row couples with another the spin is in body axes.

The choice is that of a QR factorisation with pivoting of B N, N being an orthonormal basis of the allowed
motions (lengths in units of the mechanism's size, rows of B of length one): a pivot is what is left of a row
beside those that were taken. Where there are as many joint coordinates as degrees of freedom, as in an open
chain, all of them are taken. Elsewhere they are preferred to velocities of bodies, and angles and spins to
displacements: a displacement comes to a standstill where the hinges of a loop go on. A spatial body on its
own that spins much faster than it travels, such as a top, has the velocity of its centre, which precesses
slowly, and the spin about its axis, which stays: spins across it turn in body axes, and in world axes they
contain a share of the fast one, which changes with the tilt.
"""

import math
from typing import Final

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import sizes as SIZE
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, System, Work
from engine.solvers.linsolve.nullspace import apply_orthogonal_transposed, decompose
from engine.solvers.linsolve.rows import add_coordinate_function, dense_rows
from engine.system.equations.equations import coordinate_at_rest

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
SCALE = 2  # of Work.scratch
# what pivots count, beside those of the velocities of centres
JOINT_WORTH, ANGLE_WORTH, CHAIN_WORTH = 3.0, 50.0, 1e9
FAST_SPIN = 100.0  # energy of the spin over that of the travel, above which a body counts as a top


# the rows of B


@inlined
def coordinate_count(system: System, work: Work) -> int:
    """Number of joint coordinates among the candidates; body velocities follow."""
    return 0 if work.options[INDEPENDENT] == BODY_VELOCITIES else system.coordinates.shape[0]


@inlined
def is_own_velocity(system: System, c: int) -> bool:
    """Whether body velocity c is a candidate as it stands; other spins are in world axes."""
    return bool(system.bodies[0, BODY.PLANAR] or c % 6 < 3 or system.bodies[c // 6, BODY.LONE])


@inlined
def spin_worth(system: System, work: Work, c: int) -> float:
    """What the pivot of spin c of a spatial body counts, that of its displacements being one."""
    body = c // 6
    mass, pose = system.body_reals[body, BODY_REAL.MASS], work.pose[body]
    if not system.bodies[body, BODY.LONE] or mass <= 0.0:
        return ANGLE_WORTH
    spun = travelled = 0.0  # twice the kinetic energy, over the mass
    for i in range(3):
        inertia = system.body_reals[body, BODY_REAL.INERTIA + 4 * i]
        spun += inertia / mass * pose[POSE.W + i] ** 2
        travelled += pose[POSE.V + i] ** 2
    if spun <= FAST_SPIN * travelled:
        return ANGLE_WORTH
    inertia = system.body_reals[body, BODY_REAL.INERTIA + 4 * (c % 6 - 3)]
    return math.sqrt(inertia / mass) / length_scale(system)


@inlined
def fill_row(system: System, work: Work, n: int, candidate: int, out: Array) -> None:
    """The row of B of a candidate; coordinate functions must have been evaluated."""
    for c in range(n):
        out[c] = 0.0
    count = coordinate_count(system, work)
    if candidate < count:
        add_coordinate_function(system, work.grad, system.coordinates[candidate], 1.0, out)
        return
    c = candidate - count
    if is_own_velocity(system, c):
        out[c] = 1.0
        return
    pose, axis, at = work.pose[c // 6], c % 6 - 3, c - c % 6 + 3
    for k in range(3):
        out[at + k] = pose[POSE.R + 3 * axis + k]


@inlined
def evaluate_chosen(packed: Packed, system: System, work: Work) -> None:
    """The joint coordinates among the independent velocities, at the pose that was evaluated last."""
    count = coordinate_count(system, work)
    for j in range(system.sizes[SIZE.NV] - system.sizes[SIZE.RANK]):
        candidate = work.pivots[INDEPENDENTS, j]
        if candidate < count:
            coordinate_at_rest(packed, system, system.coordinates[candidate])


@inlined
def bias(system: System, work: Work, j: int) -> float:
    """β of independent velocity j: z̈ = B a + β."""
    candidate = work.pivots[INDEPENDENTS, j]
    if candidate < coordinate_count(system, work):
        return float(work.coordinate[system.coordinates[candidate], COORDINATE_VALUE.BIAS])
    return 0.0


# their choice


@inlined
def length_scale(system: System) -> float:
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
def _worth(system: System, work: Work, coordinates: int, free: int, candidate: int, row: Array) -> float:
    """What the pivot of a candidate with this row of B counts."""
    if candidate < coordinates == free:
        return CHAIN_WORTH
    if candidate >= coordinates and not system.bodies[0, BODY.PLANAR]:
        c = candidate - coordinates
        return 1.0 if c % 6 < 3 else spin_worth(system, work, c)
    worth = JOINT_WORTH if candidate < coordinates else 1.0
    for b in range(system.bodies.shape[0] - 1):
        at = system.bodies[b, BODY.V]
        for c in range(at, at + (2 if system.bodies[b, BODY.PLANAR] else 3)):
            if row[c] != 0.0:
                return worth  # displaces something
    return worth * ANGLE_WORTH


@kernel
def project_candidates(system: System, work: Work) -> float:
    """B N of all candidates, normalised, into CANDIDATES, with their worth in place n of the row.

    The independent rows of J come first in CHOSEN. Returns the regularity of J: its smallest pivot over the
    largest.
    """
    n, rank, m = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], system.rows.shape[0]
    rows, table, unit = work.dense[ROWS], work.dense[CANDIDATES], length_scale(system)
    dense_rows(system, work.grad, n, rows)
    for r in range(m):
        _scale_columns(system, unit, rows[r])
        for c in range(n):
            rows[r, c] /= system.row_reals[r, ROW_REAL.SCALE]
    regularity = decompose(rows, m, n, rank, work.scratch[SCALE], work.pivots[CHOSEN])
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += 2 * m * rank * n
    coordinates = coordinate_count(system, work)
    for k in range(coordinates + n):
        row = table[k]
        fill_row(system, work, n, k, row)
        row[n] = _worth(system, work, coordinates, n - rank, k, row)
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
def quality(work: Work, table: Array, candidates: int, free: int) -> float:
    """Smallest pivot of the present choice, the largest first. Destroys the table."""
    own, smallest = work.pivots[FRESH], 1.0
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
def choose(work: Work, table: Array, candidates: int, free: int, worth: int) -> float:
    """A fresh choice into FRESH, and its smallest pivot. Destroys the table.

    What the pivot of a candidate counts stands in the place `worth` of its row.
    """
    fresh, smallest = work.pivots[FRESH], 1.0
    for i in range(free):
        taken, size, most = 0, 0.0, -1.0
        for k in range(candidates):
            length = _length(table[k], free)
            if length * table[k, worth] > most:
                taken, size, most = k, length, length * table[k, worth]
        fresh[i] = taken
        smallest = min(smallest, size)
        _take(table, candidates, free, taken)
    return smallest


@inlined
def adopt(system: System, work: Work) -> None:
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
