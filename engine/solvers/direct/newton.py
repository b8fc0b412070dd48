"""What the iterations of direct methods share: forces, iteration matrix, its solution, the end of a step.

A direct method poses equilibrium and constraints at an instant of the step and solves them by Newton's
method. With x the unknown increment and constants c of the rule, the linear problem of one iteration is

    (c_a M − c_v D − c_q K) x − Jᵀμ = r,   J x = g,      K = ∂(Q + Jᵀλ)/∂q,  D = ∂Q/∂v.

It is solved in the null space of J with the number of independent rows fixed, so redundant rows and singular
poses need no case of their own: x = P g + N s, Nᵀ A N s = Nᵀ(r − A P g), and μ from what is left.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_forces, call_solve
from engine.compiled.kernel import fast_kernel, inlined, kernel
from engine.compiled.layout import Array, Ints, Packed, StepStatus, System, Work
from engine.maths.arrays import index
from engine.solvers.linsolve import velocities
from engine.solvers.linsolve.base import add_mass, apply_mass
from engine.solvers.linsolve.base import note_singular as note_singular  # direct methods take it from here
from engine.solvers.linsolve.lu import lu_factor, lu_solve
from engine.solvers.linsolve.nullspace import (
    apply_orthogonal,
    apply_orthogonal_transposed,
    decompose_levels,
    least_norm,
    row_multipliers,
)
from engine.solvers.linsolve.rows import add_row, dense_rows
from engine.system.equations.equations import motion_powers

OK, NOT_SOLVED = int(StepStatus.OK), int(StepStatus.NOT_SOLVED)
NOT_FINITE = int(StepStatus.NOT_FINITE)


# forces


@inlined
def consistent_acceleration(packed: Packed, t: float, q: Array, v: Array) -> int:
    """a, λ and powers at a state that satisfies the constraints, left in the work arrays: how runs begin."""
    system, work = open_system(packed), open_work(packed)
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    status = call_factor(packed)
    if status == OK:
        for c in range(v.shape[0]):
            work.vectors[VECTOR.FREE, c] = work.vectors[VECTOR.Q, c]
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.SOLVE] = work.row[r, ROW_VALUE.GAMMA]
        status = call_solve(packed, 1)
        for c in range(v.shape[0]):
            work.vectors[VECTOR.A, c] = work.vectors[VECTOR.FREE, c]
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.LAMBDA] = work.row[r, ROW_VALUE.SOLVE]
        motion_powers(system, work)
    work.counters[COUNT.EVALUATIONS] += 1
    return int(status)


@inlined
def residual(system: System, work: Work, a: Array, with_reactions: bool, out: Array) -> None:
    """out = M a − Q, or M a − Q − Jᵀλ."""
    apply_mass(system, a, out)
    for c in range(a.shape[0]):
        out[c] -= work.vectors[VECTOR.Q, c]
    if with_reactions:
        for r in range(system.rows.shape[0]):
            add_row(system, work.grad, r, -work.row[r, ROW_VALUE.LAMBDA], out)


@inlined
def residual_change(system: System, work: Work, dq: Array, dv: Array, da: Array, out: Array) -> None:
    """out = M δa − D δv − K δq, the change of the residual force."""
    apply_mass(system, da, out)
    velocities.subtract_product(system, work.damping, dv, out)
    velocities.subtract_product(system, work.stiffness, dq, out)


@kernel
def iteration_matrix(system: System, work: Work, n: int, ca: float, cv: float, cq: float, out: Array) -> None:
    """out = c_a M − c_v D − c_q K, dense."""
    for i in range(n):
        row = out[i]
        for j in range(index(0), index(n)):
            row[j] = 0.0
    velocities.add_dense(system, -cv, work.damping, out)
    velocities.add_dense(system, -cq, work.stiffness, out)
    add_mass(system, ca, out)


# linear algebra, counted


@inlined
def factor_rows(system: System, work: Work, n: int, matrix: Array, scale: Array, order: Ints) -> float:
    """Null space of the present gradients, for positions and for velocities (`decompose_levels`)."""
    dense_rows(system, work.grad, n, matrix)
    return factor_dense_rows(system, work, n, matrix, scale, order)


@inlined
def factor_dense_rows(system: System, work: Work, n: int, matrix: Array, scale: Array, order: Ints) -> float:
    """The same for rows that stand in the matrix already, for instance with scaled columns."""
    m, rank = system.rows.shape[0], system.sizes[SIZE.RANK]
    share = decompose_levels(matrix, system.rows, n, system.sizes[SIZE.RANK_POSITION], rank, scale, order)
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += 2 * rank * m * n
    return share


@inlined
def lu(work: Work, matrix: Array, pivots: Ints, n: int) -> int:
    """`lu_factor`, counted; a vanishing pivot is blamed on the velocity with its number."""
    status = lu_factor(matrix, pivots, n)
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += n * n * n // 3 + n * n
    return int(status)


@fast_kernel
def solve_saddle(
    work: Work,
    n: int,
    rank: int,
    A: Array,
    rows: Array,
    scale: Array,
    order: Ints,
    reduced: Array,
    pivots: Ints,
    load: Array,
    right: int,
    column: Array,
    x: Array,
) -> int:
    """A x − Jᵀμ = load, J x = g by the null space of J; g and then μ stand in column `right` of the rows.

    `rows`, `scale`, `order` come from `factor_rows`; `rank` says how many of its rows count. `load` and
    `column` are destroyed; `reduced` takes the matrix of the degrees of freedom.
    """
    m, free = work.row.shape[0], n - rank
    least_norm(rows, n, rank, scale, order, work.row, right, x)
    for i in range(n):
        total, line = load[i], A[i]
        for c in range(index(0), index(n)):
            total -= line[c] * x[c]
        load[i] = total
    apply_orthogonal_transposed(rows, n, rank, scale, load)
    out = work.vectors[VECTOR.FREE]
    for j in range(free):
        for c in range(n):
            column[c] = 0.0
        column[rank + j] = 1.0
        apply_orthogonal(rows, n, rank, scale, column)
        for i in range(n):
            total, line = 0.0, A[i]
            for c in range(index(0), index(n)):
                total += line[c] * column[c]
            out[i] = total
        apply_orthogonal_transposed(rows, n, rank, scale, out)
        for i in range(free):
            reduced[i, j] = out[rank + i]
    status = lu(work, reduced, pivots, free)
    work.counters[COUNT.PRODUCTS] += free * (n * n + 4 * rank * n)
    if status != OK:
        return int(status)
    for c in range(n):
        column[c] = load[c] if c >= rank else 0.0
    lu_solve(reduced, pivots, free, column[rank:])
    apply_orthogonal(rows, n, rank, scale, column)
    for i in range(n):
        x[i] += column[i]
        total, line = 0.0, A[i]
        for c in range(index(0), index(n)):
            total += line[c] * column[c]
        out[i] = total
    apply_orthogonal_transposed(rows, n, rank, scale, out)
    for i in range(rank):
        out[i] -= load[i]
    row_multipliers(rows, m, rank, order, out, work.row, right)
    return OK


@inlined
def note_offender(work: Work, x: Array) -> None:
    """The velocity with the largest entry of x stopped the run; a number that is not finite comes first."""
    worst, offender = -1.0, 0
    for c in range(x.shape[0]):
        if not math.isfinite(x[c]):
            offender = c
            break
        if abs(x[c]) > worst:
            worst, offender = abs(x[c]), c
    work.counters[COUNT.OFFENDER] = offender


# the end of a step


@inlined
def add_work(work: Work, h: float, power: Array, works: Array) -> None:
    """Work integrals by the trapezoidal rule; `power` keeps the powers of the accepted state in y."""
    for k in range(power.shape[0]):
        works[k] += 0.5 * h * (power[k] + work.power[k])
        power[k] = work.power[k]


def largest_order(system: System) -> int:
    """Order of matrices that hold J or an iteration matrix over the velocities."""
    return max(int(system.sizes[SIZE.NQ]), len(system.rows))
