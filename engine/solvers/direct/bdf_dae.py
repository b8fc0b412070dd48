"""Backward differentiation formulas of orders 1 to 5 on the equations of index 3, or stabilised to index 2.

In the chart d = q ⊖ q_n, with the past k points d_j = q_{n+1−j} ⊖ q_n and coefficients α [Gear 1971]:

    d' = Σ α_j d_j/h,   v = T(d) d',   v' = Σ α_j v_{n+1−j}/h,   M v' = Q + Jᵀλ,   Φ(t, q_n ⊕ d) = 0;
    index 2: also J v = f', and d' = T⁻¹(v + S⁻¹Jᵀμ)            [Gear 1985].

Equal steps only: on index 3, multipliers lose an order where the step changes. The past is made by Radau IIA,
whose order is not less; another step size begins a new past.

State vector y = (q, v, a, past q, past v, past w, w).
"""

from typing import Annotated, NamedTuple

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, Room, StepStatus, System
from engine.compiled.states import Coordinates, Extent, Velocities, Works, state_size, state_view
from engine.maths.amplification import Complex, Growth, of_first_order
from engine.maths.arrays import copy
from engine.solvers.direct.alpha import INDICES, report
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.increments import BASE_A, BASE_D, BASE_V, close_step
from engine.solvers.direct.newton import consistent_acceleration
from engine.solvers.direct.radau import OLD_Q, OLD_V, OWN, WORKS, close_velocities, solve_stages
from engine.solvers.direct.radau import room as radau_room
from engine.solvers.linsolve.base import near_singular
from engine.solvers.linsolve.trust_region import is_violent
from engine.system.equations.equations import count_turns, motion_powers
from engine.system.equations.kinematics import difference

OK = int(StepStatus.OK)
ORDER, INDEX = SLOT.DIRECT, INDICES.slot
MAX_ORDER = 5
PAST = MAX_ORDER - 1  # points before the present one
ALPHA = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, -1.0, 0.0, 0.0, 0.0, 0.0],
        [3 / 2, -2.0, 1 / 2, 0.0, 0.0, 0.0],
        [11 / 6, -3.0, 3 / 2, -1 / 3, 0.0, 0.0],
        [25 / 12, -4.0, 3.0, -4 / 3, 1 / 4, 0.0],
        [137 / 60, -5.0, 5.0, -10 / 3, 5 / 4, -1 / 5],
    ]
)
H_STEP, H_COUNT = 0, 1  # Work.history: size of the last step, past points of that distance
SAME_STEP = 1e-6  # relative
OLD_W, APART, REACTIONS = OWN, OWN + 1, OWN + 2  # vectors of Work.scratch, behind those of Radau IIA


PastCoordinates = Annotated[Array, Extent(SIZE.NQ, PAST)]
PastVelocities = Annotated[Array, Extent(SIZE.NV, PAST)]
PastWorks = Annotated[Array, Extent(SIZE.QUADRATURES, PAST)]


class BackwardState(NamedTuple):
    """Coordinates, velocities, accelerations, the past of the state, the newest first, and work integrals."""

    q: Coordinates
    v: Velocities
    a: Velocities
    past_q: PastCoordinates
    past_v: PastVelocities
    past_works: PastWorks
    works: Works


open_state = state_view(BackwardState)


@kernel
def _formula(packed: Packed, t: float, h: float, order: int, y: Array) -> int:
    """One step of the formula; the old state stands in OLD_Q, OLD_V and OLD_W."""
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], system.sizes[SIZE.QUADRATURES]
    state, s, alpha = open_state(system, y), work.scratch, ALPHA[order]
    q, v, a, works = state.q, state.v, state.a, state.works
    base_d, base_v, base_a, apart = s[BASE_D][:n], s[BASE_V][:n], s[BASE_A][:n], s[APART][:n]
    for c in range(n):
        base_d[c] = h * v[c] + 0.5 * h * h * a[c]
        base_v[c] = alpha[0] * base_d[c] / h
        base_a[c] = alpha[1] * v[c] / h
    for j in range(2, order + 1):
        difference(system.bodies, q, state.past_q[(j - 2) * nq : (j - 1) * nq], apart)
        for c in range(n):
            base_v[c] += alpha[j] * apart[c] / h
            base_a[c] += alpha[j] * state.past_v[(j - 2) * n + c] / h
    for k in range(nw):
        works[k] *= -alpha[1]
        for j in range(2, order + 1):
            works[k] -= alpha[j] * state.past_works[(j - 2) * nw + k]
    lag = h / alpha[0]
    index = 2 if work.options[INDEX] == 1.0 else 3
    violent = is_violent(system.bodies, h, v, a)
    status = close_step(packed, t + h, 1.0, lag, lag * lag, index, True, violent, s[OLD_Q][:nq], q, v)
    if status != OK:
        return status
    copy(work.vectors[VECTOR.A], a)
    motion_powers(system, work)
    for k in range(nw):
        works[k] = (works[k] + h * work.power[k]) / alpha[0]
    return OK


@inlined
def _shift(past: Array, newest: Array) -> None:
    """One point more; the oldest is forgotten."""
    width = past.shape[0] // PAST
    for k in range(past.shape[0] - 1, width - 1, -1):
        past[k] = past[k - width]
    copy(newest[:width], past[:width])


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    q, v, a, works = state.q, state.v, state.a, state.works
    s, t, order = work.scratch, clock[CLOCK.NOW], int(work.options[ORDER])
    count = int(work.history[H_COUNT]) if abs(h - work.history[H_STEP]) <= SAME_STEP * h else 0
    copy(q, s[OLD_Q])
    copy(v, s[OLD_V])
    copy(works, s[OLD_W])
    if count >= order - 1:
        status = _formula(packed, t, h, order, y)
    else:
        reactions = s[REACTIONS][: system.rows.shape[0]]
        for r in range(reactions.shape[0]):
            reactions[r] = work.row[r, ROW_VALUE.LAMBDA]
        status = solve_stages(packed, t, h, q, v, a, reactions)
        if status == OK:
            status = close_velocities(packed, t + h, q, v, a, reactions)
        for k in range(works.shape[0]):
            works[k] += s[WORKS, k]
    if status != OK:
        return status

    _shift(state.past_q, s[OLD_Q])
    _shift(state.past_v, s[OLD_V])
    _shift(state.past_works, s[OLD_W])
    work.history[H_STEP], work.history[H_COUNT] = h, min(count + 1, PAST)
    clock[CLOCK.USED] = h
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    work.history[H_STEP], work.history[H_COUNT] = 0.0, 0.0
    status = consistent_acceleration(packed, clock[CLOCK.NOW], state.q, state.v)
    near_singular(work.diagonal[DIAGONAL.INFO])
    copy(work.vectors[VECTOR.A], state.a)
    count_turns(system, work)
    return status


def room(system: System) -> Room:
    return radau_room(system)._replace(vectors=OWN + 3)


def _roots(alpha_h: Array, beta2_h2: Array, numbers: Array) -> Complex:
    coefficients = ALPHA[int(numbers[ORDER])]

    def polynomial(z: Complex) -> list[Complex | float]:
        return [coefficients[0] - z, *coefficients[1:]]

    return of_first_order(polynomial).roots(alpha_h, beta2_h2, numbers)


KIND = DirectKind(
    name="bdf_dae",
    title="BDF on the constrained equations",
    summary="Backward differentiation, order 1 to 5, strongly damping; equal steps.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=state_size(BackwardState),
    room=room,
    growth=Growth(_roots),
    equal_steps="its past points must be equally far apart; radau and the α family vary their steps",
    options=(
        Option("order", ORDER, 2.0, "Order", minimum=1.0, maximum=float(MAX_ORDER)),
        INDICES,
    ),
    jump_failure="its equations cannot be solved in steps as short as those between ever shorter bounces",
)
