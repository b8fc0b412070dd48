"""Solver for mechanisms with massless parts: the augmented matrix A = M + ρ JᵀJ of the velocities.

A is positive definite as soon as every free motion moves some mass, also where M itself has no inverse. The
multipliers follow from the augmented Lagrangian iteration

    A x = f + Jᵀ(λ + ρ c),   λ ← λ − ρ (J x − c),

which contracts by 1/(1 + ρ μ), μ the smallest non-zero eigenvalue of J M⁻¹ Jᵀ. Dependent rows do no harm.
Every row is scaled by its own ρ so that the two parts of A are of comparable size times `STIFFNESS`.
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
    INFO_LEFT_OUT,
    INFO_RAISED,
    LD_INFO,
    LD_INVERSE,
    LD_ORDERED,
    RV_RESIDUAL,
    RV_SOLVE,
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
STIFFNESS = 1e6  # weight of the constraints against the mass
ENOUGH = 1e-14  # relative residual at which the iteration stops
ITERATIONS = 12
MASSLESS = 1e-15  # share of the diagonal that keeps pivots positive; motions without mass are refused before


@inlined
def _scale(system: System) -> float:
    """ρ: the largest mass times the stiffness. Rows are of order one in translation, so this balances A."""
    largest = 0.0
    for b in range(system.bodies.shape[0] - 1):
        largest = max(largest, system.body_reals[b, BR_MASS])
    return STIFFNESS * largest


@kernel
def factor(packed: Packed) -> int:
    system, work = open_system(packed), open_work(packed)
    m, n, matrix, grad = system.rows.shape[0], work.matrix.shape[0], work.matrix, work.grad
    rho = _scale(system)
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
        begin = system.gauges[system.rows[r, 0], 0]
        end = begin + system.gauges[system.rows[r, 0], 1]
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
    envelope_factor(matrix, system.order[m : m + n], work.diagonal[LD_INVERSE], n, MASSLESS, info)
    work.counters[C_FACTORISATIONS] += 1
    info[INFO_LEFT_OUT], info[INFO_RAISED] = (
        0.0,
        0.0,
    )  # small pivots are expected here: they belong to the weight of the rows
    return OK


@inlined
def _add_transposed(system: System, work: Work, r: int, k: float, out: Array) -> None:
    begin = system.gauges[system.rows[r, 0], 0]
    for block in range(begin, begin + system.gauges[system.rows[r, 0], 1]):
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
    rho = _scale(system)
    copy(x, load)
    x[:] = 0.0
    for r in range(m):
        work.row[r, RV_RESIDUAL] = work.row[r, RV_SOLVE]
        work.row[r, RV_SOLVE] = 0.0
    largest = 0.0
    for _ in range(ITERATIONS):
        # residual of both equations at (x, λ), with the penalty added
        apply_mass(system, x, step)
        missing = 0.0
        for c in range(n):
            step[c] = load[c] - step[c]
        for r in range(m):
            gap = work.row[r, RV_RESIDUAL] - times_jacobian(system, work, r, x)
            missing = max(missing, abs(gap))
            _add_transposed(system, work, r, work.row[r, RV_SOLVE] + rho * gap, step)
        largest = max(largest, missing)
        ordered = work.diagonal[LD_ORDERED]
        copy(step, ordered)
        envelope_solve(work.matrix, system.order[m : m + n], work.diagonal[LD_INVERSE], n, ordered)
        moved, size = 0.0, 0.0
        for c in range(n):
            x[c] += ordered[c]
            moved, size = max(moved, abs(ordered[c])), max(size, abs(x[c]))
        for r in range(m):
            gap = work.row[r, RV_RESIDUAL] - times_jacobian(system, work, r, x)
            work.row[r, RV_SOLVE] += rho * gap
        if moved <= ENOUGH * size:
            break
    return OK


KIND = SolverKind("augmented", factor, solve, by_rows=False)
