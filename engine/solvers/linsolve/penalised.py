"""The penalised mass matrix A = M + Jᵀ ρ J, and the augmented Lagrangian iteration with it.

A is positive definite as soon as every free motion moves some mass, also where M itself has no inverse and
where rows repeat each other. Every row has its own ρ: a plain number times the mass that it moves, so that
rows of different units count alike. The iteration

    A x = f + Jᵀ(λ + ρ c),   λ ← λ − ρ (J x − c),

contracts by 1/(1 + ρ μ), μ the smallest non-zero eigenvalue of J M⁻¹ Jᵀ; its first pass is the penalty
method. The symmetric factor stays inside an envelope: `last[i]` is the end of row i of the matrix.
"""

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, StepStatus, System, Work
from engine.maths.arrays import copy
from engine.solvers.linsolve.base import (
    LARGE,
    add_mass,
    apply_mass,
    envelope_factor,
    envelope_solve,
    times_jacobian,
)
from engine.solvers.linsolve.rows import add_row

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
MIN_MASS = 1e-10  # of the largest mass: a row that moves less moves massless parts only; it gets the largest
MULTIPLIER_TOLERANCE = 1e-14  # relative change at which the iteration stops
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


@inlined
def fill_mass(system: System, matrix: Array, n: int) -> None:
    """The leading n × n part of the matrix becomes M."""
    for i in range(n):
        for j in range(n):
            matrix[i, j] = 0.0
    add_mass(system, 1.0, matrix)


@inlined
def add_penalties(system: System, work: Work, matrix: Array) -> None:
    """matrix += Jᵀ ρ J, over the blocks that meet in a row."""
    grad = work.grad
    for r in range(system.rows.shape[0]):
        begin, rho = (
            system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCK],
            work.row[r, ROW_VALUE.WEIGHT],
        )
        end = begin + system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCKS]
        for i in range(begin, end):
            a = system.block_bodies[i]
            row = system.bodies[a, BODY.V]
            for j in range(begin, end):
                b = system.block_bodies[j]
                column = system.bodies[b, BODY.V]
                if row >= 0 and column >= 0:
                    for u in range(system.bodies[a, BODY.NV]):
                        for w in range(system.bodies[b, BODY.NV]):
                            matrix[row + u, column + w] += rho * grad[i, u] * grad[j, w]


@kernel
def envelope(system: System, last: Ints, n: int) -> None:
    """last[i]: end of row i in the upper triangle of the penalised matrix, in the order of the bodies."""
    for b in range(system.bodies.shape[0] - 1):
        at = system.bodies[b, BODY.V]
        for c in range(system.bodies[b, BODY.NV]):
            last[at + c] = at + system.bodies[b, BODY.NV]
    for r in range(system.rows.shape[0]):
        begin = system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCK]
        end, first, reach = (
            begin + system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCKS],
            n,
            0,
        )
        for k in range(begin, end):
            body = system.block_bodies[k]
            at = system.bodies[body, BODY.V]
            if at >= 0:
                first, reach = min(first, at), max(reach, at + system.bodies[body, BODY.NV])
        for i in range(first, reach):
            last[i] = max(last[i], reach)
    for i in range(1, n):
        last[i] = max(last[i], last[i - 1])  # fill-in reaches as far as the row above


@inlined
def factor_penalised(system: System, work: Work, matrix: Array, last: Ints, diagonals: Array, n: int) -> int:
    """A with the present gradients and weights, factored in place; status OK or NOT_FINITE."""
    fill_mass(system, matrix, n)
    add_penalties(system, work, matrix)
    for i in range(n):
        if not matrix[i, i] < LARGE:
            work.counters[COUNT.OFFENDER] = i
            return NOT_FINITE
    envelope_factor(matrix, last, diagonals, n, MASSLESS, 0.0)
    work.counters[COUNT.FACTORISATIONS] += 1
    return OK


@inlined
def iterate(
    system: System, work: Work, matrix: Array, last: Ints, diagonals: Array, n: int, most: int, enough: float
) -> int:
    """Solve M x = f + Jᵀλ, J x = c with the factor of A; returns the number of passes.

    In residual form: every pass solves for what is still missing. f → x in VECTOR.FREE, c → λ in
    ROW_VALUE.SOLVE.
    """
    m, x, ordered = system.rows.shape[0], work.vectors[VECTOR.FREE], diagonals[DIAGONAL.ORDERED]
    load, step = work.vectors[VECTOR.STEP], work.vectors[VECTOR.TRIAL]
    copy(x, load)
    x[:] = 0.0
    for r in range(m):
        work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, ROW_VALUE.SOLVE]
        work.row[r, ROW_VALUE.SOLVE] = 0.0
    passes = 0
    while passes < most:
        passes += 1
        # residual of both equations at (x, λ), with the penalty added
        apply_mass(system, x, step)
        for c in range(n):
            step[c] = load[c] - step[c]
        for r in range(m):
            gap = work.row[r, ROW_VALUE.RESIDUAL] - times_jacobian(system, work, r, x)
            add_row(
                system, work.grad, r, work.row[r, ROW_VALUE.SOLVE] + work.row[r, ROW_VALUE.WEIGHT] * gap, step
            )
        copy(step, ordered)
        envelope_solve(matrix, last, diagonals[DIAGONAL.INVERSE], n, ordered)
        moved, size = 0.0, 0.0
        for c in range(n):
            x[c] += ordered[c]
            moved, size = max(moved, abs(ordered[c])), max(size, abs(x[c]))
        for r in range(m):
            gap = work.row[r, ROW_VALUE.RESIDUAL] - times_jacobian(system, work, r, x)
            work.row[r, ROW_VALUE.SOLVE] += work.row[r, ROW_VALUE.WEIGHT] * gap
        if moved <= enough * size:
            break
    return passes
