"""Wilson-θ: the acceleration is linear over θh, and equilibrium and constraints hold at t + θh.

With τ = θh ([Wilson 1973]; β = 1/6, γ = 1/2 over τ):

    q̂ = q ⊕ (τ v + τ²(2a + â)/6),   v̂ = v + τ(a + â)/2,    M â = Q̂ + Ĵᵀλ̂,   Φ(t + τ, q̂) = 0;
    a⁺ = a + (â − a)/θ,   q⁺ = q ⊕ (h v + h²(2a + a⁺)/6),   v⁺ = v + h(a + a⁺)/2,   λ⁺ = λ + (λ̂ − λ)/θ.

State vector y = (q, v, a, λ, power, w).
"""

from typing import NamedTuple

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed, Room, StepStatus, System
from engine.compiled.states import Coordinates, PerRow, Velocities, Works, state_size, state_view
from engine.maths.amplification import of_second_order
from engine.maths.arrays import copy
from engine.solvers.direct.alpha import report
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.increments import BASE_A, BASE_D, BASE_V, OWN, close_step
from engine.solvers.direct.newton import add_work, consistent_acceleration
from engine.solvers.linsolve.trust_region import is_violent
from engine.system.equations.equations import count_turns, motion_powers
from engine.system.equations.kinematics import normalise, retract

OK = int(StepStatus.OK)
THETA = SLOT.DIRECT
MIN_THETA = 1.37  # below, infinite frequencies are unstable, and a constraint is one
OLD_Q, OLD_V, MOVE = OWN, OWN + 1, OWN + 2  # vectors of Work.scratch


class WilsonState(NamedTuple):
    """Coordinates, velocities, accelerations, λ, powers and work integrals."""

    q: Coordinates
    v: Velocities
    a: Velocities
    reactions: PerRow
    power: Works
    works: Works


open_state = state_view(WilsonState)


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, state = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], open_state(system, y)
    q, v, a, reactions = state.q, state.v, state.a, state.reactions
    s, t, theta = work.scratch, clock[CLOCK.NOW], work.options[THETA]
    tau, old_q, old_v, move = theta * h, s[OLD_Q][:nq], s[OLD_V][:n], s[MOVE][:n]

    # equilibrium at t + θh
    copy(q, old_q)
    copy(v, old_v)
    for c in range(n):
        s[BASE_D, c] = tau * v[c] + 0.5 * tau * tau * a[c]
        s[BASE_V, c] = v[c] + tau * a[c]
        s[BASE_A, c] = a[c]
    violent = is_violent(system.bodies, tau, v, a)
    status = close_step(packed, t + tau, 1.0, 0.5 * tau, tau * tau / 6.0, 3, False, violent, old_q, q, v)
    if status != OK:
        return status

    # back to t + h along the linear acceleration
    for c in range(n):
        change = (work.vectors[VECTOR.A, c] - a[c]) / theta
        move[c] = h * old_v[c] + h * h * (0.5 * a[c] + change / 6.0)
        v[c] = old_v[c] + h * (a[c] + 0.5 * change)
        a[c] += change
        work.vectors[VECTOR.A, c] = a[c]
    retract(system.bodies, old_q, move, q)
    normalise(system.bodies, q)
    call_constraints(packed, t + h, q, v)
    call_forces(packed, t + h)
    work.counters[COUNT.EVALUATIONS] += 1
    for r in range(reactions.shape[0]):
        reactions[r] += (work.row[r, ROW_VALUE.LAMBDA] - reactions[r]) / theta
        work.row[r, ROW_VALUE.LAMBDA] = reactions[r]
    motion_powers(system, work)
    add_work(work, h, state.power, state.works)
    clock[CLOCK.USED] = h
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    status = consistent_acceleration(packed, clock[CLOCK.NOW], state.q, state.v)
    copy(work.vectors[VECTOR.A], state.a)
    for r in range(state.reactions.shape[0]):
        state.reactions[r] = work.row[r, ROW_VALUE.LAMBDA]
    copy(work.power, state.power)
    count_turns(system, work)
    return status


def room(system: System) -> Room:
    return Room(factors=1, vectors=OWN + 3, order=int(system.sizes[SIZE.NQ]))


def _test_step(alpha_h: Array, beta2_h2: Array, state: Array, numbers: Array) -> Array:
    """The same step for x″ = −2α x′ − β² x with h = 1; state (x, v, a)."""
    x, v, a = np.moveaxis(state, -1, 0)
    theta = float(numbers[THETA])
    known_x, known_v = x + theta * v + theta**2 / 3.0 * a, v + 0.5 * theta * a
    hat = -(beta2_h2 * known_x + 2.0 * alpha_h * known_v)
    hat = hat / (1.0 + beta2_h2 * theta**2 / 6.0 + alpha_h * theta)
    new = a + (hat - a) / theta
    return np.stack([x + v + a / 3.0 + new / 6.0, v + 0.5 * (a + new), new], axis=-1)


KIND = DirectKind(
    name="wilson_theta",
    title="Wilson-θ",
    summary="Equilibrium and constraints beyond the end of the step; damps strongly.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=state_size(WilsonState),
    room=room,
    growth=of_second_order(3, _test_step),
    singular_failure_controlled="it closes the joints beyond the end of the step: a change of the step "
    "leaves a gap",
    options=(Option("theta", THETA, 1.42, "θ", minimum=MIN_THETA),),
)
