"""The α family of one-step methods: generalised-α and HHT.

    (1 − α_m) a + α_m a_n = (1 − α_f) v' + α_f v'_n,      M v' = Q + Jᵀλ,   Φ(t, q) = 0,
    q = q_n ⊕ (h v_n + h²[(½ − β) a_n + β a]),            v = v_n + h[(1 − γ_N) a_n + γ_N a],

all without index at the end of the step [Arnold 2015]. a belongs to t + (α_m − α_f) h, v' to t. M is constant
in our velocity coordinates, so it does not matter whether forces or accelerations are averaged, and nothing
asks for M⁻¹.

State vector y = (q, v, a, v', power, w).
"""

from typing import NamedTuple

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_factor
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, Room, StepStatus, System
from engine.compiled.states import Coordinates, Velocities, Works, open_motion, state_size, state_view
from engine.maths.arrays import copy
from engine.solvers.direct.increments import BASE_A, BASE_D, BASE_V, OWN, close_step
from engine.solvers.direct.newton import add_work, consistent_acceleration
from engine.solvers.linsolve.base import near_singular
from engine.solvers.linsolve.trust_region import is_violent
from engine.system.equations.equations import count_turns, motion_powers
from engine.system.equations.kinematics import retract
from engine.system.equations.sampling import write_sample

OK = int(StepStatus.OK)
OWN_NUMBER, INDEX = SLOT.DIRECT, SLOT.DIRECT + 1  # options: ρ∞ or α; index
H_STEP, H_AM, H_AF, H_BETA, H_GAMMA = range(5)  # Work.history
OLD_Q, OLD_V = OWN, OWN + 1  # vectors of Work.scratch
JERK_DISTANCE = 1e-5  # of the first step: distance to both sides at which accelerations give the jerk
INDICES = Option("index", INDEX, 1.0, "Constraints that hold", choices=("position", "position and velocity"))


class AlphaState(NamedTuple):
    """Coordinates, velocities, a of the rule, v', powers and work integrals."""

    q: Coordinates
    v: Velocities
    a: Velocities
    rate: Velocities
    power: Works
    works: Works


open_state = state_view(AlphaState)
size = state_size(AlphaState)


@inlined
def _place_acceleration(packed: Packed, clock: Array, h: float, y: Array) -> int:
    """a_n belongs to t_n + (α_m − α_f) h: by the jerk at the first step, stretched when h changes.

    Where the acceleration of the start does not last for a step, its jerk says nothing about the step.
    """
    system, work = open_system(packed), open_work(packed)
    nq, n, past, state = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], work.history, open_state(system, y)
    v, a, rate = state.v, state.a, state.rate
    if past[H_STEP] == 0.0 and not is_violent(system.bodies, h, v, rate):
        near_q, near_v, move = work.scratch[OLD_Q][:nq], work.scratch[OLD_V][:n], work.scratch[BASE_D][:n]
        for side in (-1.0, 1.0):
            small = side * JERK_DISTANCE * h
            for c in range(n):
                move[c] = small * v[c] + 0.5 * small * small * rate[c]
                near_v[c] = v[c] + small * rate[c]
            retract(system.bodies, state.q, move, near_q)
            status = consistent_acceleration(packed, clock[CLOCK.NOW] + small, near_q, near_v)
            if status != OK:
                return int(status)
            for c in range(n):
                # rate + (α_m − α_f) h (a(+) − a(−))/(2 · JERK_DISTANCE h)
                part = side * (past[H_AM] - past[H_AF]) * work.vectors[VECTOR.A, c] / (2.0 * JERK_DISTANCE)
                a[c] = (rate[c] if side < 0.0 else a[c]) + part
    elif past[H_STEP] != h and past[H_STEP] > 0.0:
        for c in range(n):
            a[c] = rate[c] + (a[c] - rate[c]) * h / past[H_STEP]
    return OK


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, state = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], open_state(system, y)
    q, v, a, rate = state.q, state.v, state.a, state.rate
    s, past, t = work.scratch, work.history, clock[CLOCK.NOW] + h
    am, af, beta, gamma = past[H_AM], past[H_AF], past[H_BETA], past[H_GAMMA]
    status = _place_acceleration(packed, clock, h, y)
    if status != OK:
        return status

    # predictor a = a_n;  v' = κ a + (α_m a_n − α_f v'_n)/(1 − α_f)
    old_q, kappa = s[OLD_Q][:nq], (1.0 - am) / (1.0 - af)
    copy(q, old_q)
    for c in range(n):
        s[BASE_D, c] = h * v[c] + 0.5 * h * h * a[c]
        s[BASE_V, c] = v[c] + h * a[c]
        s[BASE_A, c] = (a[c] - af * rate[c]) / (1.0 - af)
    index, violent = 2 if work.options[INDEX] == 1.0 else 3, is_violent(system.bodies, h, v, a)
    status = close_step(packed, t, kappa, gamma * h, beta * h * h, index, False, violent, old_q, q, v)
    if status != OK:
        return status
    for c in range(n):
        old_rate, rate[c] = rate[c], work.vectors[VECTOR.A, c]
        a[c] = ((1.0 - af) * rate[c] + af * old_rate - am * a[c]) / (1.0 - am)
    motion_powers(system, work)
    add_work(work, h, state.power, state.works)
    past[H_STEP] = h
    clock[CLOCK.USED] = h
    return OK


@inlined
def begin(packed: Packed, clock: Array, y: Array, am: float, af: float, beta: float, gamma: float) -> int:
    """Consistent accelerations; the constants of the rule stay in `history`."""
    system, work = open_system(packed), open_work(packed)
    past, state = work.history, open_state(system, y)
    past[H_STEP], past[H_AM], past[H_AF], past[H_BETA], past[H_GAMMA] = 0.0, am, af, beta, gamma
    status = consistent_acceleration(packed, clock[CLOCK.NOW], state.q, state.v)
    copy(work.vectors[VECTOR.A], state.a)
    copy(work.vectors[VECTOR.A], state.rate)
    copy(work.power, state.power)
    count_turns(system, work)
    return status


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    state = open_motion(system, y)  # also of other methods whose rows are closed by a penalty
    call_factor(packed)  # for the smallest pivot
    near_singular(work.diagonal[DIAGONAL.INFO])
    write_sample(system, work, clock, state.q, state.v, state.works, sample)


def warns(options: Array, system: System) -> str:
    if options[INDEX] == 0.0 and system.rows[:, ROW.VELOCITY].any():
        return (
            "Closed for positions only (index = 0), velocities oscillate where wheels roll or knife edges "
            "glide: at longer steps the run goes wrong and breaks off, the bicycle at 10 ms. Take index = 1."
        )
    return ""


def room(system: System) -> Room:
    return Room(factors=1, vectors=OWN + 2, order=int(system.sizes[SIZE.NQ]))
