"""Solver for mechanisms whose bodies all have mass and inertia: the complement S = J M⁻¹ Jᵀ of the rows.

S is symmetric and its pattern follows the joints that share a body, so it is factored inside an envelope
whose order was chosen at compile time. A row whose pivot vanishes is redundant at this pose: its
multiplier is zero and the rest carries the load, which leaves accelerations unchanged. Pivots that nearly
vanish belong to poses near a singular one: they are raised a little, which bounds the multipliers, and
refinement on the true residual c − J x takes the effect out again.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import alike as ALIKE
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined, inlined_fast, kernel
from engine.compiled.layout import Array, Packed, StepStatus, System, Work
from engine.maths.arrays import index
from engine.solvers.linsolve.base import DEPENDENT, NEAR_SINGULAR, SolverKind, apply_inverse_mass
from engine.solvers.linsolve.envelope import envelope_factor, envelope_solve
from engine.solvers.linsolve.rows import ONE

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
RESIDUAL_TOLERANCE = 1e-14  # of the right-hand side: the residual at which refinement stops


@inlined_fast
def solve_ordered(system: System, work: Work, x: Array) -> None:
    """x ← S⁻¹ x in the order of the factor."""
    inverse, m = work.diagonal[DIAGONAL.INVERSE], system.rows.shape[0]
    envelope_solve(work.matrix, system.row_starts, system.row_ends, inverse, m, x)


@inlined_fast
def gather(system: System, work: Work) -> None:
    """Blocks of J and of M⁻¹Jᵀ side by side, body by body: all that follows runs along these lines."""
    grad, panel, starts = work.grad, work.panel, system.incidence_starts
    for b in range(system.bodies.shape[0] - 1):
        begin, end, real = index(starts[b]), index(starts[b + 1]), system.body_reals[b]
        k, j = real[BODY_REAL.MASS_INV], BODY_REAL.INERTIA_INV
        if system.bodies[b, BODY.PLANAR]:
            turn = real[j + 8]
            for s in range(begin, end):
                block, line = grad[index(system.incidence[s, 1])], panel[s]
                line[0], line[1], line[2] = block[0], block[1], block[2]
                line[6], line[7], line[8] = k * block[0], k * block[1], turn * block[2]
            continue
        xx, yx, zx = real[j], real[j + 3], real[j + 6]
        xy, yy, zy = real[j + 1], real[j + 4], real[j + 7]
        xz, yz, zz = real[j + 2], real[j + 5], real[j + 8]
        for s in range(begin, end):
            block, line = grad[index(system.incidence[s, 1])], panel[s]
            x, y, z = block[3], block[4], block[5]
            line[0], line[1], line[2] = block[0], block[1], block[2]
            line[3], line[4], line[5] = x, y, z
            line[6], line[7], line[8] = k * block[0], k * block[1], k * block[2]
            line[9] = xx * x + xy * y + xz * z
            line[10] = yx * x + yy * y + yz * z
            line[11] = zx * x + zy * y + zz * z


@inlined_fast
def _straight_in_space(system: System, work: Work, begin: int, end: int) -> None:
    """Products of the turns of all rows of a body in space, two rows at a time."""
    matrix, panel, place, first = work.matrix, work.panel, system.incidence, system.row_starts
    s = begin
    while s + ONE < end:
        row, p, q = matrix[index(first[index(place[s, 0])]) :], panel[s], panel[s]
        a, c, d = p[9], p[10], p[11]
        row[index(place[s, 0])] += a * q[3] + c * q[4] + d * q[5]
        s += ONE
        row2, p = matrix[index(first[index(place[s, 0])]) :], panel[s]
        a2, c2, d2 = p[9], p[10], p[11]
        for u in range(s, end):
            q, at = panel[u], index(place[u, 0])
            k, m, n = q[3], q[4], q[5]
            one = a * k + c * m + d * n
            two = a2 * k + c2 * m + d2 * n
            row[at] += one
            row2[at] += two
        s += ONE
    if s < end:
        row, p = matrix[index(first[index(place[s, 0])]) :], panel[s]
        row[index(place[s, 0])] += p[9] * p[3] + p[10] * p[4] + p[11] * p[5]


@inlined_fast
def assemble(system: System, work: Work) -> None:
    """Upper triangle of S: the products of all pairs of blocks that meet at a body.

    Those of a straight body share no direction but where they are alike (`system/compiling/alike.py`).
    """
    matrix, panel, starts, alike = work.matrix, work.panel, system.incidence_starts, system.alike
    place, first = system.incidence, system.row_starts
    # the rows that hold have a part of the envelope of all; the last of them ends it
    last = system.row_starts.shape[0] - 1
    for i in range(index(0), index(first[last] + system.row_ends[last])):
        matrix[i] = 0.0
    for b in range(system.bodies.shape[0] - 1):
        begin, end = index(starts[b]), index(starts[b + 1])
        if system.bodies[b, BODY.PLANAR]:
            for s in range(begin, end):
                row, p = matrix[index(first[index(place[s, 0])]) :], panel[s]
                x, y, a = p[6], p[7], p[8]
                for u in range(s, end):
                    q = panel[u]
                    row[index(place[u, 0])] += x * q[0] + y * q[1] + a * q[2]
            continue
        if system.bodies[b, BODY.STRAIGHT]:
            _straight_in_space(system, work, begin, end)
            for k in range(index(system.alike_starts[b]), index(system.alike_starts[b + 1])):
                axis = index(alike[k, ALIKE.AXIS])
                push = panel[index(alike[k, ALIKE.FIRST]), axis + index(6)]
                matrix[index(alike[k, ALIKE.PLACE])] += push * panel[index(alike[k, ALIKE.SECOND]), axis]
            continue
        s = begin
        while s + ONE < end:  # two lines at a time, so that the others are read half as often
            row, p, q = matrix[index(first[index(place[s, 0])]) :], panel[s], panel[s]
            x, y, z, a, c, d = p[6], p[7], p[8], p[9], p[10], p[11]
            row[index(place[s, 0])] += x * q[0] + y * q[1] + z * q[2] + a * q[3] + c * q[4] + d * q[5]
            s += ONE
            row2, p = matrix[index(first[index(place[s, 0])]) :], panel[s]
            x2, y2, z2, a2, c2, d2 = p[6], p[7], p[8], p[9], p[10], p[11]
            for u in range(s, end):
                q, at = panel[u], index(place[u, 0])
                f, g, h, k, m, n = q[0], q[1], q[2], q[3], q[4], q[5]
                one = x * f + y * g + z * h + a * k + c * m + d * n
                two = x2 * f + y2 * g + z2 * h + a2 * k + c2 * m + d2 * n
                row[at] += one
                row2[at] += two
            s += ONE
        if s < end:
            row, p = matrix[index(first[index(place[s, 0])]) :], panel[s]
            row[index(place[s, 0])] += (
                p[6] * p[0] + p[7] * p[1] + p[8] * p[2] + p[9] * p[3] + p[10] * p[4] + p[11] * p[5]
            )


@kernel
def factor(packed: Packed) -> int:
    system, work = open_system(packed), open_work(packed)
    m, info = system.rows.shape[0], work.diagonal[DIAGONAL.INFO]
    if m == 0:
        info[PIVOT.WORST], info[PIVOT.LEFT_OUT], info[PIVOT.RAISED] = 1.0, 0.0, 0.0
        return OK
    gather(system, work)
    assemble(system, work)
    envelope_factor(
        work.matrix, system.row_starts, system.row_ends, work.diagonal, m, DEPENDENT, NEAR_SINGULAR
    )
    if info[PIVOT.USUAL] == 0.0:
        # the first factor belongs to the assembled start: which rows are redundant is clear there
        for i in range(m):
            work.diagonal[DIAGONAL.MASK, i] = work.diagonal[DIAGONAL.INVERSE, i] == 0.0
    work.counters[COUNT.FACTORISATIONS] += 1
    return OK


@inlined_fast
def add_reactions(system: System, work: Work, x: Array) -> None:
    """x += M⁻¹Jᵀ times the ordered multipliers."""
    ordered, panel, starts = work.diagonal[DIAGONAL.ORDERED], work.panel, system.incidence_starts
    for b in range(system.bodies.shape[0] - 1):
        begin, end, at = index(starts[b]), index(starts[b + 1]), system.bodies[b, BODY.V]
        f, g, h, a, c, d = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if system.bodies[b, BODY.PLANAR]:
            for s in range(begin, end):
                k, line = ordered[index(system.incidence[s, 0])], panel[s]
                f += k * line[6]
                g += k * line[7]
                h += k * line[8]
        else:
            for s in range(begin, end):
                k, line = ordered[index(system.incidence[s, 0])], panel[s]
                f += k * line[6]
                g += k * line[7]
                h += k * line[8]
                a += k * line[9]
                c += k * line[10]
                d += k * line[11]
            x[at + 3] += a
            x[at + 4] += c
            x[at + 5] += d
        x[at] += f
        x[at + 1] += g
        x[at + 2] += h


@inlined_fast
def subtract_product(system: System, work: Work, x: Array) -> None:
    """Take J x off the ordered numbers."""
    ordered, panel, starts = work.diagonal[DIAGONAL.ORDERED], work.panel, system.incidence_starts
    place = system.incidence
    for b in range(system.bodies.shape[0] - 1):
        begin, end, at = index(starts[b]), index(starts[b + 1]), system.bodies[b, BODY.V]
        f, g, h = x[at], x[at + 1], x[at + 2]
        if system.bodies[b, BODY.PLANAR]:
            for s in range(begin, end):
                q = panel[s]
                ordered[index(place[s, 0])] -= f * q[0] + g * q[1] + h * q[2]
        else:
            a, c, d = x[at + 3], x[at + 4], x[at + 5]
            for s in range(begin, end):
                q = panel[s]
                ordered[index(place[s, 0])] -= f * q[0] + g * q[1] + h * q[2] + a * q[3] + c * q[4] + d * q[5]


@inlined
def refine(system: System, work: Work, x: Array, refinements: int) -> None:
    """Solve for what is left of c − J x; c is in ROW_VALUE.RESIDUAL. Stops early when nothing is."""
    m, ordered, largest = system.rows.shape[0], work.diagonal[DIAGONAL.ORDERED], 0.0
    for r in range(m):
        largest = max(largest, abs(work.row[r, ROW_VALUE.RESIDUAL]))
    for _ in range(refinements):
        for i in range(m):
            ordered[i] = work.row[system.order[i], ROW_VALUE.RESIDUAL]
        subtract_product(system, work, x)
        left = 0.0
        for i in range(m):
            left = max(left, abs(ordered[i]))
        if left <= RESIDUAL_TOLERANCE * largest:
            break
        solve_ordered(system, work, ordered)
        for i in range(m):
            work.row[system.order[i], ROW_VALUE.SOLVE] += ordered[i]
        add_reactions(system, work, x)


@kernel
def solve(packed: Packed, refinements: int) -> int:
    """Multipliers from S λ = c − J M⁻¹ f, then x = M⁻¹(f + Jᵀλ), with the gradients that were factored."""
    system, work = open_system(packed), open_work(packed)
    m, x, ordered = system.rows.shape[0], work.vectors[VECTOR.FREE], work.diagonal[DIAGONAL.ORDERED]
    apply_inverse_mass(system, x, x)
    for i in range(m):
        ordered[i] = work.row[index(system.order[i]), ROW_VALUE.SOLVE]
    if refinements > 0:
        for r in range(m):
            work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, ROW_VALUE.SOLVE]
    subtract_product(system, work, x)
    solve_ordered(system, work, ordered)
    for i in range(m):
        work.row[index(system.order[i]), ROW_VALUE.SOLVE] = ordered[i]
    add_reactions(system, work, x)
    if refinements > 0:
        refine(system, work, x, refinements)
    return OK


@kernel
def accelerate(packed: Packed) -> int:
    """As `solve`, from Q and γ to a and λ in their places."""
    system, work = open_system(packed), open_work(packed)
    m, a, ordered = system.rows.shape[0], work.vectors[VECTOR.A], work.diagonal[DIAGONAL.ORDERED]
    apply_inverse_mass(system, work.vectors[VECTOR.Q], a)
    for i in range(m):
        ordered[i] = work.row[index(system.order[i]), ROW_VALUE.GAMMA]
    subtract_product(system, work, a)
    solve_ordered(system, work, ordered)
    for i in range(m):
        work.row[index(system.order[i]), ROW_VALUE.LAMBDA] = ordered[i]
    add_reactions(system, work, a)
    return OK


KIND = SolverKind("schur", factor, solve, accelerate, by_rows=True)
