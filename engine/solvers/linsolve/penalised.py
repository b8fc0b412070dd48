"""The penalised mass matrix A = M + Jᵀ ρ J, and the augmented Lagrangian iteration with it.

A is positive definite as soon as every free motion moves some mass, also where M itself has no inverse and
where rows repeat each other. Every row has its own ρ: a plain number times the mass that it moves, so that
rows of different units count alike. The iteration

    A x = f + Jᵀ(λ + ρ c),   λ ← λ − ρ (J x − c),

contracts by 1/(1 + ρ μ), μ the smallest non-zero eigenvalue of J M⁻¹ Jᵀ; its first pass is the penalty
method. A is a matrix over the velocities (`velocities.py`), of which the upper half is factored.
"""

import math

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import fast_kernel, inlined
from engine.compiled.layout import Array, StepStatus, System, Work
from engine.maths.arrays import copy
from engine.maths.sparse import ldl
from engine.solvers.linsolve import velocities
from engine.solvers.linsolve.base import LARGE, apply_mass
from engine.solvers.linsolve.rows import add_row, row_times

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
MIN_MASS = 1e-10  # of the largest mass: a row that moves less moves massless parts only; it gets the largest
MULTIPLIER_TOLERANCE = 1e-14  # relative change at which the iteration stops
LONG = 10.0  # bodies: from here on the weights of an iteration grow with the square of their number
# share of a pass that the next one moves, where no direction vanishes; of what may be left, not worth a pass
CLEAR, NEGLIGIBLE = 1e-2, 1e-2
MASSLESS = 1e-16  # share of the diagonal below which a pivot is left out; such motions are refused before


@inlined
def set_row_weights(system: System, work: Work, factor: float) -> None:
    """ρ of every row: factor·m/G with G = J Jᵀ of the row alone and m = J M Jᵀ/G, the mass it moves."""
    largest = 0.0
    for b in range(system.bodies.shape[0] - 1):
        largest = max(
            largest, system.body_reals[b, BODY_REAL.MASS], system.body_reals[b, BODY_REAL.INERTIA + 8]
        )
    for r in range(system.rows.shape[0]):
        square, moved = 0.0, 0.0
        begin = system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCK]
        for k in range(
            begin, begin + system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCKS]
        ):
            body, block = system.block_bodies[k], work.grad[k]
            if system.bodies[body, BODY.V] < 0:
                continue
            real, width = system.body_reals[body], system.bodies[body, BODY.NV]
            for c in range(width):
                if width == 3:
                    mass = real[BODY_REAL.INERTIA + 8] if c == 2 else real[BODY_REAL.MASS]
                else:
                    mass = real[BODY_REAL.MASS] if c < 3 else real[BODY_REAL.INERTIA + 4 * (c - 3)]
                square += block[c] * block[c]
                moved += mass * block[c] * block[c]
        work.row[r, ROW_VALUE.WEIGHT] = 0.0
        if square > 0.0:
            mass = moved / square
            work.row[r, ROW_VALUE.WEIGHT] = factor * (mass if mass > MIN_MASS * largest else largest) / square


@fast_kernel
def add_penalties(system: System, work: Work, matrix: Array) -> None:
    """matrix += Jᵀ ρ J, over the blocks that meet in a row; those below the diagonal are not needed."""
    for r in range(system.rows.shape[0]):
        rho = work.row[r, ROW_VALUE.WEIGHT]
        velocities.add_row_product(system, matrix, r, rho, work.grad, work.grad, True)


@inlined
def factor_penalised(system: System, work: Work, matrix: Array, diagonals: Array) -> int:
    """A with the present gradients and weights, factored in place; status OK or NOT_FINITE."""
    for i in range(matrix.shape[0]):
        matrix[i] = 0.0
    velocities.add_mass(system, 1.0, matrix)
    add_penalties(system, work, matrix)
    velocities.diagonal(system, matrix, work.ordered)
    for c in range(work.ordered.shape[0]):
        if not work.ordered[c] < LARGE:
            work.counters[COUNT.OFFENDER] = c
            return NOT_FINITE
    inverse, share, info = diagonals[DIAGONAL.INVERSE], diagonals[DIAGONAL.ORDERED], diagonals[DIAGONAL.INFO]
    info[PIVOT.LEFT_OUT] = ldl.factor(
        system.velocity_nodes,
        system.velocity_updates,
        system.velocity_places,
        matrix,
        inverse,
        share,
        MASSLESS,
    )
    info[PIVOT.WORST], info[PIVOT.RAISED] = 1.0, 0.0
    for c in range(work.ordered.shape[0]):
        info[PIVOT.WORST] = min(info[PIVOT.WORST], share[c])
    work.counters[COUNT.FACTORISATIONS] += 1
    return OK


@inlined
def iterate(system: System, work: Work, matrix: Array, diagonals: Array, most: int, enough: float) -> int:
    """Solve M x = f + Jᵀλ, J x = c with the factor of A; returns the number of passes.

    In residual form: every pass solves for what is still missing, and none is made that would move a
    negligible part of what may be left. f → x in VECTOR.FREE, c → λ in
    ROW_VALUE.SOLVE.
    """
    m, n, x = system.rows.shape[0], work.ordered.shape[0], work.vectors[VECTOR.FREE]
    order, ordered = system.velocity_order, work.ordered
    load, step = work.vectors[VECTOR.STEP], work.vectors[VECTOR.TRIAL]
    copy(x, load)
    copy(x, step)
    x[:] = 0.0
    for r in range(m):
        # what is still missing of c
        work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, ROW_VALUE.SOLVE]
        work.row[r, ROW_VALUE.SOLVE] = 0.0
    passes, before = 0, 0.0
    while passes < most:
        # residual of both equations at (x, λ), with the penalty added
        if passes > 0:
            apply_mass(system, x, step)
            for c in range(n):
                step[c] = load[c] - step[c]
        for r in range(m):
            row = work.row[r]
            push = row[ROW_VALUE.SOLVE] + row[ROW_VALUE.WEIGHT] * row[ROW_VALUE.RESIDUAL]
            add_row(system, work.grad, r, push, step)
        for i in range(n):
            ordered[i] = step[order[i]]
        ldl.solve(
            system.velocity_nodes, system.velocity_columns, matrix, diagonals[DIAGONAL.INVERSE], ordered
        )
        moved, size = 0.0, 0.0
        for i in range(n):
            c = order[i]
            step[c] = ordered[i]
            x[c] += ordered[i]
            moved, size = max(moved, abs(ordered[i])), max(size, abs(x[c]))
        for r in range(m):
            gap = work.row[r, ROW_VALUE.RESIDUAL] - row_times(system, work.grad, r, step)
            work.row[r, ROW_VALUE.RESIDUAL] = gap
            work.row[r, ROW_VALUE.SOLVE] += work.row[r, ROW_VALUE.WEIGHT] * gap
        passes += 1
        share, before = moved / before if before > 0.0 else math.inf, moved
        if moved <= enough * size or (share < CLEAR and share * moved <= NEGLIGIBLE * enough * size):
            break
    return passes
