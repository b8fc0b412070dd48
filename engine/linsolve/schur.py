"""Solver for mechanisms whose bodies all have mass and inertia: the complement S = J M⁻¹ Jᵀ of the constraint rows.

S is symmetric and its pattern follows the joints that share a body, so it is factored inside an envelope whose order
was chosen at compile time. Dependent rows make S singular; a small regularisation keeps the factor finite and
refinement on the true residual J x − c restores the answer (a proximal iteration that converges to a least-norm-like
set of multipliers and the exact acceleration).
"""

from engine.kernel import fast_kernel, kernel
from engine.linsolve.base import (
    LARGE,
    REGULARISATION,
    SolverKind,
    apply_inverse_mass,
    envelope_cholesky,
    envelope_solve,
    times_jacobian,
)
from engine.problems import (
    B_PLANAR,
    B_V,
    BR_INERTIA_INV,
    BR_MASS_INV,
    C_FACTORISATIONS,
    C_GUILTY,
    LD_INFO,
    LD_INVERSE,
    LD_ORDERED,
    R_ACTIVE,
    RV_RESIDUAL,
    RV_SOLVE,
    V_FREE,
    Array,
    StepStatus,
    System,
    Work,
)

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
ENOUGH = 1e-14  # relative residual at which refinement stops


@fast_kernel
def assemble(system: System, work: Work) -> None:
    """S from the blocks that meet at each body."""
    m, matrix, grad = system.rows.shape[0], work.matrix, work.grad
    for i in range(m):
        for j in range(system.order[m + i], i + 1):
            matrix[i, j] = 0.0
    for b in range(system.bodies.shape[0] - 1):
        begin, end = system.order[2 * m + b], system.order[2 * m + b + 1]
        real, planar = system.body_reals[b], system.bodies[b, B_PLANAR]
        k = real[BR_MASS_INV]
        for s in range(begin, end):
            i, g = system.incidence[s, 0], grad[system.incidence[s, 1]]
            if planar:
                x, y, a = k * g[0], k * g[1], real[BR_INERTIA_INV + 8] * g[2]
                for u in range(begin, s + 1):
                    h = grad[system.incidence[u, 1]]
                    matrix[i, system.incidence[u, 0]] += x * h[0] + y * h[1] + a * h[2]
            else:
                x, y, z = k * g[0], k * g[1], k * g[2]
                j = real[BR_INERTIA_INV : BR_INERTIA_INV + 9]
                a = j[0] * g[3] + j[1] * g[4] + j[2] * g[5]
                c = j[3] * g[3] + j[4] * g[4] + j[5] * g[5]
                d = j[6] * g[3] + j[7] * g[4] + j[8] * g[5]
                for u in range(begin, s + 1):
                    h = grad[system.incidence[u, 1]]
                    matrix[i, system.incidence[u, 0]] += (
                        x * h[0] + y * h[1] + z * h[2] + a * h[3] + c * h[4] + d * h[5]
                    )


@kernel
def factor(system: System, work: Work) -> int:
    m = system.rows.shape[0]
    if m == 0:
        work.diagonal[LD_INFO, 0] = 1.0
        return OK
    assemble(system, work)
    for i in range(m):
        r = system.order[i]
        if system.rows[r, R_ACTIVE] == 0:
            work.matrix[i, i] = 1.0
        if not work.matrix[i, i] < LARGE:
            work.counters[C_GUILTY] = r
            return NOT_FINITE
    worst = envelope_cholesky(
        work.matrix, system.order[m : 2 * m], work.diagonal[LD_INVERSE], m, REGULARISATION
    )
    work.counters[C_FACTORISATIONS] += 1
    work.diagonal[LD_INFO, 0] = worst
    return OK


@fast_kernel
def add_reactions(system: System, work: Work, x: Array) -> None:
    """x += M⁻¹ Jᵀ times the ordered multipliers, body by body."""
    m, ordered, grad = system.rows.shape[0], work.diagonal[LD_ORDERED], work.grad
    for b in range(system.bodies.shape[0] - 1):
        real, at = system.body_reals[b], system.bodies[b, B_V]
        f, g, h, a, c, d = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for s in range(system.order[2 * m + b], system.order[2 * m + b + 1]):
            k, block = ordered[system.incidence[s, 0]], grad[system.incidence[s, 1]]
            f += k * block[0]
            g += k * block[1]
            h += k * block[2]
            a += k * block[3]
            c += k * block[4]
            d += k * block[5]
        k = real[BR_MASS_INV]
        x[at] += k * f
        x[at + 1] += k * g
        if system.bodies[b, B_PLANAR]:
            x[at + 2] += real[BR_INERTIA_INV + 8] * h
        else:
            x[at + 2] += k * h
            for n in range(3):
                j = BR_INERTIA_INV + 3 * n
                x[at + 3 + n] += real[j] * a + real[j + 1] * c + real[j + 2] * d


@kernel
def residual(system: System, work: Work, x: Array) -> float:
    """Ordered c − J x, and its largest entry."""
    m, ordered, size = system.rows.shape[0], work.diagonal[LD_ORDERED], 0.0
    for i in range(m):
        r = system.order[i]
        ordered[i] = work.row[r, RV_RESIDUAL] - times_jacobian(system, work, r, x)
        size = max(size, abs(ordered[i]))
    return size


@kernel
def solve(system: System, work: Work, refinements: int) -> int:
    """Multipliers from S λ = c − J M⁻¹ f, then x = M⁻¹(f + Jᵀλ)."""
    m, x, ordered = system.rows.shape[0], work.vectors[V_FREE], work.diagonal[LD_ORDERED]
    apply_inverse_mass(system, x, x)
    if m == 0:
        return OK
    for r in range(m):
        work.row[r, RV_RESIDUAL] = work.row[r, RV_SOLVE]
        work.row[r, RV_SOLVE] = 0.0
    size = residual(system, work, x)
    for k in range(refinements + 1):
        envelope_solve(work.matrix, system.order[m : 2 * m], work.diagonal[LD_INVERSE], m, ordered)
        for i in range(m):
            work.row[system.order[i], RV_SOLVE] += ordered[i]
        add_reactions(system, work, x)
        if k == refinements or residual(system, work, x) <= ENOUGH * size:
            break
    return OK


KIND = SolverKind("schur", factor, solve, by_rows=True)
