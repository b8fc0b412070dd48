"""Central differences of second order with the positions ahead as unknowns [Urkullu 2019, ch. 5 to 7].

In coordinates x = (r, o), with x± = x(t ± h), force rows at t and coordinate rows at t + h:

    x' = (x⁺ − x⁻)/2h,  x'' = (x⁺ − 2x + x⁻)/h²,  v = W(x) x',  a = W x'' + dW(x; x') x',
    Nᵀ(M a − Q(t, q, v)) = 0,  N = null J(q),      Φ(t + h, q⁺) = 0,      J v = f at t for velocity rows.

First step: x' given, x⁻ eliminated, x'' = 2 (x⁺ − x − h x')/h²; velocity rows as J a = γ.

Written with s = x − x⁻ and c = h² x'': x' = (s + c/2)/h, x⁺ = x + s + c. The classic form takes c from the
difference of positions, so that a loses digits as h⁻²; the summed form adds up c and s instead, as the form
without cancellation of [UPV Newmark, §9.2.1]. Apart from rounding both are one method.

Newton's unknown is the displacement and turn δ of the pose ahead, x⁺ ← x⁺ + T(x⁺) δ: the norm of quaternions
needs no row. Order of evaluation as in [Urkullu 2019, ch. 7]: what depends on the pose at t is evaluated once
per step (J, its null space, forces as a function of v), per iteration only the rows ahead. The number of
independent rows is that of a general pose, for the rows ahead as for those at t: off the constraints a
tolerance would take redundant rows for independent ones.

A step looks one step ahead: it takes the q⁺ found before as the new state and solves the equations of motion
there, so that v, a, λ belong to the reported instant. State vector y = (q, v, q⁺, s, c, power, w).
"""

import math
from typing import NamedTuple

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Ints, Option, Packed, Room, StepStatus, System
from engine.compiled.states import Coordinates, Velocities, Works, state_size, state_view
from engine.maths.arrays import copy
from engine.maths.orientations import QUATERNION, SETS, rates, spin, spin_change
from engine.maths.vectors import add, mix
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newton import (
    add_work,
    consistent_acceleration,
    factor_dense_rows,
    factor_rows,
    largest_order,
    lu,
    note_offender,
    note_singular,
    residual,
)
from engine.solvers.direct.one_step import report
from engine.solvers.direct.speed_forces import evaluate_forces, force_of_speed, subtract_change
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.lu import lu_solve
from engine.solvers.linsolve.nullspace import (
    apply_orthogonal,
    apply_orthogonal_transposed,
    least_norm,
    row_multipliers,
)
from engine.solvers.linsolve.rows import dense_rows
from engine.system.equations.charts import (
    UNSOLVED,
    chart_accelerations,
    chart_margin,
    chart_rates,
    chart_velocities,
    from_chart,
    orientation,
    to_chart,
    turning,
)
from engine.system.equations.equations import count_turns, motion_powers

OK, NOT_SOLVED = int(StepStatus.OK), int(StepStatus.NOT_SOLVED)
SINGULAR_COORDINATES = int(StepStatus.SINGULAR_COORDINATES)
ORIENTATION, FORM, TOLERANCE = SLOT.DIRECT, SLOT.DIRECT + 1, SLOT.DIRECT + 2
MAX_ITERATIONS = 24  # iterations
SAME_STEP = 1e-6  # relative; H_STEP is the step that looked ahead, and another size begins without a past
SAME_FORCE = 1e-10  # of the largest force: what forces may differ from their model in v
H_STEP = 0  # Work.history
# matrices of Work.dense
HERE, THERE, REDUCED, KEPT = range(4)
# vectors of Work.scratch
X, AHEAD, RATE, SECOND, VARIED, A, V0, Q0, SCALE, SCALE_AHEAD, MOVE, COLUMN, FORCE, DV, DA, TARGET = range(16)
VECTORS = 16


@kernel
def vary(
    kind: int, bodies: Ints, x: Array, ahead: Array, rate: Array, per_rate: float, per_second: float,
    column: Array, dv: Array, da: Array,
) -> None:  # fmt: skip
    """Changes of v and a with a displacement and turn of the pose ahead: δx⁺ = T(x⁺) δ."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        for c in range(3):
            dv[to + c], da[to + c] = per_rate * column[to + c], per_second * column[to + c]
        if not bodies[b, BODY.PLANAR]:
            o, do = orientation(x, at), orientation(rate, at)
            change = rates(kind, orientation(ahead, at), turning(column, to))
            w = spin(kind, o, change)
            bias = (0.0, 0.0, 0.0)
            if kind != QUATERNION:
                bias = add(spin_change(kind, o, change, do), spin_change(kind, o, do, change))
            dw = mix(per_second, w, per_rate, bias)
            for c in range(3):
                dv[to + 3 + c], da[to + 3 + c] = per_rate * w[c], dw[c]


@kernel
def move_ahead(
    kind: int, bodies: Ints, x: Array, move: Array, shift: Array, share: float, summed: bool,
    ahead: Array, curve: Array, varied: Array,
) -> None:  # fmt: skip
    """Apply δ to x⁺ and c, with x⁺ = x + s + share·c, and bring quaternions back to unit length."""
    chart_rates(kind, bodies, ahead, move, varied)
    if kind == QUATERNION:
        for b in range(bodies.shape[0] - 1):
            if not bodies[b, BODY.PLANAR]:
                at, size = bodies[b, BODY.Q] + 3, 0.0
                for c in range(at, at + 4):
                    size += (ahead[c] + varied[c]) ** 2
                excess = 1.0 / math.sqrt(size) - 1.0
                for c in range(at, at + 4):
                    varied[c] += excess * (ahead[c] + varied[c])
    for c in range(x.shape[0]):
        if summed:
            curve[c] += varied[c] / share
            ahead[c] = x[c] + (shift[c] + share * curve[c])
        else:
            ahead[c] += varied[c]
            curve[c] = (ahead[c] - x[c] - shift[c]) / share


@kernel
def velocity_rows(
    kind: int, bodies: Ints, rows: Ints, x: Array, ahead: Array, kept: Array, out: Array
) -> None:
    """Velocity rows at t over δ, up to the factor of the difference: J W(x) T(x⁺)."""
    for r in range(rows.shape[0]):
        if rows[r, ROW.VELOCITY]:
            for b in range(bodies.shape[0] - 1):
                at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
                for c in range(3):
                    out[r, to + c] = kept[r, to + c]
                if not bodies[b, BODY.PLANAR]:
                    o, plus = orientation(x, at), orientation(ahead, at)
                    for c in range(3):
                        unit = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
                        w = spin(kind, o, rates(kind, plus, unit))
                        out[r, to + 3 + c] = (
                            kept[r, to + 3] * w[0] + kept[r, to + 4] * w[1] + kept[r, to + 5] * w[2]
                        )


@kernel
def rows_ahead(packed: Packed, kind: int, t: float, h: float, first: bool, ahead: Array, v: Array) -> None:
    """Factor the rows that the pose ahead must satisfy; `MOVE` becomes the least step towards them."""
    system, work = open_system(packed), open_work(packed)
    n, m, s, there, kept = v.shape[0], system.rows.shape[0], work.scratch, work.dense[THERE], work.dense[KEPT]
    call_constraints(packed, t + h, ahead, v)
    dense_rows(system, work.grad, n, there)
    if system.sizes[SIZE.RANK] > system.sizes[SIZE.RANK_POSITION]:
        velocity_rows(kind, system.bodies, system.rows, s[X], s[AHEAD], kept, there)
    for r in range(m):
        gap = work.row[r, ROW_VALUE.PHI]
        if system.rows[r, ROW.VELOCITY]:
            total = -s[TARGET, r]
            for c in range(n):
                total += kept[r, c] * (s[A, c] if first else v[c])
            gap = (0.5 * h * h if first else 2.0 * h) * total
        work.row[r, ROW_VALUE.RESIDUAL] = -gap
    factor_dense_rows(system, work, n, there, s[SCALE_AHEAD], work.pivots[THERE])
    rank, order = system.sizes[SIZE.RANK], work.pivots[THERE]
    least_norm(there, n, rank, s[SCALE_AHEAD], order, work.row, ROW_VALUE.RESIDUAL, s[MOVE][:n])


@kernel
def correct(packed: Packed, kind: int, h: float, first: bool, v: Array) -> int:
    """Newton's step of the force rows in the null space of the rows ahead, added to `MOVE`."""
    system, work = open_system(packed), open_work(packed)
    per_rate, per_second = (0.0, 2.0 / (h * h)) if first else (0.5 / h, 1.0 / (h * h))
    n, rank, s, bodies, reals = (
        v.shape[0],
        system.sizes[SIZE.RANK],
        work.scratch,
        system.bodies,
        system.body_reals,
    )
    free, here, there, reduced = n - rank, work.dense[HERE], work.dense[THERE], work.dense[REDUCED]
    move, column, force, dv, da = s[MOVE][:n], s[COLUMN][:n], s[FORCE][:n], s[DV][:n], s[DA][:n]
    v0, q0 = s[V0][:n], s[Q0][:n]
    # the last column is the particular solution
    for j in range(free + 1):
        if j < free:
            column[:] = 0.0
            column[rank + j] = 1.0
            apply_orthogonal(there, n, rank, s[SCALE_AHEAD], column)
        else:
            copy(move, column)
        vary(kind, bodies, s[X], s[AHEAD], s[RATE], per_rate, per_second, column, dv, da)
        if j == free:
            for c in range(n):
                da[c] += s[A, c]
        apply_mass(system, da, force)
        if not first:
            subtract_change(bodies, reals, work.damping, v0, v, dv, force)
        if j == free:
            force_of_speed(bodies, reals, work.damping, v0, q0, v, da)
            for c in range(n):
                force[c] = da[c] - force[c]
        apply_orthogonal_transposed(here, n, rank, s[SCALE], force)
        if j < free:
            for i in range(free):
                reduced[i, j] = force[rank + i]
    status = lu(work, reduced, work.pivots[REDUCED], free)
    if status != OK:
        return int(status)
    lu_solve(reduced, work.pivots[REDUCED], free, force[rank:])
    for i in range(rank):
        force[i] = 0.0
    apply_orthogonal(there, n, rank, s[SCALE_AHEAD], force)
    for c in range(n):
        move[c] += force[c]
    return OK


@kernel
def forces_hold(packed: Packed, t: float, q: Array, v: Array) -> bool:
    """Evaluate the accepted state; whether its forces are those of the model in v."""
    system, work = open_system(packed), open_work(packed)
    n, s = v.shape[0], work.scratch
    model = s[FORCE][:n]
    force_of_speed(system.bodies, system.body_reals, work.damping, s[V0][:n], s[Q0][:n], v, model)
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    largest, gap = 0.0, 0.0
    for c in range(n):
        largest = max(largest, abs(work.vectors[VECTOR.Q, c]))
        gap = max(gap, abs(work.vectors[VECTOR.Q, c] - model[c]))
    return gap <= SAME_FORCE * largest


@kernel
def predict(
    packed: Packed, kind: int, h: float, first: bool, q: Array, v: Array, shift: Array, curve: Array
) -> None:
    """Coordinates of the pose, and those ahead by a constant second difference."""
    system, s = open_system(packed), open_work(packed).scratch
    nq, bodies, x = q.shape[0], system.bodies, s[X]
    to_chart(kind, bodies, q, x)
    if first:
        chart_rates(kind, bodies, x, v, s[RATE])
        for c in range(nq):
            shift[c], curve[c] = h * s[RATE, c], 0.0
    for c in range(nq):
        s[AHEAD, c] = x[c] + shift[c] + curve[c]
    s[MOVE][:] = 0.0
    move_ahead(kind, bodies, x[:nq], s[MOVE], shift, 1.0, False, s[AHEAD], curve, s[VARIED])


class DifferenceState(NamedTuple):
    """Coordinates, velocities, coordinates ahead q⁺, differences s and c, powers and work integrals."""

    q: Coordinates
    v: Velocities
    ahead: Coordinates
    shift: Coordinates
    curve: Coordinates
    power: Works
    works: Works


open_state = state_view(DifferenceState)


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    """Look ahead from the new state; where there is no past of the same step, from the old one before."""
    system, work = open_system(packed), open_work(packed)
    nq, n, m = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], system.rows.shape[0]
    state = open_state(system, y)
    q, v, ahead, shift, curve = state.q, state.v, state.ahead, state.shift, state.curve
    rank, bodies, s, here = system.sizes[SIZE.RANK], system.bodies, work.scratch, work.dense[HERE]
    kind, summed, tolerance = (
        int(work.options[ORIENTATION]),
        work.options[FORM] != 0.0,
        work.options[TOLERANCE],
    )
    x, plus, rate, second, varied = s[X][:nq], s[AHEAD][:nq], s[RATE][:nq], s[SECOND][:nq], s[VARIED][:nq]
    a, move, force = s[A][:n], s[MOVE][:n], s[FORCE][:n]
    used = work.history[H_STEP]
    first = abs(h - used) > SAME_STEP * h
    if first:
        used = h
    for _ in range(1 + first):
        t = clock[CLOCK.NOW]
        if not first:
            t += h
            copy(ahead, q)
        share = 0.5 if first else 1.0  # of c in x⁺
        predict(packed, kind, used, first, q, v, shift, curve)

        # Newton; all that belongs to the pose at t is evaluated once
        size, known, solved, status = math.inf, False, False, NOT_SOLVED
        for _ in range(MAX_ITERATIONS):
            for c in range(nq):
                second[c] = curve[c] / (used * used)
                if not first:
                    rate[c] = (shift[c] + 0.5 * curve[c]) / used
            if not first:
                chart_velocities(kind, bodies, x, rate, v)
            chart_accelerations(kind, bodies, x, rate, second, a)
            if size < tolerance:
                solved = forces_hold(packed, t, q, v) or first
                if solved:
                    break
                known = False
            if not known:
                work.row[:, ROW_VALUE.LAMBDA] = 0.0
                evaluate_forces(packed, t, q, v, s[V0], s[Q0])
                note_singular(work, factor_rows(system, work, n, here, s[SCALE], work.pivots[HERE]))
                dense_rows(system, work.grad, n, work.dense[KEPT])
                for r in range(m):
                    s[TARGET, r] = work.row[r, ROW_VALUE.GAMMA if first else ROW_VALUE.F]
                known = True
            from_chart(kind, bodies, plus, ahead)
            rows_ahead(packed, kind, t, used, first, ahead, v)
            status = correct(packed, kind, used, first, v)
            if status != OK:
                break
            size = 0.0
            for c in range(n):
                size = max(size, abs(move[c]))
            status = NOT_SOLVED
            if not math.isfinite(size):
                break
            move_ahead(kind, bodies, x, move, shift, share, summed, plus, curve, varied)
            work.counters[COUNT.ITERATIONS] += 1

        margin, offender = chart_margin(kind, bodies, plus, v, used)
        if margin < (1.0 if solved else UNSOLVED):
            work.counters[COUNT.OFFENDER] = offender
            return SINGULAR_COORDINATES
        if not solved:
            if status == NOT_SOLVED:
                note_offender(work, move)
            return int(status)
        from_chart(kind, bodies, plus, ahead)
        for c in range(nq):
            shift[c] = shift[c] + share * curve[c] if summed else plus[c] - x[c]
        first = False

    # the accepted state, complete
    copy(a, work.vectors[VECTOR.A])
    residual(system, work, a, False, force)
    apply_orthogonal_transposed(here, n, rank, s[SCALE], force)
    row_multipliers(here, m, rank, work.pivots[HERE], force, work.row, ROW_VALUE.LAMBDA)
    motion_powers(system, work)
    add_work(work, h, state.power, state.works)
    work.history[H_STEP] = used
    clock[CLOCK.USED] = h
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """No past: the first step finds its own. Refuses a pose where orientation coordinates are singular."""
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    work.history[H_STEP] = 0.0
    status = consistent_acceleration(packed, clock[CLOCK.NOW], state.q, state.v)
    copy(work.power, state.power)
    count_turns(system, work)
    kind = int(work.options[ORIENTATION])
    to_chart(kind, system.bodies, state.q, work.scratch[X])
    margin, offender = chart_margin(kind, system.bodies, work.scratch[X], state.v, 0.0)
    if margin < 1.0:
        work.counters[COUNT.OFFENDER] = offender
        return SINGULAR_COORDINATES
    return int(status)


def room(system: System) -> Room:
    return Room(matrices=4, vectors=VECTORS, order=largest_order(system))


KIND = DirectKind(
    name="central_differences",
    title="Central differences",
    summary="Order 2; positions ahead are the unknowns, joints close to rounding; steps below 2/ω only.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=state_size(DifferenceState),
    room=room,
    equal_steps="its differences need positions at equal distances; newmark_nullspace varies its steps",
    divides=False,
    ranks=True,
    options=(
        Option("orientation", ORIENTATION, QUATERNION, "Orientation coordinates", choices=SETS),
        Option("form", FORM, 0.0, "Form", choices=("classic", "summed, without cancellation")),
        Option("tolerance", TOLERANCE, 1e-10, "Last Newton step", "m, rad"),
    ),
)
