"""Newmark in the null space of the constraints (seed 000 §2.4): rows hold at three levels after a step.

In the coordinates x of `embedding.py`, with N a basis of what ẋ may be at a pose of the step and
z = x₀ + h ẋ₀ + h²(½ − β) ẍ₀, ż = ẋ₀ + h(1 − γ) ẍ₀ of the old state, the new state satisfies

    Nᵀ(x − z − h²β ẍ) = 0,   Nᵀ(ẋ − ż − hγ ẍ) = 0,
    Φ = 0,   J v = f',   J a = γ(q, v),   Nᵀ(M a − Q) = 0.

N is taken at the end of the step, or at its middle, which makes the rule symmetric in time. One
factorisation of J C⁻¹ gives N for coordinates and for forces. The unknowns of a Newton step are s = Nᵀδa; P
is the least-norm solver of J, and R, A, B are the tangents of the rows:

    δq = −P Φ + N(e_q + h²β s),   δv = −P(Φ' + R δq) + N(e_v + hγ s),   δa = −P(J a − γ + A δq + B δv) + N s

with e_q, e_v the amounts by which the first two equations fail. Rows of velocities only do not bind δq:
there N is larger. State vector y = (q, v, a, power, w).
"""

import math

from engine.calls import call_constraints, call_forces, call_tangents
from engine.kernel import inlined, kernel
from engine.linsolve.base import apply_mass
from engine.linsolve.lu import lu_solve
from engine.linsolve.nullspace import least_norm, multipliers, to_null, to_world
from engine.linsolve.rows import dense_rows, row_times
from engine.maths.arrays import copy
from engine.methods.base import DirectKind
from engine.methods.embedding import column_sizes, from_tangent, second_rates, to_tangent, turn_velocities
from engine.methods.frequency import largest_frequency
from engine.methods.newmark_rule import BETA, FOX_GOODWIN, GAMMA, LINEAR_ACCELERATION, OPTIONS
from engine.methods.newton import (
    NOT_SOLVED,
    OK,
    add_work,
    blame,
    change_of_unbalance,
    factor_dense_rows,
    largest_order,
    lu,
    note_singular,
    unbalance,
)
from engine.methods.one_step import begin, report, size
from engine.packing import open_system, open_work
from engine.problems import (
    B_PLANAR,
    C_EVALUATIONS,
    C_ITERATIONS,
    O_DIRECT,
    RV_GAMMA,
    RV_LAMBDA,
    RV_PHI,
    RV_RATE,
    RV_RESIDUAL,
    S_NQ,
    S_NV,
    S_QUADRATURES,
    S_RANK,
    S_RANK_POSITION,
    T_FREQUENCY,
    T_NOW,
    T_USED,
    TAN_ACC_Q,
    TAN_ACC_V,
    TAN_RATE_Q,
    V_A,
    Array,
    Ints,
    Option,
    Packed,
    Room,
    System,
)
from engine.system.equations import motion_powers
from engine.system.kinematics import coordinate_rates, difference, normalise, retract

MIDDLE, MONITOR = O_DIRECT + 2, O_DIRECT + 3  # places in Work.options
TOLERANCE = (
    1e-11  # largest change of q, h v or h² a in the last iteration, against the largest of 1, h v, h² a
)
STALLED = 1e-8  # near a singular pose rounding can keep the changes from falling; below this that is enough
MOST = 25  # iterations
HERE, REDUCED, MID, SPARE = range(4)  # matrices
# vectors: old state, its parts of the rule, increments (particular and of one freedom), scratch
OLD_Q, OLD, Z_Q, Z_V, SIZES, SCALE, SCALE_MID = range(7)
STEP_Q, STEP_V, STEP_A, DQ, DV, DA, RESULT, LOAD, SHIFT, HAT, MID_Q, X, RATES = range(7, 20)
VECTORS = 20


@inlined
def _rescale(n: int, sizes: Array, x: Array) -> None:
    """x ← C⁻¹ x: hat velocities to velocities, or forces on velocities to forces on hat velocities."""
    for c in range(n):
        x[c] /= sizes[c]


@kernel
def _factor(packed: Packed, which: int, scale: int) -> float:
    """Null space of the present gradients in hat velocities."""
    system, work = open_system(packed), open_work(packed)
    n, matrix, sizes = system.sizes[S_NV], work.dense[which], work.scratch[SIZES]
    dense_rows(system, work.grad, n, matrix)
    for r in range(system.rows.shape[0]):
        for c in range(n):
            matrix[r, c] /= sizes[c]
    return factor_dense_rows(system, work, n, matrix, work.scratch[scale], work.pivots[which])


@kernel
def _keep_free(matrix: Array, n: int, rank: int, scale: Array, begin: int, x: Array) -> None:
    """x ← N Nᵀ x in hat velocities; N has the places from `begin` on."""
    to_null(matrix, n, rank, scale, x)
    for c in range(begin):
        x[c] = 0.0
    to_world(matrix, n, rank, scale, x)


@kernel
def _freedom(matrix: Array, n: int, rank: int, s: Array, j: int, out: Array) -> None:
    """Column j of N, as velocities."""
    for c in range(n):
        out[c] = 0.0
    out[rank + j] = 1.0
    to_world(matrix, n, rank, s[SCALE], out)
    _rescale(n, s[SIZES], out)


@kernel
def _reduce(matrix: Array, n: int, rank: int, s: Array, force: Array) -> None:
    """force ← Nᵀ force, from place `rank` on."""
    _rescale(n, s[SIZES], force)
    to_null(matrix, n, rank, s[SCALE], force)


@kernel
def _gap(
    bodies: Ints, dense: Array, rank: int, s: Array, begin: int, middle: bool, q: Array, x: Array, out: Array
) -> None:
    """out = N Nᵀ x for a vector of the coordinates' space, as velocities.

    With N_m of the middle, N (N_mᵀ N)⁻¹ N_mᵀ x is wanted: the matrix in between is orthogonal but for h².
    """
    nq, n = q.shape[0], out.shape[0]
    if middle:
        mid_q, lifted = s[MID_Q][:nq], s[HAT][:nq]
        to_tangent(bodies, mid_q, x, out)
        _keep_free(dense[MID], n, rank, s[SCALE_MID], begin, out)
        from_tangent(bodies, mid_q, out, lifted)
        to_tangent(bodies, q, lifted, out)
    else:
        to_tangent(bodies, q, x, out)
    _keep_free(dense[HERE], n, rank, s[SCALE], begin, out)
    _rescale(n, s[SIZES], out)


@kernel
def _turn(bodies: Ints, matrix: Array, rank: int, s: Array, dq: Array, dv: Array) -> None:
    """dv += null-space part of what turning the bodies by dq does to the rule for velocities."""
    if bodies[0, B_PLANAR] == 0:
        n = dv.shape[0]
        turned = s[HAT][:n]
        turned[:] = 0.0
        turn_velocities(bodies, dq, s[OLD], turned)
        _keep_free(matrix, n, rank, s[SCALE], rank, turned)
        for c in range(n):
            dv[c] += turned[c] / s[SIZES, c]


@kernel
def _solve_rows(matrix: Array, order: Ints, rows: Array, rank: int, s: Array, out: Array) -> None:
    """out += P times the residuals of the rows."""
    n = out.shape[0]
    shift = s[SHIFT][:n]
    least_norm(matrix, n, rank, s[SCALE], order, rows, RV_RESIDUAL, shift)
    for c in range(n):
        out[c] += shift[c] / s[SIZES, c]


@kernel
def _close(packed: Packed, known: bool, dq: Array, dv: Array, da: Array) -> None:
    """dv −= P(Φ' + R δq) and da −= P(J a − γ + A δq + B δv); Φ' and J a − γ only if they are known."""
    system, work = open_system(packed), open_work(packed)
    rank, tangent, matrix, order = system.sizes[S_RANK], work.tangent, work.dense[HERE], work.pivots[HERE]
    for r in range(system.rows.shape[0]):
        gap = row_times(system, tangent[TAN_RATE_Q], r, dq)
        work.row[r, RV_RESIDUAL] = -gap - (work.row[r, RV_RATE] if known else 0.0)
    _solve_rows(matrix, order, work.row, rank, work.scratch, dv)
    for r in range(system.rows.shape[0]):
        gap = row_times(system, tangent[TAN_ACC_Q], r, dq) + row_times(system, tangent[TAN_ACC_V], r, dv)
        if known:
            gap += row_times(system, work.grad, r, work.vectors[V_A]) - work.row[r, RV_GAMMA]
        work.row[r, RV_RESIDUAL] = -gap
    _solve_rows(matrix, order, work.row, rank, work.scratch, da)


@kernel
def _reduced_change(packed: Packed, dq: Array, dv: Array, da: Array, out: Array) -> None:
    """out = Nᵀ(M δa − D δv − K δq), from place `rank` on."""
    system, work = open_system(packed), open_work(packed)
    n = out.shape[0]
    change_of_unbalance(system, work, n, dq, dv, da, out)
    _reduce(work.dense[HERE], n, system.sizes[S_RANK], work.scratch, out)


@kernel
def _reactions(packed: Packed, a: Array) -> None:
    """λ from M a − Q = Jᵀλ, as far as it can be; leaves a in its place among the work arrays."""
    system, work = open_system(packed), open_work(packed)
    m, n, rank, s = system.rows.shape[0], a.shape[0], system.sizes[S_RANK], work.scratch
    load = s[LOAD][:n]
    copy(a, work.vectors[V_A])
    unbalance(system, work, a, False, load)
    _rescale(n, s[SIZES], load)
    multipliers(work.dense[HERE], m, n, rank, s[SCALE], work.pivots[HERE], load, work.row, RV_LAMBDA)


@kernel
def _frequency(packed: Packed) -> float:
    """Largest natural frequency of the reduced equations, with the tangents and the factor at hand."""
    system, work = open_system(packed), open_work(packed)
    n, rank, s = system.sizes[S_NV], system.sizes[S_RANK], work.scratch
    dq, dv, da, load = s[DQ][:n], s[DV][:n], s[DA][:n], s[LOAD][:n]
    matrix, mass, stiffness = work.dense[HERE], work.dense[REDUCED], work.dense[MID]
    for j in range(n - rank):
        _freedom(matrix, n, rank, s, j, dq)
        apply_mass(system, dq, load)
        _reduce(matrix, n, rank, s, load)
        for i in range(n - rank):
            mass[i, j] = load[rank + i]
        dv[:] = 0.0
        da[:] = 0.0
        _close(packed, False, dq, dv, da)
        _reduced_change(packed, dq, dv, da, load)
        for i in range(n - rank):
            stiffness[i, j] = load[rank + i]
    return float(
        largest_frequency(mass, stiffness, work.dense[SPARE], work.pivots[REDUCED], s[SHIFT], n - rank)
    )


@kernel
def _correct(packed: Packed, t: float, h: float, q: Array, v: Array, a: Array) -> float:
    """One Newton step on all levels at once; the largest change of q, h v or h² a, infinite without one.

    On entry rows and forces belong to (t, q, v), and the null space is factored.
    """
    system, work = open_system(packed), open_work(packed)
    nq, n, m, rank = q.shape[0], v.shape[0], system.rows.shape[0], system.sizes[S_RANK]
    beta, gamma, middle = work.options[BETA], work.options[GAMMA], work.options[MIDDLE] != 0.0
    s, bodies, free = work.scratch, system.bodies, n - rank
    z_q, z_v, x, rates, hat = s[Z_Q][:nq], s[Z_V][:nq], s[X][:nq], s[RATES][:nq], s[OLD][:n]
    step_q, step_v, step_a = s[STEP_Q][:n], s[STEP_V][:n], s[STEP_A][:n]
    dq, dv, da, result, load = s[DQ][:n], s[DV][:n], s[DA][:n], s[RESULT][:n], s[LOAD][:n]
    matrix, reduced, rank_q = work.dense[HERE], work.dense[REDUCED], system.sizes[S_RANK_POSITION]
    _reactions(packed, a)
    call_tangents(packed, t, a)
    work.counters[C_ITERATIONS] += 1

    # what is asked for without s: by the rule, then by the rows
    coordinate_rates(bodies, q, v, rates)
    second_rates(bodies, q, v, a, x)
    for i in range(nq):
        rates[i] = z_v[i] + h * gamma * x[i] - rates[i]
        x[i] = z_q[i] + h * h * beta * x[i] - q[i]
    for c in range(n):
        hat[c] = s[SIZES, c] * (v[c] - h * gamma * a[c])
        step_a[c] = 0.0
    _gap(bodies, work.dense, rank, s, rank_q, middle, q, x, step_q)
    for r in range(m):
        work.row[r, RV_RESIDUAL] = -work.row[r, RV_PHI]
    _solve_rows(matrix, work.pivots[HERE], work.row, rank_q, s, step_q)
    _gap(bodies, work.dense, rank, s, rank, middle, q, rates, step_v)
    _turn(bodies, matrix, rank, s, step_q, step_v)
    _close(packed, True, step_q, step_v, step_a)
    _reduced_change(packed, step_q, step_v, step_a, result)
    unbalance(system, work, a, True, load)
    _reduce(matrix, n, rank, s, load)
    for c in range(n):
        result[c] = -result[c] - load[c] if c >= rank else 0.0

    # what every freedom does, one column each; then, with s known, all of them together
    for j in range(free + 1):
        if j < free:
            _freedom(matrix, n, rank, s, j, da)
        else:
            if lu(work, reduced, work.pivots[REDUCED], free) != OK:
                return math.inf
            lu_solve(reduced, work.pivots[REDUCED], free, result[rank:])
            copy(result, da)
            to_world(matrix, n, rank, s[SCALE], da)
            _rescale(n, s[SIZES], da)
        for c in range(n):
            dq[c], dv[c] = h * h * beta * da[c], h * gamma * da[c]
        _turn(bodies, matrix, rank, s, dq, dv)
        _close(packed, False, dq, dv, da)
        if j < free:
            _reduced_change(packed, dq, dv, da, load)
            for i in range(free):
                reduced[i, j] = load[rank + i]
    change = 0.0
    for c in range(n):
        dq[c] += step_q[c]
        dv[c] += step_v[c]
        da[c] += step_a[c]
        v[c] += dv[c]
        a[c] += da[c]
        # also true for what is not a number
        if not max(abs(dq[c]), h * abs(dv[c]), h * h * abs(da[c])) <= change:
            change = max(abs(dq[c]), h * abs(dv[c]), h * h * abs(da[c]))
    retract(bodies, q, dq, q)
    normalise(bodies, q)
    return change


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    beta, gamma, middle = work.options[BETA], work.options[GAMMA], work.options[MIDDLE] != 0.0
    t, s, bodies = clock[T_NOW] + h, work.scratch, system.bodies
    q, v, a = y[:nq], y[nq : nq + n], y[nq + n : nq + 2 * n]
    old_q, mid_q, z_q, z_v, x = s[OLD_Q][:nq], s[MID_Q][:nq], s[Z_Q][:nq], s[Z_V][:nq], s[X][:nq]
    dq, dv = s[DQ][:n], s[DV][:n]

    # the old state's part of the rule, in the space of the coordinates
    copy(q, old_q)
    coordinate_rates(bodies, q, v, z_v)
    second_rates(bodies, q, v, a, x)
    for i in range(nq):
        z_q[i] = q[i] + h * z_v[i] + h * h * (0.5 - beta) * x[i]
        z_v[i] += h * (1.0 - gamma) * x[i]

    # predictor: constant acceleration
    for c in range(n):
        dq[c] = h * v[c] + 0.5 * h * h * a[c]
        v[c] += h * a[c]
    retract(bodies, old_q, dq, q)

    # corrector
    converged, share, before = False, 1.0, math.inf
    for _ in range(MOST):
        if middle and not converged:
            difference(bodies, old_q, q, dq)
            for c in range(n):
                dq[c] *= 0.5
            retract(bodies, old_q, dq, mid_q)
            call_constraints(packed, t - 0.5 * h, mid_q, v)
            _factor(packed, MID, SCALE_MID)
        call_constraints(packed, t, q, v)
        call_forces(packed, t)
        share = _factor(packed, HERE, SCALE)
        work.counters[C_EVALUATIONS] += 1
        if converged:
            break
        change = _correct(packed, t, h, q, v, a)
        if not math.isfinite(change):
            break
        size = 1.0
        for c in range(n):
            size = max(size, h * abs(v[c]), h * h * abs(a[c]))
        converged = change < TOLERANCE * size or (change < STALLED * size and change > 0.5 * before)
        before = change
    if not converged:
        blame(work, dq)
        return NOT_SOLVED

    # velocities and accelerations to rounding, reactions, powers
    dq[:] = 0.0
    dv[:] = 0.0
    copy(a, work.vectors[V_A])
    _close(packed, True, dq, dv, a)
    for c in range(n):
        v[c] += dv[c]
    _reactions(packed, a)
    motion_powers(system, work)
    add_work(work, h, y[nq + 2 * n : nq + 2 * n + nw], y[nq + 2 * n + nw :])
    note_singular(work, share)
    if work.options[MONITOR] != 0.0:
        clock[T_FREQUENCY] = _frequency(packed)
    clock[T_USED] = h
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n = system.sizes[S_NQ], system.sizes[S_NV]
    status = begin(packed, clock, y)
    column_sizes(system.bodies, work.scratch[SIZES])
    if status == OK and work.options[MONITOR] != 0.0:
        call_tangents(packed, clock[T_NOW], y[nq + n : nq + 2 * n])
        _factor(packed, HERE, SCALE)
        clock[T_FREQUENCY] = _frequency(packed)
    return status


def room(system: System) -> Room:
    return Room(matrices=4, vectors=VECTORS, order=largest_order(system))


KIND = DirectKind(
    name="newmark_nullspace",
    title="Newmark in the null space of the constraints",
    summary="Positions, velocities and accelerations satisfy all rows; any β and γ, trapezoidal by default.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    ranks=True,
    options=(
        *OPTIONS,
        Option(
            "null_space",
            MIDDLE,
            0.0,
            "Pose at which the null space is taken",
            choices=("end of the step", "middle of the step"),
        ),
        Option("monitor", MONITOR, 1.0, "Watch the largest natural frequency", choices=("no", "yes")),
    ),
    presets={
        "linear_acceleration": LINEAR_ACCELERATION,
        "fox_goodwin": FOX_GOODWIN,
        "midstep": {"null_space": 1.0},
        "midstep_fox_goodwin": {"null_space": 1.0, **FOX_GOODWIN},
    },
)
