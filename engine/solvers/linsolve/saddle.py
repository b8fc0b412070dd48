"""Saddle-point problems A x − Bᵀμ = f, C x = −g over the velocities, whatever rows depend on each other.

B and C are two tables of gradient blocks: the rows by which reactions act and those that hold. The matrix
that is factored is A + Bᵀ W C, of the order of the velocities and with the pattern of the bodies that rows
couple:

    (A + Bᵀ W C) x = f − Bᵀ W g,   μ = −W (g + C x)

satisfies the first equation exactly and the second up to W⁻¹ μ; further passes with the same factor take that
out. W of a row is `STIFFNESS` times what it moves, over its size: dependent rows do no harm and share the
load, no rank is needed, and near a singular configuration the multiplier of the vanishing direction stays
bounded [Bayo 1994]: the motion goes on by inertia.
"""

import math

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import fast_kernel, inlined, kernel
from engine.compiled.layout import Array, System, Work
from engine.solvers.linsolve import velocities
from engine.solvers.linsolve.long_chains import harder
from engine.solvers.linsolve.rows import add_row, row_times

PASSES = 3  # with one factor; what is left of a gap is below 1e-10 of it
SINGULAR = 0.1  # a pass that leaves more than this share: W σ² < 10, with σ the vanishing singular value
NEGLIGIBLE = 1e-2  # of the limit: a pass that would move less is not made
UNKNOWN = math.inf  # what the passes of a factor leave, before any were made
STIFFNESS = 1e6  # weight of a row against what it moves
LONG = 100.0  # bodies: from here on weights grow with the square of their number
MIN_DIAGONAL = 1e-10  # of the largest diagonal: rows that move less get the weight of the largest


@inlined
def set_row_weights(
    system: System, work: Work, stiffness: float, diagonal: Array, column: int = ROW_VALUE.WEIGHT
) -> None:
    """W of every row, into a column: stiffness s/G with G = J Jᵀ of the row alone, s the mean of diag A."""
    stiffness, largest = harder(system, stiffness, LONG), 0.0
    for c in range(diagonal.shape[0]):
        largest = max(largest, abs(diagonal[c]))
    for r in range(system.rows.shape[0]):
        square, moved = 0.0, 0.0
        begin = system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCK]
        for k in range(
            begin, begin + system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCKS]
        ):
            body, block = system.block_bodies[k], work.grad[k]
            at = system.bodies[body, BODY.V]
            if at >= 0:
                for c in range(system.bodies[body, BODY.NV]):
                    square += block[c] * block[c]
                    moved += abs(diagonal[at + c]) * block[c] * block[c]
        work.row[r, column] = 0.0
        if square > 0.0:
            mean = moved / square
            work.row[r, column] = stiffness * (mean if mean > MIN_DIAGONAL * largest else largest) / square


@fast_kernel
def add_rows(system: System, work: Work, matrix: Array, weight: int = ROW_VALUE.WEIGHT) -> None:
    """matrix += Bᵀ W C, with B in `TAN.ACTING`, C in `TAN.HELD` and W in the rows."""
    acting, held = work.tangent[TAN.ACTING], work.tangent[TAN.HELD]
    for r in range(system.rows.shape[0]):
        velocities.add_row_product(system, matrix, r, work.row[r, weight], acting, held, False)


@inlined
def hold_gradients(work: Work) -> None:
    """B = C = J of the last evaluation."""
    for k in range(work.grad.shape[0]):
        for c in range(work.grad.shape[1]):
            work.tangent[TAN.ACTING, k, c] = work.tangent[TAN.HELD, k, c] = work.grad[k, c]


@kernel
def factor(
    system: System, work: Work, which: int, weight: int = ROW_VALUE.WEIGHT, stiffness: float = STIFFNESS
) -> int:
    """Factor A + Bᵀ W C; A stands in one of `Work.factors`, B and C in their tables."""
    matrix = work.factors[which]
    velocities.diagonal(system, matrix, work.ordered)
    set_row_weights(system, work, stiffness, work.ordered, weight)
    add_rows(system, work, matrix, weight)
    return velocities.factor(system, work, which)


@kernel
def solve_to(
    system: System,
    work: Work,
    which: int,
    limit: float,
    known: float,
    x: Array,
    passes: int = PASSES,
    weight: int = ROW_VALUE.WEIGHT,
) -> tuple[bool, float]:
    """x is f on entry; g stands in `RESIDUAL` of the rows, μ is added to `SOLVE`.

    Each further pass closes what the one before has left, and is made unless it would move `NEGLIGIBLE` of
    the limit: `known` is the share that a pass with this factor leaves, where an earlier solution has shown
    it. Returns whether the last has to do nearly as much as the one before, and more than the limit, which it
    does near a singular configuration; and the share that a pass leaves.
    """
    n, m, load = x.shape[0], system.rows.shape[0], work.vectors[VECTOR.STEP]
    acting, held = work.tangent[TAN.ACTING], work.tangent[TAN.HELD]
    for c in range(n):
        load[c], x[c] = x[c], 0.0
    last, before, share = 0.0, 0.0, known
    for k in range(passes if m > 0 else 1):
        for r in range(m):
            add_row(system, acting, r, -work.row[r, weight] * work.row[r, ROW_VALUE.RESIDUAL], load)
        velocities.solve(system, work, which, load)
        for r in range(m):
            gap = work.row[r, ROW_VALUE.RESIDUAL] + row_times(system, held, r, load)
            work.row[r, ROW_VALUE.RESIDUAL] = gap
            work.row[r, ROW_VALUE.SOLVE] -= work.row[r, weight] * gap
        before, last = last, largest(load)
        for c in range(n):
            x[c] += load[c]
            load[c] = 0.0
        if k > 0:
            share = last / before if before > 0.0 else 0.0
        if share < SINGULAR and last * share <= NEGLIGIBLE * limit:
            return False, share
    return m > 0 and last > max(limit, SINGULAR * before), share


@inlined
def solve(
    system: System,
    work: Work,
    which: int,
    limit: float,
    x: Array,
    passes: int = PASSES,
    weight: int = ROW_VALUE.WEIGHT,
) -> bool:
    """The same without knowing what a pass leaves, and only whether the configuration is near singular."""
    singular, _ = solve_to(system, work, which, limit, UNKNOWN, x, passes, weight)
    return singular


@inlined
def largest(x: Array) -> float:
    """Largest entry; not finite when one is not."""
    size = 0.0
    for c in range(x.shape[0]):
        if not abs(x[c]) <= size:
            size = abs(x[c])
    return size
