"""Hamilton's canonical equations by the trapezoidal rule and Newton's method [Celej 2018, §5.4].

With x the displacement and turn of a step, q⁺ = q ⊕ x, and all else at t + h:

    v⁺ = 2x/h − v,   p⁺ = p + h/2 (p' + p'⁺),   p'⁺ = Q − J'ᵀσ,   σ = σ̃ − ρ c,  c = Φ' + 2ξω Φ + ω² ∫Φ
    r(x) = M v⁺ − p − h/2 (p' + Q) − (J − h/2 J')ᵀσ = 0

The source solves for (q, p) and condenses the linear problem to n unknowns; here p⁺ is eliminated before,
which gives the same step and the same matrix

    h/2 ∂r/∂x = M − h/2 D − h²/4 K + (J − h/2 J')ᵀ ρ ((1 + hξω) J + h/2 R),      K = ∂Q/∂q,  D = ∂Q/∂v

without the derivatives of J with σ: they cancel to first order, and those with ρ c swamp the matrix at the
predictor. σ̃ ← σ after every iteration, with c of the linear problem. ∫Φ grows by hΦ per step.

The zero of σ is arbitrary, and σ grows where a reaction keeps its sign: beyond a limit it begins anew, σ = 0,
p = M v, p' = Q. It may begin with any value σ₀: p = M v − Jᵀσ₀, p' = Q − J'ᵀσ₀. Rotations follow the same
rule on the group, with turns in body axes.

State vector y = (q, v, p, p', σ, resets, ∫Φ, power, w).
"""

import math
from typing import NamedTuple

from engine.compiled.arenas import open_system, open_work
from engine.compiled.carried import Carried
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces, call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, Room, System, Work
from engine.compiled.states import Coordinates, PerRow, Velocities, Works, state_size, state_view
from engine.maths.amplification import of_first_order
from engine.maths.arrays import copy
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newton import (
    NOT_SOLVED,
    OK,
    add_work,
    largest_order,
    note_offender,
)
from engine.solvers.linsolve import saddle, velocities
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.momenta import (
    OWN,
    PENALTY,
    carry,
    feedback_options,
    gains,
    keep_accelerations,
    momentum_rate,
    penalty_options,
    pose_accelerations,
    weigh,
)
from engine.solvers.linsolve.penalised import factor_penalised, iterate
from engine.solvers.linsolve.rows import add_row, row_times
from engine.solvers.linsolve.saddle import largest
from engine.system.equations.equations import count_turns, motion_powers
from engine.system.equations.kinematics import normalise, retract
from engine.system.equations.sampling import write_sample

TOLERANCE, RESET, LIMIT, FIRST_SIGMA = (OWN + k for k in range(4))
PENALTY_FACTOR = 1e4  # times the penalty where the motion does not converge: near a singular configuration
MOTION_TOLERANCE, SINGULAR_TOLERANCE = (
    1e-6,
    1e-2,
)  # of the displacement in the step: what the last iteration may have moved
ROUNDING = 1e-15  # of the coordinates: no iteration gets below it
STALLED = 0.5  # of the change of σ before: one that is larger does not converge
PASSES, ACCURACY = 60, 1e-13  # of the augmented Lagrangian iteration for accelerations
# of Work.factors
NEWTON, PENALISED = range(2)
# vectors of Work.scratch, behind the diagonals of the penalised matrix
X, LOAD, Q_BEFORE, V_BEFORE, SIGMA_BEFORE = (DIAGONAL.COLUMNS + k for k in range(5))
VECTORS = DIAGONAL.COLUMNS + 5


@inlined
def accelerations(packed: Packed) -> int:
    """a and λ = σ' of the present state, by the iteration that needs no independent rows.

    Without feedback: the rule leaves rates of order h² in the rows; gains of 1/h make forces of them.
    """
    system, work = open_system(packed), open_work(packed)
    matrix = work.factors[PENALISED]
    weigh(system, work, True)
    status = factor_penalised(system, work, matrix, work.scratch)
    if status == OK:
        pose_accelerations(system, work, 0.0, 0.0)
        iterate(system, work, matrix, work.scratch, PASSES, ACCURACY)
        keep_accelerations(system, work)
        motion_powers(system, work)
    return status


@inlined
def evaluate(packed: Packed, t: float, q: Array, v: Array, integral: Array) -> None:
    """Rows, forces, tangents of the forces alone; c in ROW_VALUE.RESIDUAL, ρ in ROW_VALUE.WEIGHT."""
    system, work = open_system(packed), open_work(packed)
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    work.row[:, ROW_VALUE.LAMBDA] = 0.0
    call_tangents(packed, t, work.vectors[VECTOR.A])
    weigh(system, work, True)
    on_phi, on_integral = gains(work)
    for r in range(system.rows.shape[0]):
        row = work.row[r]
        row[ROW_VALUE.RESIDUAL] = (
            row[ROW_VALUE.RATE] + on_phi * row[ROW_VALUE.PHI] + on_integral * integral[r]
        )
    work.counters[COUNT.EVALUATIONS] += 1


@inlined
def residual(
    system: System, work: Work, h: float, v: Array, p: Array, rate: Array, sigma: Array, out: Array
) -> float:
    """out = −h/2 r; returns the largest of the terms that should cancel."""
    half, size = 0.5 * h, 0.0
    apply_mass(system, v, out)
    for c in range(v.shape[0]):
        push = half * (rate[c] + work.vectors[VECTOR.Q, c])
        size = max(size, abs(out[c]), abs(p[c]), abs(push))
        out[c] = half * (p[c] + push - out[c])
    for r in range(system.rows.shape[0]):
        impulse = half * (sigma[r] - work.row[r, ROW_VALUE.WEIGHT] * work.row[r, ROW_VALUE.RESIDUAL])
        add_row(system, work.grad, r, impulse, out)
        add_row(system, work.tangent[TAN.ACC_V], r, -half * impulse, out)
        add_row(system, work.tangent[TAN.RATE_Q], r, half * impulse, out)
    return size


@kernel
def add_rows(system: System, work: Work, h: float, on_phi: float, matrix: Array) -> None:
    """matrix += (J − h/2 J')ᵀ ρ ((1 + h/2 2ξω) J + h/2 R), over the blocks that meet in a row."""
    grad, rate_q, acc_v, half = work.grad, work.tangent[TAN.RATE_Q], work.tangent[TAN.ACC_V], 0.5 * h
    acting, held = work.tangent[TAN.ACTING], work.tangent[TAN.HELD]
    for r in range(system.rows.shape[0]):
        function = system.coordinate_functions[system.rows[r, ROW.COORDINATE]]
        begin = function[COORDINATE.BLOCK]
        share = 1.0 if system.rows[r, ROW.VELOCITY] else 1.0 + half * on_phi
        for i in range(begin, begin + function[COORDINATE.BLOCKS]):
            for c in range(grad.shape[1]):
                acting[i, c] = grad[i, c] - half * (acc_v[i, c] - rate_q[i, c])
                held[i, c] = share * grad[i, c] + half * rate_q[i, c]
    saddle.add_rows(system, work, matrix)


@inlined
def update_sigma(system: System, work: Work, h: float, on_phi: float, x: Array, sigma: Array) -> float:
    """σ ← σ − ρ c with the c that the linear problem leaves; returns the largest change.

    Evaluated anew, c would bring in the rounding of Φ, times ρ 2ξω: it spoils the energy of light links.
    """
    change, half = 0.0, 0.5 * h
    for r in range(system.rows.shape[0]):
        share = 1.0 if system.rows[r, ROW.VELOCITY] else 1.0 + half * on_phi
        rest = share * row_times(system, work.grad, r, x)
        rest += half * row_times(system, work.tangent[TAN.RATE_Q], r, x)
        step = work.row[r, ROW_VALUE.WEIGHT] * (work.row[r, ROW_VALUE.RESIDUAL] + rest / half)
        sigma[r] -= step
        change = max(change, abs(step))
    return change


class CanonicalStepState(NamedTuple):
    """Coordinates, velocities, momenta, their rates, σ, how often it began anew, ∫Φ dt, powers and works."""

    q: Coordinates
    v: Velocities
    p: Velocities
    rate: Velocities
    sigma: PerRow
    resets: PerRow  # one number, the same for all rows; in the state, so that rejected steps do not count
    integral: PerRow
    power: Works
    works: Works


CARRIED = (
    Carried("momenta", "velocity"),
    Carried("sigma", "row"),
    Carried("integral", "row"),
    Carried("resets", "row"),
)
open_state = state_view(CanonicalStepState)


@kernel
def _iterate(packed: Packed, t: float, h: float, enough: float, y: Array) -> int:
    """Newton's method from the state in Q_BEFORE and V_BEFORE; OK once what it moves is `enough`."""
    system, work = open_system(packed), open_work(packed)
    nq, n, m = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], system.rows.shape[0]
    state = open_state(system, y)
    q, v, p, rate, sigma, integral = state.q, state.v, state.p, state.rate, state.sigma, state.integral
    s = work.scratch
    x, load, q_before, v_before = s[X][:n], s[LOAD][:n], s[Q_BEFORE][:nq], s[V_BEFORE][:n]
    on_phi, _ = gains(work)
    for c in range(n):
        x[c] = h * v_before[c]
    for r in range(m):
        sigma[r] = s[SIGMA_BEFORE, r]
    most = int(work.options[LIMIT])
    moved, change, before, floor = math.inf, math.inf, math.inf, ROUNDING * largest(q_before)

    for i in range(most + 1):
        retract(system.bodies, q_before, x, q)
        for c in range(n):
            v[c] = 2.0 * x[c] / h - v_before[c]
        evaluate(packed, t, q, v, integral)
        size = max(residual(system, work, h, v, p, rate, sigma, load), largest(sigma))
        # where nothing moves but by rounding, σ changes by what rounding makes of it, for ever
        stalled = moved <= floor and change > STALLED * before
        settled = change <= work.options[TOLERANCE] * size or stalled
        # at a singular configuration σ converges slowly or not at all; the motion does
        limit = enough if i == most else MOTION_TOLERANCE
        if (settled or i == most) and moved <= max(limit * largest(x), floor):
            break
        if i == most or not math.isfinite(largest(load)):
            note_offender(work, load)
            return NOT_SOLVED
        matrix = work.factors[NEWTON]
        for k in range(matrix.shape[0]):
            matrix[k] = -0.5 * h * work.damping[k] - 0.25 * h * h * work.stiffness[k]
        velocities.add_mass(system, 1.0, matrix)
        add_rows(system, work, h, on_phi, matrix)
        status = velocities.factor(system, work, NEWTON)
        if status != OK:
            return status
        velocities.solve(system, work, NEWTON, load)
        for c in range(n):
            x[c] += load[c]
        before = change
        moved, change = largest(load), update_sigma(system, work, h, on_phi, load, sigma)
        work.counters[COUNT.ITERATIONS] += 1
    return OK


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    n, m, state = system.sizes[SIZE.NV], system.rows.shape[0], open_state(system, y)
    q, v, p, rate, sigma, integral = state.q, state.v, state.p, state.rate, state.sigma, state.integral
    s, t = work.scratch, clock[CLOCK.NOW] + h
    copy(q, s[Q_BEFORE])
    copy(v, s[V_BEFORE])
    copy(sigma, s[SIGMA_BEFORE])
    status = _iterate(packed, t, h, MOTION_TOLERANCE, y)
    if status == NOT_SOLVED:
        # near a singular configuration the penalty must still bind the vanishing direction
        work.options[PENALTY] *= PENALTY_FACTOR
        status = _iterate(packed, t, h, SINGULAR_TOLERANCE, y)
        work.options[PENALTY] /= PENALTY_FACTOR
    if status != OK:
        return status

    # the accepted state, complete
    for c in range(n):
        p[c] += 0.5 * h * rate[c]
    momentum_rate(system, work, sigma, rate)
    for c in range(n):
        p[c] += 0.5 * h * rate[c]
    begin_sigma_anew(system, work, state)
    for r in range(m):
        integral[r] += h * work.row[r, ROW_VALUE.PHI]
    normalise(system.bodies, q)
    status = accelerations(packed)
    add_work(work, h, state.power, state.works)
    clock[CLOCK.USED] = h
    return status


@inlined
def begin_sigma_anew(system: System, work: Work, state: CanonicalStepState) -> None:
    """σ = 0 with the momenta that belong to it, once |σ| has passed its limit."""
    limit, square = work.options[RESET], 0.0
    for r in range(state.sigma.shape[0]):
        square += state.sigma[r] * state.sigma[r]
    if limit > 0.0 and square > limit * limit:
        state.sigma[:] = 0.0
        for r in range(state.resets.shape[0]):
            state.resets[r] += 1.0
        apply_mass(system, state.v, state.p)
        copy(work.vectors[VECTOR.Q], state.rate)


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """σ = σ₀, ∫Φ = 0, p = M v − Jᵀσ₀, p' = Q − J'ᵀσ₀."""
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    call_constraints(packed, clock[CLOCK.NOW], state.q, state.v)
    call_forces(packed, clock[CLOCK.NOW])
    work.counters[COUNT.EVALUATIONS] += 1
    status = accelerations(packed)
    apply_mass(system, state.v, state.p)
    copy(work.vectors[VECTOR.Q], state.rate)
    state.sigma[:] = work.options[FIRST_SIGMA]
    if work.options[FIRST_SIGMA] != 0.0:
        for r in range(system.rows.shape[0]):
            add_row(system, work.grad, r, -state.sigma[r], state.p)
        call_tangents(packed, clock[CLOCK.NOW], work.vectors[VECTOR.A])
        momentum_rate(system, work, state.sigma, state.rate)
    state.integral[:] = 0.0
    copy(work.power, state.power)
    count_turns(system, work)
    return status


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    write_sample(system, work, clock, state.q, state.v, state.works, sample)
    at = sample.shape[0] - state.p.shape[0] - 3 * system.rows.shape[0]
    at = carry(state.sigma, sample, carry(state.p, sample, at))
    carry(state.resets, sample, carry(state.integral, sample, at))


def room(system: System) -> Room:
    return Room(factors=2, vectors=VECTORS, order=max(largest_order(system), PIVOT.COLUMNS))


KIND = DirectKind(
    name="canonical_trapezoidal",
    title="Canonical equations, trapezoidal rule",
    summary="Order 2, A-stable; momenta by Newton's method, at ease with redundant rows and singular "
    "configurations.",
    order=2,
    start=start,
    step=step,
    report=report,
    carried=CARRIED,
    size=state_size(CanonicalStepState),
    room=room,
    growth=of_first_order(lambda z: (1.0 - 0.5 * z, -1.0 - 0.5 * z)),
    singular_failure_controlled="its σ belongs to equal steps, and there each change of the step leads it "
    "astray",
    options=(
        *feedback_options(xi=1e3, omega=1.0),
        *penalty_options(1e6),
        Option("tolerance", TOLERANCE, 1e-10, "Last change of σ, over the largest momentum"),
        Option("reset", RESET, 0.0, "Size of σ at which it begins anew, 0 for never", "N·s"),
        Option("iterations", LIMIT, 20.0, "Largest number of iterations", minimum=1.0),
        Option("sigma", FIRST_SIGMA, 0.0, "σ of every row at the start", "N·s", minimum=-math.inf),
    ),
)
