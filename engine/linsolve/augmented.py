"""Solver for mechanisms with massless parts: the augmented matrix A = M + Jᵀ ρ J of the velocities.

A is positive definite as soon as every free motion moves some mass, also where M itself has no inverse. The
multipliers follow from the augmented Lagrangian iteration

    A x = f + Jᵀ(λ + ρ c),   λ ← λ − ρ (J x − c),

which contracts by 1/(1 + ρ μ), μ the smallest non-zero eigenvalue of J M⁻¹ Jᵀ. Dependent rows do no harm.
Every row has its own ρ, `STIFFNESS` times the mass that it moves.
"""

from engine.kernel import inlined, kernel
from engine.linsolve.base import (
    LARGE,
    SolverKind,
    apply_mass,
    envelope_factor,
    envelope_solve,
    times_jacobian,
)
from engine.maths.arrays import copy
from engine.packing import open_system, open_work
from engine.problems import (
    B_NV,
    B_PLANAR,
    B_V,
    BR_INERTIA,
    BR_MASS,
    C_FACTORISATIONS,
    C_GUILTY,
    G_BLOCK,
    G_BLOCKS,
    INFO_LEFT_OUT,
    INFO_RAISED,
    LD_INFO,
    LD_INVERSE,
    LD_ORDERED,
    R_GAUGE,
    RV_RESIDUAL,
    RV_SOLVE,
    RV_WEIGHT,
    V_FREE,
    V_STEP,
    V_TRIAL,
    Array,
    Packed,
    StepStatus,
    System,
    Work,
)

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
STIFFNESS = 1e6  # weight of a row against the mass that it moves
LEAST = 1e-10  # of the largest mass: a row that moves less moves massless parts only; it gets the largest
ENOUGH = 1e-14  # relative change at which the iteration stops
ITERATIONS = 60
SLOW = 10  # passes: more of them mean that μ has nearly vanished, a pose near a singular one
MASSLESS = 1e-16  # share of the diagonal below which a pivot is left out; such motions are refused before


@inlined
def weigh_rows(system: System, work: Work) -> None:
    """ρ of every row: STIFFNESS m/G with G = J Jᵀ of the row alone and m = J M Jᵀ/G, the mass it moves."""
    largest = 0.0
    for b in range(system.bodies.shape[0] - 1):
        largest = max(largest, system.body_reals[b, BR_MASS], system.body_reals[b, BR_INERTIA + 8])
    for r in range(system.rows.shape[0]):
        square, moved = 0.0, 0.0
        begin = system.gauges[system.rows[r, R_GAUGE], G_BLOCK]
        for k in range(begin, begin + system.gauges[system.rows[r, R_GAUGE], G_BLOCKS]):
            body, block = system.block_bodies[k], work.grad[k]
            if system.bodies[body, B_V] < 0:
                continue
            real, width = system.body_reals[body], system.bodies[body, B_NV]
            for c in range(width):
                if width == 3:
                    mass = real[BR_INERTIA + 8] if c == 2 else real[BR_MASS]
                else:
                    mass = real[BR_MASS] if c < 3 else real[BR_INERTIA + 4 * (c - 3)]
                square += block[c] * block[c]
                moved += mass * block[c] * block[c]
        work.row[r, RV_WEIGHT] = 0.0
        if square > 0.0:
            mass = moved / square
            work.row[r, RV_WEIGHT] = STIFFNESS * (mass if mass > LEAST * largest else largest) / square


@kernel
def factor(packed: Packed) -> int:
    system, work = open_system(packed), open_work(packed)
    m, n, matrix, grad = system.rows.shape[0], work.matrix.shape[0], work.matrix, work.grad
    weigh_rows(system, work)
    matrix[:n] = 0.0
    for b in range(system.bodies.shape[0] - 1):
        at, real = system.bodies[b, B_V], system.body_reals[b]
        matrix[at, at], matrix[at + 1, at + 1] = real[BR_MASS], real[BR_MASS]
        if system.bodies[b, B_PLANAR]:
            matrix[at + 2, at + 2] = real[BR_INERTIA + 8]
        else:
            matrix[at + 2, at + 2] = real[BR_MASS]
            for i in range(3):
                for j in range(3):
                    matrix[at + 3 + i, at + 3 + j] = real[BR_INERTIA + 3 * i + j]
    for r in range(m):
        begin, rho = system.gauges[system.rows[r, R_GAUGE], G_BLOCK], work.row[r, RV_WEIGHT]
        end = begin + system.gauges[system.rows[r, R_GAUGE], G_BLOCKS]
        for i in range(begin, end):
            a = system.block_bodies[i]
            row = system.bodies[a, B_V]
            for j in range(begin, end):
                b = system.block_bodies[j]
                column = system.bodies[b, B_V]
                if row >= 0 and column >= 0:
                    for u in range(system.bodies[a, B_NV]):
                        for w in range(system.bodies[b, B_NV]):
                            matrix[row + u, column + w] += rho * grad[i, u] * grad[j, w]
    for i in range(n):
        if not matrix[i, i] < LARGE:
            work.counters[C_GUILTY] = i
            return NOT_FINITE
    info = work.diagonal[LD_INFO]
    envelope_factor(matrix, system.order[m : m + n], work.diagonal, n, MASSLESS, 0.0)
    work.counters[C_FACTORISATIONS] += 1
    info[INFO_LEFT_OUT] = 0.0  # dependent rows do not show here
    return OK


@inlined
def _add_transposed(system: System, work: Work, r: int, k: float, out: Array) -> None:
    begin = system.gauges[system.rows[r, R_GAUGE], G_BLOCK]
    for block in range(begin, begin + system.gauges[system.rows[r, R_GAUGE], G_BLOCKS]):
        body = system.block_bodies[block]
        at = system.bodies[body, B_V]
        if at >= 0:
            for c in range(system.bodies[body, B_NV]):
                out[at + c] += k * work.grad[block, c]


@kernel
def solve(packed: Packed, refinements: int) -> int:
    """Augmented Lagrangian iteration, in residual form: every pass solves for what is still missing."""
    system, work = open_system(packed), open_work(packed)
    m, n, x = system.rows.shape[0], work.matrix.shape[0], work.vectors[V_FREE]
    load, step = work.vectors[V_STEP], work.vectors[V_TRIAL]
    copy(x, load)
    x[:] = 0.0
    for r in range(m):
        work.row[r, RV_RESIDUAL] = work.row[r, RV_SOLVE]
        work.row[r, RV_SOLVE] = 0.0
    ordered = work.diagonal[LD_ORDERED]
    passes = 0
    while passes < ITERATIONS:
        passes += 1
        # residual of both equations at (x, λ), with the penalty added
        apply_mass(system, x, step)
        for c in range(n):
            step[c] = load[c] - step[c]
        for r in range(m):
            gap = work.row[r, RV_RESIDUAL] - times_jacobian(system, work, r, x)
            _add_transposed(system, work, r, work.row[r, RV_SOLVE] + work.row[r, RV_WEIGHT] * gap, step)
        copy(step, ordered)
        envelope_solve(work.matrix, system.order[m : m + n], work.diagonal[LD_INVERSE], n, ordered)
        moved, size = 0.0, 0.0
        for c in range(n):
            x[c] += ordered[c]
            moved, size = max(moved, abs(ordered[c])), max(size, abs(x[c]))
        for r in range(m):
            gap = work.row[r, RV_RESIDUAL] - times_jacobian(system, work, r, x)
            work.row[r, RV_SOLVE] += work.row[r, RV_WEIGHT] * gap
        if moved <= ENOUGH * size:
            break
    work.diagonal[LD_INFO, INFO_RAISED] = passes > SLOW
    return OK


KIND = SolverKind("augmented", factor, solve, by_rows=False)
