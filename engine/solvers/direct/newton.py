"""What the iterations of direct methods share: forces, counted linear algebra, the end of a step.

A direct method poses equilibrium and constraints at an instant of the step and solves them by Newton's
method. With x the unknown increment and constants c of the rule, the linear problem of one iteration is

    (c_a M − c_v D − c_q K) x − Jᵀμ = r,   J x = g,      K = ∂(Q + Jᵀλ)/∂q,  D = ∂Q/∂v.

`linsolve/saddle.py` solves it with a factor over the velocities, `reduction.py` in the null space of J.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_forces, call_solve
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, Ints, Packed, StepStatus, System, Work
from engine.solvers.linsolve import velocities
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.base import note_singular as note_singular  # direct methods take it from here
from engine.solvers.linsolve.lu import lu_factor
from engine.solvers.linsolve.nullspace import decompose_levels
from engine.solvers.linsolve.rows import add_row
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
    velocities.subtract_products(system, work.damping, dv, work.stiffness, dq, out)


# linear algebra, counted


@inlined
def factor_dense_rows(system: System, work: Work, n: int, matrix: Array, scale: Array, order: Ints) -> float:
    """Null space of the rows in the matrix, for positions and for velocities (`decompose_levels`)."""
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
