"""The explicit families D2, D3, D4: central differences without cancellation, and their higher relatives.

With a, j, s for the second, third and fourth derivative of the positions [UPV Newmark, eqs. 9.99 to 9.162]:

    D2   v⁺ = v + h [β a⁺ + (1 − β) a]
         d  = h v + h²/2 [α a + (1 − α) a₋]
    D3   j⁺ = (a⁺ − a)/(γh) − (1 − γ)/γ j
         v⁺ = v + h a + h²/2 [(1 − β) j + β j⁺]
         d  = h v + h²/2 a + h³/6 [α j + (1 − α) j₋]
    D4   s⁺ = 2 (a⁺ − a − h j)/(γh²) − (1 − γ)/γ s
         j⁺ = j + h [(1 − ζ) s + ζ s⁺]
         v⁺ = v + h a + h²/2 j + h³/6 [(1 − β) s + β s⁺]
         d  = h v + h²/2 a + h³/6 j + h⁴/24 [(1 − α) s₋ + α s]

with q⁺ = q ⊕ d and a⁺ = a(t + h, q⁺, v⁺). The position is explicit; a⁺ is found by iteration, which ends at
once where nothing depends on velocities. On rotations ω does not commute with its derivatives: d is then

    d + h³/12 ω × ω′ + h⁴/24 ω × ω″                         (Magnus expansion, body axes)

Work integrals are integrated like velocities, their powers being the a. At the start a₋ = a and s = s₋ = 0 as
in the source; j is found by differences of a along the motion, since a wrong one is never forgotten by D3.
"""

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, StepStatus, System, Work
from engine.compiled.states import open_motion, open_split
from engine.maths.amplification import of_second_order
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.past import keep_past, take_past
from engine.system.equations.kinematics import retract

NOT_CONVERGED = int(StepStatus.NOT_CONVERGED)
# Work.options
ALPHA, BETA, GAMMA, ZETA, DEGREE = (SLOT.SCHEME + k for k in range(5))
# rows of Work.stages; row 0 is the present rate
PAST_A, JERK, PAST_J, SNAP, PAST_S, GUESS, NEXT, STAGE, MOVED = range(1, 10)
STAGES = 10
ITERATION_TOLERANCE = 1e-12  # of the largest acceleration: change at which the iteration for a⁺ ends
ROUNDING = 1e-10  # of the same: change that is accepted when it shrinks no more
MAX_ITERATIONS = 50
PROBE = 0.01  # of a step: distance of the differences that give the first jerk


@inlined
def _begin(packed: Packed, t: float, h: float, y: Array) -> int:
    """Derivatives before the first step: j = (4 a₁ − 3 a₀ − a₂)/(2ε) along the motion, nothing before t."""
    system, work = open_system(packed), open_work(packed)
    stages, state, speeds = work.stages, open_motion(system, y), open_split(system, y).speeds
    stage, next_rate, moved = stages[STAGE], stages[NEXT], stages[MOVED]
    for row in (JERK, PAST_J, SNAP, PAST_S):
        stages[row][:] = 0.0
    copy(stages[0], stages[PAST_A])
    if work.options[DEGREE] > 2.0:
        e, a = PROBE * h, open_motion(system, stages[0]).v
        rate, jerk = open_split(system, stages[0]).speeds, open_split(system, stages[JERK]).speeds
        at_stage, found = open_split(system, stages[STAGE]).speeds, open_split(system, stages[NEXT]).speeds
        for k in (1, 2):
            for c in range(a.shape[0]):
                moved[c] = k * e * (state.v[c] + 0.5 * k * e * a[c])
            retract(system.bodies, state.q, moved, open_motion(system, stage).q)
            for i in range(speeds.shape[0]):
                at_stage[i] = speeds[i] + k * e * rate[i]
            status = call_rate(packed, t + k * e, stage, next_rate)
            if status != OK:
                return int(status)
            weight = 4.0 if k == 1 else -1.0
            for i in range(speeds.shape[0]):
                jerk[i] += weight * (found[i] - rate[i]) / (2.0 * e)
        copy(stages[JERK], stages[PAST_J])
    return OK


@inlined
def _displacement(system: System, work: Work, h: float, y: Array) -> None:
    """d of the step, in stages[MOVED]."""
    degree, alpha, stages, d = work.options[DEGREE], work.options[ALPHA], work.stages, work.stages[MOVED]
    v = open_motion(system, y).v
    a, past_a = open_split(system, stages[0]).speeds, open_split(system, stages[PAST_A]).speeds
    jerk, past_jerk = open_split(system, stages[JERK]).speeds, open_split(system, stages[PAST_J]).speeds
    snap, past_snap = open_split(system, stages[SNAP]).speeds, open_split(system, stages[PAST_S]).speeds
    for c in range(v.shape[0]):
        if degree == 2.0:
            d[c] = h * v[c] + 0.5 * h * h * (alpha * a[c] + (1.0 - alpha) * past_a[c])
            continue
        d[c] = h * v[c] + 0.5 * h * h * a[c]
        if degree == 3.0:
            d[c] += h**3 / 6.0 * (alpha * jerk[c] + (1.0 - alpha) * past_jerk[c])
        else:
            mixed = alpha * snap[c] + (1.0 - alpha) * past_snap[c]
            d[c] += h**3 / 6.0 * jerk[c] + h**4 / 24.0 * mixed
    if degree > 2.0:
        for b in range(system.bodies.shape[0] - 1):
            if system.bodies[b, BODY.PLANAR] == 0:
                at = system.bodies[b, BODY.V] + 3
                for c in range(3):
                    k, m = at + (c + 1) % 3, at + (c + 2) % 3
                    turn = v[k] * a[m] - v[m] * a[k]
                    d[at + c] += h**3 / 12.0 * turn + h**4 / 24.0 * (v[k] * jerk[m] - v[m] * jerk[k])


@inlined
def _velocity(
    work: Work, h: float, v: float, a: float, jerk: float, snap: float, new: float
) -> tuple[float, float, float]:
    """v⁺, j⁺ and s⁺ of one velocity (or work integral) whose acceleration (or power) goes from a to new."""
    degree, beta, gamma = work.options[DEGREE], work.options[BETA], work.options[GAMMA]
    if degree == 2.0:
        return v + h * (beta * new + (1.0 - beta) * a), 0.0, 0.0
    if degree == 3.0:
        next_jerk = (new - a) / (gamma * h) - (1.0 - gamma) / gamma * jerk
        return v + h * a + 0.5 * h * h * ((1.0 - beta) * jerk + beta * next_jerk), next_jerk, 0.0
    zeta = work.options[ZETA]
    next_snap = 2.0 * (new - a - h * jerk) / (gamma * h * h) - (1.0 - gamma) / gamma * snap
    next_jerk = jerk + h * ((1.0 - zeta) * snap + zeta * next_snap)
    mixed = (1.0 - beta) * snap + beta * next_snap
    return v + h * a + 0.5 * h * h * jerk + h**3 / 6.0 * mixed, next_jerk, next_snap


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    t, stages = clock[CLOCK.NOW], work.stages
    if take_past(work, h) == 0:
        status = _begin(packed, t, h, y)
        if status != OK:
            return status
    _displacement(system, work, h, y)
    state, moved_q = open_motion(system, y), open_motion(system, stages[STAGE]).q
    retract(system.bodies, state.q, stages[MOVED], moved_q)

    # a⁺ by iteration, from the acceleration that the jerk promises
    v, at_stage = open_split(system, y).speeds, open_split(system, stages[STAGE]).speeds
    present, a = open_split(system, stages[0]).speeds, open_split(system, stages[PAST_A]).speeds
    jerk, snap = open_split(system, stages[JERK]).speeds, open_split(system, stages[SNAP]).speeds
    guess, found = open_split(system, stages[GUESS]).speeds, open_split(system, stages[NEXT]).speeds
    for i in range(v.shape[0]):
        guess[i] = present[i] + h * jerk[i]
    copy(stages[0], stages[PAST_A])  # stays what it is while stages[0] is written
    before = np.inf
    for passes in range(MAX_ITERATIONS):
        for i in range(v.shape[0]):
            at_stage[i], _, _ = _velocity(work, h, v[i], a[i], jerk[i], snap[i], guess[i])
        status = call_rate(packed, t + h, stages[STAGE], stages[NEXT])
        if status != OK:
            return int(status)
        change, size = 0.0, 0.0
        for i in range(v.shape[0]):
            change, size = max(change, abs(found[i] - guess[i])), max(size, abs(found[i]))
            guess[i] = found[i]
        work.counters[COUNT.ITERATIONS] += 1
        if change <= ITERATION_TOLERANCE * size or (
            passes > 0 and change <= ROUNDING * size and change > 0.5 * before
        ):
            break
        before = change
        if passes == MAX_ITERATIONS - 1:
            return NOT_CONVERGED
    copy(moved_q, state.q)
    for i in range(v.shape[0]):
        # the present derivatives become the past ones when the new a is known: after the projection
        v[i], _, _ = _velocity(work, h, v[i], a[i], jerk[i], snap[i], guess[i])
    clock[CLOCK.USED] = h
    status = finish(packed, t + h, y)
    if status != OK:
        return status
    past_jerk = open_split(system, stages[PAST_J]).speeds
    past_snap = open_split(system, stages[PAST_S]).speeds
    for i in range(v.shape[0]):
        past_jerk[i], past_snap[i] = jerk[i], snap[i]
        _, jerk[i], snap[i] = _velocity(work, h, 0.0, a[i], jerk[i], snap[i], present[i])
    keep_past(work, h, 1)
    return OK


def _test_step(alpha_h: Array, beta2_h2: Array, state: Array, numbers: Array) -> Array:
    """The same step for x″ = −2α x′ − β² x with h = 1; state (x, v, a, a₋, j, j₋, s, s₋)."""
    x, v, a, past_a, j, past_j, s, past_s = np.moveaxis(state, -1, 0)
    alpha, beta, gamma, zeta, degree = (numbers[k] for k in (ALPHA, BETA, GAMMA, ZETA, DEGREE))
    # v⁺ = known + share a⁺
    if degree == 2:
        x = x + v + 0.5 * (alpha * a + (1 - alpha) * past_a)
        known, share = v + (1 - beta) * a, beta
    elif degree == 3:
        x = x + v + 0.5 * a + (alpha * j + (1 - alpha) * past_j) / 6
        known = v + a + 0.5 * ((1 - beta) * j - beta * (a / gamma + (1 - gamma) / gamma * j))
        share = 0.5 * beta / gamma
    else:
        x = x + v + 0.5 * a + j / 6 + (alpha * s + (1 - alpha) * past_s) / 24
        rest = -2 * (a + j) / gamma - (1 - gamma) / gamma * s
        known, share = v + a + 0.5 * j + ((1 - beta) * s + beta * rest) / 6, beta / (3 * gamma)
    new = -(beta2_h2 * x + 2 * alpha_h * known) / (1 + 2 * alpha_h * share)
    v, next_j, next_s = known + share * new, np.zeros_like(j), np.zeros_like(s)  # unused: no past
    if degree == 3:
        next_j = (new - a) / gamma - (1 - gamma) / gamma * j
    elif degree == 4:
        next_s = 2 * (new - a - j) / gamma - (1 - gamma) / gamma * s
        next_j = j + (1 - zeta) * s + zeta * next_s
    return np.stack([x, v, new, a, next_j, j, next_s, s], axis=-1)


def _kind(degree: int, order: int, title: str, summary: str, **numbers: float) -> SchemeKind:
    slots = {"alpha": ALPHA, "beta": BETA, "gamma": GAMMA, "zeta": ZETA}
    letters = {"alpha": "α", "beta": "β", "gamma": "γ", "zeta": "ζ"}
    # not plain letters: stabilisations have an alpha and a beta of their own
    options = (
        Option(f"scheme_{k}", slots[k], value, f"Parameter {letters[k]} of the scheme", alias=k)
        for k, value in numbers.items()
    )
    return SchemeKind(
        name=f"d{degree}",
        title=title,
        summary=summary,
        order=order,
        stages=STAGES,
        step=step,
        layouts=frozenset({"qv"}),
        options=tuple(options),
        constants=((DEGREE, float(degree)),),
        bears_damping=degree == 2,
        singular_failure="its iteration for the accelerations has no limit there",
        growth=of_second_order(8, _test_step),
    )


D2 = _kind(
    2,
    2,
    "Explicit family D2 (central differences)",
    "Order 2, explicit in the positions; central differences without cancellation. Stable for ω h < 2.",
    alpha=1.0,
    beta=0.5,
)
D3 = _kind(
    3,
    3,
    "Explicit family D3",
    "Order 3 with the jerk carried along; stable for ω h < √3, never with dampers.",
    alpha=0.75,
    beta=1.0 / 3.0,
    gamma=0.5,
)
D4 = _kind(
    4,
    4,
    "Explicit family D4",
    "Order 4 with jerk and snap carried along; stable for ω h < √2, never with dampers.",
    alpha=0.0,
    beta=1.0,
    gamma=1.0,
    zeta=1.0,
)
