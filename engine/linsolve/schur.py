"""Solver for mechanisms whose bodies all have mass and inertia: the complement S = J M⁻¹ Jᵀ of the rows.

S is symmetric and its pattern follows the joints that share a body, so it is factored inside an envelope
whose order was chosen at compile time. A row whose pivot vanishes repeats others at this pose: its
multiplier is zero and the rest carries the load, which leaves accelerations unchanged. Pivots that nearly
vanish belong to poses near a singular one: they are raised a little, which bounds the multipliers, and
refinement on the true residual c − J x takes the effect out again.
"""

from engine.kernel import inlined, kernel
from engine.linsolve.base import (
    DEPENDENT,
    LARGE,
    NEAR_SINGULAR,
    SolverKind,
    apply_inverse_mass,
    envelope_factor,
    envelope_solve,
)
from engine.packing import open_system, open_work
from engine.problems import (
    B_PLANAR,
    B_V,
    BR_INERTIA_INV,
    BR_MASS_INV,
    C_FACTORISATIONS,
    C_GUILTY,
    INFO_LEFT_OUT,
    INFO_RAISED,
    INFO_WORST,
    LD_INFO,
    LD_INVERSE,
    LD_ORDERED,
    R_ACTIVE,
    RV_RESIDUAL,
    RV_SOLVE,
    V_FREE,
    Array,
    Packed,
    StepStatus,
    System,
    Work,
)

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
ENOUGH = 1e-13  # relative residual at which refinement stops


@inlined
def gather(system: System, work: Work) -> None:
    """Blocks of J and of M⁻¹Jᵀ as columns of the panel, body by body.

    All that follows runs along its lines.
    """
    m, grad, panel = system.rows.shape[0], work.grad, work.panel
    for b in range(system.bodies.shape[0] - 1):
        begin, end = system.order[2 * m + b], system.order[2 * m + b + 1]
        real, planar = system.body_reals[b], system.bodies[b, B_PLANAR]
        k = real[BR_MASS_INV]
        if planar:
            turn = real[BR_INERTIA_INV + 8]
            for s in range(begin, end):
                block = grad[system.incidence[s, 1]]
                panel[0, s], panel[1, s], panel[2, s] = block[0], block[1], block[2]
            for s in range(begin, end):
                panel[6, s], panel[7, s], panel[8, s] = k * panel[0, s], k * panel[1, s], turn * panel[2, s]
            continue
        for s in range(begin, end):
            block = grad[system.incidence[s, 1]]
            panel[0, s], panel[1, s], panel[2, s] = block[0], block[1], block[2]
            panel[3, s], panel[4, s], panel[5, s] = block[3], block[4], block[5]
        j = BR_INERTIA_INV
        xx, yx, zx = real[j], real[j + 3], real[j + 6]
        xy, yy, zy = real[j + 1], real[j + 4], real[j + 7]
        xz, yz, zz = real[j + 2], real[j + 5], real[j + 8]
        for s in range(begin, end):
            x, y, z = panel[3, s], panel[4, s], panel[5, s]
            panel[6, s], panel[7, s], panel[8, s] = k * panel[0, s], k * panel[1, s], k * panel[2, s]
            panel[9, s] = xx * x + xy * y + xz * z
            panel[10, s] = yx * x + yy * y + yz * z
            panel[11, s] = zx * x + zy * y + zz * z


@inlined
def assemble(system: System, work: Work) -> None:
    """Upper triangle of S: the products of all pairs of columns that meet at a body."""
    m, matrix, panel = system.rows.shape[0], work.matrix, work.panel
    product = panel[12]
    for i in range(m):
        row = matrix[i]
        for j in range(i, system.order[m + i]):
            row[j] = 0.0
    for b in range(system.bodies.shape[0] - 1):
        begin, end = system.order[2 * m + b], system.order[2 * m + b + 1]
        if system.bodies[b, B_PLANAR]:
            for s in range(begin, end):
                row = matrix[system.incidence[s, 0]]
                x, y, a = panel[6, s], panel[7, s], panel[8, s]
                for u in range(s, end):
                    product[u] = x * panel[0, u] + y * panel[1, u] + a * panel[2, u]
                for u in range(s, end):
                    row[system.incidence[u, 0]] += product[u]
            continue
        for s in range(begin, end):
            row = matrix[system.incidence[s, 0]]
            x, y, z, a, c, d = panel[6, s], panel[7, s], panel[8, s], panel[9, s], panel[10, s], panel[11, s]
            for u in range(s, end):
                product[u] = (
                    x * panel[0, u] + y * panel[1, u] + z * panel[2, u]
                    + a * panel[3, u] + c * panel[4, u] + d * panel[5, u]
                )  # fmt: skip
            for u in range(s, end):
                row[system.incidence[u, 0]] += product[u]


@kernel
def factor(packed: Packed) -> int:
    system, work = open_system(packed), open_work(packed)
    m = system.rows.shape[0]
    info = work.diagonal[LD_INFO]
    info[INFO_WORST], info[INFO_LEFT_OUT], info[INFO_RAISED] = 1.0, 0.0, 0.0
    if m == 0:
        return OK
    gather(system, work)
    assemble(system, work)
    for i in range(m):
        r = system.order[i]
        if system.rows[r, R_ACTIVE] == 0:
            work.matrix[i, i] = 1.0
        if not work.matrix[i, i] < LARGE:
            work.counters[C_GUILTY] = r
            return NOT_FINITE
    diagonal = work.diagonal
    envelope_factor(
        work.matrix,
        system.order[m : 2 * m],
        diagonal[LD_INVERSE],
        m,
        DEPENDENT,
        NEAR_SINGULAR,
        diagonal[LD_INFO],
    )
    work.counters[C_FACTORISATIONS] += 1
    return OK


@inlined
def add_reactions(system: System, work: Work, x: Array) -> None:
    """x += M⁻¹Jᵀ times the ordered multipliers."""
    m, ordered, panel = system.rows.shape[0], work.diagonal[LD_ORDERED], work.panel
    push = panel[12]
    for b in range(system.bodies.shape[0] - 1):
        begin, end, at = system.order[2 * m + b], system.order[2 * m + b + 1], system.bodies[b, B_V]
        for s in range(begin, end):
            push[s] = ordered[system.incidence[s, 0]]
        f, g, h, a, c, d = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for s in range(begin, end):
            f += push[s] * panel[6, s]
            g += push[s] * panel[7, s]
            h += push[s] * panel[8, s]
        x[at] += f
        x[at + 1] += g
        x[at + 2] += h
        if system.bodies[b, B_PLANAR] == 0:
            for s in range(begin, end):
                a += push[s] * panel[9, s]
                c += push[s] * panel[10, s]
                d += push[s] * panel[11, s]
            x[at + 3] += a
            x[at + 4] += c
            x[at + 5] += d


@inlined
def residual(system: System, work: Work, x: Array) -> float:
    """Ordered c − J x, and its largest entry."""
    m, ordered, panel = system.rows.shape[0], work.diagonal[LD_ORDERED], work.panel
    product = panel[12]
    for i in range(m):
        ordered[i] = work.row[system.order[i], RV_RESIDUAL]
    for b in range(system.bodies.shape[0] - 1):
        begin, end, at = system.order[2 * m + b], system.order[2 * m + b + 1], system.bodies[b, B_V]
        f, g, h = x[at], x[at + 1], x[at + 2]
        if system.bodies[b, B_PLANAR]:
            for s in range(begin, end):
                product[s] = f * panel[0, s] + g * panel[1, s] + h * panel[2, s]
        else:
            a, c, d = x[at + 3], x[at + 4], x[at + 5]
            for s in range(begin, end):
                product[s] = (
                    f * panel[0, s] + g * panel[1, s] + h * panel[2, s]
                    + a * panel[3, s] + c * panel[4, s] + d * panel[5, s]
                )  # fmt: skip
        for s in range(begin, end):
            ordered[system.incidence[s, 0]] -= product[s]
    size = 0.0
    for i in range(m):
        size = max(size, abs(ordered[i]))
    return size


@kernel
def solve(packed: Packed, refinements: int) -> int:
    """Multipliers from S λ = c − J M⁻¹ f, then x = M⁻¹(f + Jᵀλ), with the gradients that were factored."""
    system, work = open_system(packed), open_work(packed)
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
