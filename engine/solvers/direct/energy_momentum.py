"""Energy–momentum method: the midpoint rule with discrete gradients [Gonzalez 1996], [Gonzalez 1999].

With x = h v̄ the displacement and turn of a step, v̄ = (v + v⁺)/2, and bars for what belongs to both ends:

    q⁺ = q displaced by x (turns by the Cayley map),
    M (v⁺ − v) = h (Q̄ + J̄ᵀλ),   Φ(t⁺, q⁺) = 0         (rows of velocities only: J̄ v̄ = f at mid-step)

J̄ and the gradients that forces act along are discrete ones, ∇̄s·x = s⁺ − s (`discrete_gradients.py`). Laws see
s̄ = (s + s⁺)/2 and (s⁺ − s)/h in place of value and rate: linear springs then lose just the work that they do,
and what other potentials leave is added along M x. The gyroscopic torque at ω̄ does no work. So T + V − work
is kept to the rounding of the iteration, and momenta are where nothing acts from outside and all functions
are points, lengths, components, scalar products and planar angles.

λ is found at mid-step; reported are a and λ of the equations of motion at the accepted state. Newton's matrix
takes tangents at the averaged pose; with r the residual of the second line times h/2 and μ = h²/2 δλ

    (M − h/2 D − h²/4 K) δ − J̄ᵀ μ = −r,   J⁺ T δ = −Φ⁺,      T = (1 − [x_θ]/2)/(1 + x_θ²/4): d cay.

State vector y = (q, v, a, power, w).
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import quadratures as WORK
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces, call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Room, System, Work
from engine.maths.amplification import of_first_order
from engine.maths.arrays import copy
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.discrete_gradients import average_poses, cayley, discrete_gradients, turn_rows
from engine.solvers.direct.increments import SINGULAR_VIOLATION, give_up, position_gap
from engine.solvers.direct.newton import OK, consistent_acceleration
from engine.solvers.direct.one_step import open_state, report, size, start
from engine.solvers.linsolve import saddle, velocities
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.rows import add_row
from engine.solvers.linsolve.saddle import largest
from engine.solvers.linsolve.trust_region import MAX_RESTRICTED, is_violent, largest_turn, trusted_share
from engine.system.equations.equations import constraint_rows, coordinate_functions
from engine.system.equations.kinematics import normalise

MAX_ITERATIONS = 40
TOLERANCE, ROUNDING = 1e-13, 1e-16  # change that is left, of the displacement of the step and of positions
STALLED = 1e-9  # of the displacement: changes below this that do not fall any more are rounding
SINGULAR_TOLERANCE, MAX_SINGULAR_ITERATIONS = 1e-6, 8  # near a singular configuration
CONTRACTION_LIMIT = 0.1  # contraction that calls for a fresh matrix
# vectors of Work.scratch
X, LOAD, MASS_X, OLD_Q, OLD_V, OLD_S, NEW_S, OLD_F, NEW_F, OLD_LAMBDA, GAP, FORCE = range(12)
VECTORS = 12


@inlined
def _hold(work: Work, table: int) -> None:
    """Keep the gradients of the last evaluation in a table of the saddle-point problem."""
    for k in range(work.grad.shape[0]):
        for c in range(work.grad.shape[1]):
            work.tangent[table, k, c] = work.grad[k, c]


@inlined
def _hold_velocity_rows(system: System, work: Work) -> None:
    """Rows of velocities are held at mid-step."""
    for r in range(system.rows.shape[0]):
        if system.rows[r, ROW.VELOCITY]:
            function = system.coordinate_functions[system.rows[r, ROW.COORDINATE]]
            for k in range(
                function[COORDINATE.BLOCK], function[COORDINATE.BLOCK] + function[COORDINATE.BLOCKS]
            ):
                for c in range(work.grad.shape[1]):
                    work.tangent[TAN.HELD, k, c] = work.grad[k, c]


@inlined
def _values(system: System, work: Work, out: Array) -> None:
    for g in range(system.coordinate_functions.shape[0]):
        out[g] = work.coordinate[g, COORDINATE_VALUE.VALUE]


@kernel
def _evaluate(
    packed: Packed, t: float, h: float, fresh: bool, lost: float, old_q: Array, q: Array, v: Array, x: Array
) -> None:
    """Rows at the end of the step, then forces and gradients that belong to both ends, and their powers.

    `lost` is the elastic energy where the step began. With `fresh`, tables for a new matrix.
    """
    system, work = open_system(packed), open_work(packed)
    n, m, s = x.shape[0], system.rows.shape[0], work.scratch
    count = system.coordinate_functions.shape[0]
    old_s, new_s, mass_x = s[OLD_S][:count], s[NEW_S][:count], s[MASS_X][:n]
    call_constraints(packed, t + h, q, v)
    call_forces(packed, t + h)
    _values(system, work, new_s)
    lost -= work.energy[ENERGY.ELASTIC]
    for r in range(m):
        s[GAP, r] = work.row[r, ROW_VALUE.PHI]
        s[NEW_F, r] = work.row[r, ROW_VALUE.F]
    if fresh:
        turn_rows(system, x, work.grad)
        _hold(work, TAN.HELD)

    average_poses(system, work, h, old_q, q, x)
    coordinate_functions(packed, system)
    apply_mass(system, x, mass_x)
    discrete_gradients(packed, h, x, mass_x, old_s, new_s)
    constraint_rows(system, work, t + 0.5 * h)
    call_forces(packed, t + 0.5 * h)
    work.counters[COUNT.EVALUATIONS] += 2
    if fresh:
        _hold(work, TAN.ACTING)
        _hold_velocity_rows(system, work)

    # work of gravity, of laws that are no potentials, and what springs did instead of what they lost
    load, done = work.vectors[VECTOR.Q], 0.0
    for c in range(n):
        done += load[c] * x[c]
    for b in range(system.bodies.shape[0] - 1):
        at, real = system.bodies[b, BODY.V], system.body_reals[b]
        for c in range(2 if system.bodies[b, BODY.PLANAR] else 3):
            done -= real[BODY_REAL.MASS] * real[BODY_REAL.GRAVITY + c] * x[at + c]
    done += h * work.power[WORK.DISSIPATED]
    for k in range(WORK.DISSIPATED + 1, work.power.shape[0]):
        done -= h * work.power[k]
    total = 0.0
    for c in range(n):
        total += x[c] * mass_x[c]
    if total > 0.0:
        for c in range(n):
            load[c] += (lost - done) / total * mass_x[c]


@kernel
def _factor(packed: Packed, t: float, h: float) -> int:
    """M − h/2 D − h²/4 K with the rows that are held."""
    system, work = open_system(packed), open_work(packed)
    call_tangents(packed, t + 0.5 * h, work.vectors[VECTOR.A])
    matrix = work.factors[0]
    for k in range(matrix.shape[0]):
        matrix[k] = -0.5 * h * work.damping[k] - 0.25 * h * h * work.stiffness[k]
    velocities.add_mass(system, 1.0, matrix)
    return saddle.factor(system, work, 0)


@kernel
def _iterate(packed: Packed, t: float, h: float, lost: float, restricted: int, q: Array, v: Array) -> int:
    """From the displacement in X; the matrix of the first iteration serves as long as it contracts."""
    system, work = open_system(packed), open_work(packed)
    nq, n, m, s = q.shape[0], v.shape[0], system.rows.shape[0], work.scratch
    x, load, old_q, old_v = s[X][:n], s[LOAD][:n], s[OLD_Q][:nq], s[OLD_V][:n]
    before, contraction, singular, converged = math.inf, 1.0, False, False
    share, taken, reach, left = 1.0, math.inf, math.inf, saddle.UNKNOWN
    floor = ROUNDING * max(1.0, largest(old_q))
    for k in range(MAX_RESTRICTED if restricted == 1 else MAX_ITERATIONS):
        fresh = k == 0 or restricted == 1 or contraction > CONTRACTION_LIMIT
        cayley(system.bodies, old_q, x, q)
        for c in range(n):
            v[c] = 2.0 * x[c] / h - old_v[c]
        _evaluate(packed, t, h, fresh, lost, old_q, q, v, x)
        if converged:
            break
        if fresh:
            status = _factor(packed, t, h)
            if status != OK:
                return int(status)

        # −h/2 (M (v⁺ − v) − h Q̄ − h J̄ᵀλ)
        for c in range(n):
            load[c] = v[c] - old_v[c]
        apply_mass(system, load, s[FORCE][:n])
        for c in range(n):
            load[c] = 0.5 * h * (h * work.vectors[VECTOR.Q, c] - s[FORCE, c])
        for r in range(m):
            row = work.row[r]
            add_row(system, work.grad, r, 0.5 * h * h * row[ROW_VALUE.LAMBDA], load)
            row[ROW_VALUE.SOLVE] = 0.0
            row[ROW_VALUE.RESIDUAL] = h * row[ROW_VALUE.RATE] if system.rows[r, ROW.VELOCITY] else s[GAP, r]
        limit = (SINGULAR_TOLERANCE if singular else TOLERANCE) * largest(x) + floor
        near, left = saddle.solve_to(system, work, 0, limit, saddle.UNKNOWN if fresh else left, load)
        singular = singular or near
        change = largest(load)
        if not math.isfinite(change):
            return give_up(system, work, load)
        if restricted == 1:
            share, reach = trusted_share(change, before, largest_turn(system.bodies, load), taken, reach)
            taken = share * change
        for c in range(n):
            x[c] += share * load[c]
        for r in range(m):
            work.row[r, ROW_VALUE.LAMBDA] += share * work.row[r, ROW_VALUE.SOLVE] / (0.5 * h * h)
        work.counters[COUNT.ITERATIONS] += 1
        contraction, before = change / before if k > 0 else 0.0, change
        converged = share == 1.0 and (
            change <= limit or (k > 1 and contraction > 0.5 and change <= STALLED * largest(x) + floor)
        )
        if singular and k >= MAX_SINGULAR_ITERATIONS and position_gap(system, work) <= SINGULAR_VIOLATION:
            converged = True
    work.counters[COUNT.NEAR_SINGULAR] += singular
    return OK if converged else give_up(system, work, load)


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state, t, s = open_state(system, y), clock[CLOCK.NOW], work.scratch
    q, v, a, n, m = state.q, state.v, state.a, state.v.shape[0], system.rows.shape[0]
    copy(q, s[OLD_Q])
    copy(v, s[OLD_V])
    for r in range(m):
        s[OLD_LAMBDA, r] = work.row[r, ROW_VALUE.LAMBDA]
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    _values(system, work, s[OLD_S])
    lost = work.energy[ENERGY.ELASTIC]
    for r in range(m):
        s[OLD_F, r] = work.row[r, ROW_VALUE.F]

    # a step that is not solved from its prediction: once more from the old velocities, restricted
    status, gentle = OK, not is_violent(system.bodies, h, v, a)
    for restricted in range(2):
        for c in range(n):
            s[X, c] = h * s[OLD_V, c] + (0.5 * h * h * a[c] if gentle and restricted == 0 else 0.0)
        for r in range(m):
            work.row[r, ROW_VALUE.LAMBDA] = s[OLD_LAMBDA, r]
        status = _iterate(packed, t, h, lost, restricted, q, v)
        if status == OK:
            break
    if status != OK:
        return int(status)

    # work of the step: powers are means over it, those of motions λ times the mean rate
    for k in range(state.works.shape[0]):
        state.works[k] += h * work.power[k]
    for r in range(m):
        quadrature = system.rows[r, ROW.QUADRATURE]
        if quadrature >= 0:
            row = work.row[r]
            moved = h * row[ROW_VALUE.F] if system.rows[r, ROW.VELOCITY] else s[NEW_F, r] - s[OLD_F, r]
            state.works[quadrature] += row[ROW_VALUE.LAMBDA] * moved
    normalise(system.bodies, q)
    status = consistent_acceleration(packed, t + h, q, v)
    copy(work.vectors[VECTOR.A], a)
    clock[CLOCK.USED] = h
    return status


def room(system: System) -> Room:
    order = max(int(system.sizes[SIZE.NQ]), len(system.rows), len(system.coordinate_functions))
    return Room(factors=1, vectors=VECTORS, order=order)


KIND = DirectKind(
    name="energy_momentum",
    title="Energy–momentum method",
    summary="Order 2, implicit; keeps the energy balance to rounding at any step, and momenta where "
    "nothing acts from outside.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    singular_failure="nothing damps its velocities across the joints, and there they have no bound",
    growth=of_first_order(lambda z: (1.0 - 0.5 * z, -1.0 - 0.5 * z)),
)
