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
per step (J, forces as a function of v), per iteration only the rows ahead. That Nᵀ of a force vanishes means
that the force is Jᵀλ, so one iteration is a saddle-point problem without N (`linsolve/saddle.py`): reactions
act by the rows at t, those ahead hold. It needs no number of independent rows, which off the constraints a
tolerance could not tell.

A step looks one step ahead: it takes the q⁺ found before as the new state and solves the equations of motion
there, so that v, a, λ belong to the reported instant. State vector y = (q, v, q⁺, s, c, power, w).
"""

import math
from typing import NamedTuple

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.dispatch import call_constraints, call_forces
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, Option, Packed, Room, StepStatus, System, Work
from engine.compiled.states import Coordinates, Velocities, Works, state_size, state_view
from engine.maths.amplification import of_second_order
from engine.maths.arrays import copy
from engine.maths.orientations import QUATERNION, SETS, rates, spin, spin_change
from engine.maths.vectors import add, mix
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.increments import SINGULAR_VIOLATION, position_gap
from engine.solvers.direct.newton import add_work, consistent_acceleration, largest_order, note_offender
from engine.solvers.direct.one_step import report
from engine.solvers.direct.speed_forces import add_gyroscopic_change, evaluate_forces, force_of_speed
from engine.solvers.linsolve import saddle
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.long_chains import HARD
from engine.solvers.linsolve.rows import row_times
from engine.solvers.linsolve.saddle import largest
from engine.system.equations.charts import (
    UNSOLVED,
    chart_accelerations,
    chart_margin,
    chart_rates,
    chart_velocities,
    from_chart,
    leave_shadows,
    orientation,
    to_chart,
    turning,
)
from engine.system.equations.equations import count_turns, motion_powers

OK, NOT_SOLVED = int(StepStatus.OK), int(StepStatus.NOT_SOLVED)
SINGULAR_COORDINATES = int(StepStatus.SINGULAR_COORDINATES)
CHOSEN, FORM, TOLERANCE, CHANGE = (SLOT.DIRECT + k for k in range(4))
ORIENTATION = SLOT.DIRECT + 4  # coordinates of the differences at hand
MAX_ITERATIONS = 24
MAX_SINGULAR_ITERATIONS = 8  # near a singular configuration, where the last direction converges slowly
SAME_STEP = 1e-6  # relative; H_STEP is the step that looked ahead, and another size begins without a past
SAME_FORCE = 1e-10  # of the largest force: what forces may differ from their model in v
H_STEP = 0  # Work.history
# vectors of Work.scratch
X, AHEAD, RATE, SECOND, VARIED, A, V0, Q0, MOVE, FORCE, TARGET, TURN_V, TURN_A = (*range(12), 14)
VECTORS = 17


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
def _hold_velocity_rows(system: System, work: Work, kind: int, x: Array, ahead: Array) -> None:
    """Velocity rows at t over δ, up to the factor of the difference: J W(x) T(x⁺)."""
    acting, held = work.tangent[TAN.ACTING], work.tangent[TAN.HELD]
    for r in range(system.rows.shape[0]):
        if not system.rows[r, ROW.VELOCITY]:
            continue
        function = system.coordinate_functions[system.rows[r, ROW.COORDINATE]]
        begin = function[COORDINATE.BLOCK]
        for k in range(begin, begin + function[COORDINATE.BLOCKS]):
            body, kept = system.block_bodies[k], acting[k]
            for c in range(3):
                held[k, c] = kept[c]
            if system.bodies[body, BODY.V] >= 0 and not system.bodies[body, BODY.PLANAR]:
                at = system.bodies[body, BODY.Q]
                o, plus = orientation(x, at), orientation(ahead, at)
                for c in range(3):
                    unit = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
                    w = spin(kind, o, rates(kind, plus, unit))
                    held[k, 3 + c] = kept[3] * w[0] + kept[4] * w[1] + kept[5] * w[2]


@kernel
def rows_ahead(packed: Packed, kind: int, t: float, h: float, first: bool, ahead: Array, v: Array) -> None:
    """What the pose ahead violates of the rows that it must satisfy, into `RESIDUAL`."""
    system, work = open_system(packed), open_work(packed)
    s, acting = work.scratch, work.tangent[TAN.ACTING]
    call_constraints(packed, t + h, ahead, v)
    for r in range(system.rows.shape[0]):
        gap = work.row[r, ROW_VALUE.PHI]
        if system.rows[r, ROW.VELOCITY]:
            total = row_times(system, acting, r, s[A] if first else v) - s[TARGET, r]
            gap = (0.5 * h * h if first else 2.0 * h) * total
        work.row[r, ROW_VALUE.RESIDUAL] = gap


@inlined
def _changes(h: float, first: bool) -> tuple[float, float]:
    """By how much x' and x'' change with x⁺."""
    return (0.0, 2.0 / (h * h)) if first else (0.5 / h, 1.0 / (h * h))


@kernel
def factor_ahead(packed: Packed, kind: int, h: float, first: bool, v: Array) -> int:
    """Factor the saddle-point matrix of the force rows over δ, at the present pose ahead.

    The force M a − Q changes by M δa − ∂Q/∂v δv. The maps from δ to δv and δa are those of single bodies
    (`vary`): their columns are found by turning all bodies about the same axis.
    """
    system, work = open_system(packed), open_work(packed)
    n, s, bodies, matrix = v.shape[0], work.scratch, system.bodies, work.factors[0]
    per_rate, per_second = _changes(h, first)
    turn, planar = s[MOVE][:n], bodies[0, BODY.PLANAR]
    for j in range(0 if planar else 3):
        for c in range(n):
            turn[c] = 1.0 if c % 6 == 3 + j else 0.0
        vary(
            kind,
            bodies,
            s[X],
            s[AHEAD],
            s[RATE],
            per_rate,
            per_second,
            turn,
            s[TURN_V + j][:n],
            s[TURN_A + j][:n],
        )
    for i in range(matrix.shape[0]):
        matrix[i] = 0.0 if first else work.damping[i]
    if not first:
        add_gyroscopic_change(system, s[V0][:n], v, matrix)
        for k in range(system.velocity_blocks.shape[0]):
            _vary_columns(system.velocity_blocks[k], planar, -per_rate, s[TURN_V : TURN_V + 3], matrix)
    for b in range(bodies.shape[0] - 1):
        real, block = system.body_reals[b], system.velocity_blocks[b]
        at, step = block[BLOCK.START], block[BLOCK.ROW_STEP]
        for c in range(2 if planar else 3):
            matrix[at + c * (step + 1)] += per_second * real[BODY_REAL.MASS]
        if planar:
            matrix[at + 2 * (step + 1)] += per_second * real[BODY_REAL.INERTIA + 8]
        else:
            at, to = at + 3 * (step + 1), block[BLOCK.ROW_VELOCITY] + 3
            for i in range(3):
                for j in range(3):
                    for c in range(3):
                        matrix[at + i * step + j] += (
                            real[BODY_REAL.INERTIA + 3 * i + c] * s[TURN_A + j, to + c]
                        )
    held = work.tangent[TAN.HELD]
    for k in range(work.grad.shape[0]):
        for c in range(work.grad.shape[1]):
            held[k, c] = work.grad[k, c]
    _hold_velocity_rows(system, work, kind, s[X], s[AHEAD])
    # hard rows: inertia must not choose the branch where the mechanism could
    return saddle.factor(system, work, 0, ROW_VALUE.WEIGHT, HARD)


@inlined
def _vary_columns(block: Ints, planar: int, along: float, turns: Array, matrix: Array) -> None:
    """One block of ∂Q/∂v ← minus its product with the map from δ to δv."""
    step, column = block[BLOCK.COLUMN_STEP], block[BLOCK.COLUMN_VELOCITY] + 3
    for i in range(3 if planar else 6):
        at = block[BLOCK.START] + i * block[BLOCK.ROW_STEP]
        for c in range(3):
            matrix[at + c * step] *= along
        if not planar:
            x, y, z = matrix[at + 3 * step], matrix[at + 4 * step], matrix[at + 5 * step]
            for j in range(3):
                turn = turns[j]
                matrix[at + (3 + j) * step] = -(
                    x * turn[column] + y * turn[column + 1] + z * turn[column + 2]
                )


@kernel
def correct(packed: Packed, v: Array) -> bool:
    """Newton's step δ into `MOVE`, λ into `SOLVE` of the rows; True near a singular configuration."""
    system, work = open_system(packed), open_work(packed)
    n, s = v.shape[0], work.scratch
    move, force = s[MOVE][:n], s[FORCE][:n]
    apply_mass(system, s[A][:n], force)
    force_of_speed(system, work, s[V0][:n], s[Q0][:n], v, move)
    for c in range(n):
        move[c] -= force[c]
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.SOLVE] = 0.0
    return saddle.solve(system, work, 0, work.options[TOLERANCE], move)


@kernel
def forces_hold(packed: Packed, t: float, q: Array, v: Array) -> bool:
    """Evaluate the accepted state; whether its forces are those of the model in v."""
    system, work = open_system(packed), open_work(packed)
    n, s = v.shape[0], work.scratch
    model = s[FORCE][:n]
    force_of_speed(system, work, s[V0][:n], s[Q0][:n], v, model)
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    largest, gap = 0.0, 0.0
    for c in range(n):
        largest = max(largest, abs(work.vectors[VECTOR.Q, c]))
        gap = max(gap, abs(work.vectors[VECTOR.Q, c] - model[c]))
    return gap <= SAME_FORCE * largest


@kernel
def _is_near_singular(packed: Packed, kind: int, h: float, q: Array, v: Array) -> bool:
    """Whether the user lets orientation coordinates change, and these come near their singularity."""
    system, work = open_system(packed), open_work(packed)
    if work.options[CHANGE] == 0.0 or kind == QUATERNION:
        return False
    to_chart(kind, system.bodies, q, work.scratch[X])
    margin, _ = chart_margin(kind, system.bodies, work.scratch[X], v, h)
    return bool(margin < UNSOLVED)


@kernel
def _to_quaternions(bodies: Ints, q: Array, ahead: Array, shift: Array, curve: Array) -> None:
    """s = x − x⁻ of the poses q and ahead in unit quaternions, both of one sign; c is found anew."""
    for b in range(bodies.shape[0] - 1):
        at = bodies[b, BODY.Q]
        for c in range(at, at + (3 if bodies[b, BODY.PLANAR] else 7)):
            curve[c] = 0.0
        if not bodies[b, BODY.PLANAR]:
            o, plus = orientation(q, at), orientation(ahead, at)
            product = o[0] * plus[0] + o[1] * plus[1] + o[2] * plus[2] + o[3] * plus[3]
            for c in range(4):
                shift[at + 3 + c] = plus[c] - (o[c] if product > 0.0 else -o[c])


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
    bodies, s = system.bodies, work.scratch
    summed, tolerance = work.options[FORM] != 0.0, work.options[TOLERANCE]
    x, plus, rate, second, varied = s[X][:nq], s[AHEAD][:nq], s[RATE][:nq], s[SECOND][:nq], s[VARIED][:nq]
    a, move = s[A][:n], s[MOVE][:n]
    used = work.history[H_STEP]
    first = abs(h - used) > SAME_STEP * h
    if first:
        used = h
        kind = int(work.options[CHOSEN])
        if _is_near_singular(packed, kind, h, q, v):
            kind = QUATERNION
        work.options[ORIENTATION] = kind
    kind = int(work.options[ORIENTATION])
    for _ in range(1 + first):
        t = clock[CLOCK.NOW]
        if not first:
            t += h
            if _is_near_singular(packed, kind, h, ahead, v):
                kind = QUATERNION
                work.options[ORIENTATION] = kind
                _to_quaternions(bodies, q, ahead, shift, curve)
            copy(ahead, q)
        share = 0.5 if first else 1.0  # of c in x⁺
        predict(packed, kind, used, first, q, v, shift, curve)

        # Newton; all that belongs to the pose at t is evaluated once
        size, violation, known, solved, singular, status = math.inf, 0.0, False, False, False, NOT_SOLVED
        for k in range(MAX_ITERATIONS):
            for c in range(nq):
                second[c] = curve[c] / (used * used)
                if not first:
                    rate[c] = (shift[c] + 0.5 * curve[c]) / used
            if not first:
                chart_velocities(kind, bodies, x, rate, v)
            chart_accelerations(kind, bodies, x, rate, second, a)
            # near a singular configuration what is left lies along the vanishing direction
            stalled = singular and k >= MAX_SINGULAR_ITERATIONS and violation <= SINGULAR_VIOLATION
            if size < tolerance or stalled:
                solved = forces_hold(packed, t, q, v) or first
                if solved:
                    break
                known = False
            if not known:
                work.row[:, ROW_VALUE.LAMBDA] = 0.0
                evaluate_forces(packed, t, q, v, s[V0], s[Q0])
                for g in range(work.grad.shape[0]):
                    copy(work.grad[g], work.tangent[TAN.ACTING, g])
                for r in range(m):
                    s[TARGET, r] = work.row[r, ROW_VALUE.GAMMA if first else ROW_VALUE.F]
                known = True
            from_chart(kind, bodies, plus, ahead)
            rows_ahead(packed, kind, t, used, first, ahead, v)
            violation = position_gap(system, work)
            status = factor_ahead(packed, kind, used, first, v)
            if status != OK:
                break
            singular = correct(packed, v) or singular
            size = largest(move)
            status = NOT_SOLVED
            if not math.isfinite(size):
                break
            move_ahead(kind, bodies, x, move, shift, share, summed, plus, curve, varied)
            work.counters[COUNT.ITERATIONS] += 1
        work.counters[COUNT.NEAR_SINGULAR] += singular

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
    for r in range(m):
        work.row[r, ROW_VALUE.LAMBDA] = work.row[r, ROW_VALUE.SOLVE]
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
    kind = int(work.options[CHOSEN])
    if _is_near_singular(packed, kind, 0.0, state.q, state.v):
        kind = QUATERNION
    work.options[ORIENTATION] = kind
    leave_shadows(kind, system.bodies, state.q)
    status = consistent_acceleration(packed, clock[CLOCK.NOW], state.q, state.v)
    copy(work.power, state.power)
    count_turns(system, work)
    to_chart(kind, system.bodies, state.q, work.scratch[X])
    margin, offender = chart_margin(kind, system.bodies, work.scratch[X], state.v, 0.0)
    if margin < 1.0:
        work.counters[COUNT.OFFENDER] = offender
        return SINGULAR_COORDINATES
    return int(status)


def room(system: System) -> Room:
    return Room(factors=1, vectors=VECTORS, order=largest_order(system))


def _test_step(alpha_h: Array, beta2_h2: Array, state: Array, numbers: Array) -> Array:
    """The same step for x″ = −2α x′ − β² x with h = 1; state (x, s)."""
    x, s = np.moveaxis(state, -1, 0)
    c = -(beta2_h2 * x + 2.0 * alpha_h * s) / (1.0 + alpha_h)
    return np.stack([x + s + c, s + c], axis=-1)


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
    growth=of_second_order(2, _test_step),
    equal_steps="what its velocities err by changes with the step, which a control takes for an error of the "
    "step; newmark_minimal/central_differences varies its steps",
    divides=False,
    options=(
        Option("orientation", CHOSEN, QUATERNION, "Orientation coordinates", choices=SETS),
        Option(
            "chart",
            CHANGE,
            0.0,
            "Where they become singular",
            choices=("end the run", "go on with unit quaternions"),
        ),
        Option("form", FORM, 0.0, "Form", choices=("classic", "summed, without cancellation")),
        Option("tolerance", TOLERANCE, 1e-10, "Last Newton step", "m, rad"),
    ),
)
