"""Explicit Runge-Kutta pairs with controlled steps: the difference of two orders estimates the error.

    f_k = f(t + c_k h, y + h Σ a_kj f_j);    y⁺ = y + h Σ b_k f_k;    error ≈ h Σ e_k f_k

A pair is a table of coefficients, `Pair`; one compiled step serves all. Some pairs take the rate at y⁺ as the
last one of the estimate. The step given to `step` is an upper limit: the end of the sampling interval.

Where samples lie between steps, the scheme goes ahead by steps of its own and reports states on the way
[Hairer 1993, §II.6], with θ the share of the step that has passed and y⁺, f⁺ at its end:

    y(θ) = y + θ (r₂ + (1 − θ) (r₃ + θ (r₄ + (1 − θ) r₅))),
    r₂ = y⁺ − y,  r₃ = h f − r₂,  r₄ = r₂ − h f⁺ − r₃,  r₅ = h Σ d_k f_k.

With r₅ = 0 that is Hermite's cubic, which serves a pair of order three; the d of Dormand and Prince make it
of order four. For Fehlberg's pair one more rate does, where 2θ(1 − θ)(1 − 2θ), the derivative of what stands
with r₅, is largest: there y′(θ) = h f [Shampine 1985]. A reported state is projected as any other.

No step ahead passes a corner of a function of time, or turns a body so far that the angles of joints, which
unwrap about the last reported state, could lose count.
"""

from typing import NamedTuple

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_project, call_rate
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed
from engine.maths.amplification import of_runge_kutta
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind
from engine.solvers.integrators.step_sizes import (
    ATOL,
    OPTIONS,
    RTOL,
    over_tolerance,
    proposed_size,
    smallest_size,
)
from engine.solvers.integrators.trial_steps import (
    LAST_ERROR,
    TOO_FAR,
    accept,
    close_trial,
    reason,
    shorter,
)
from engine.solvers.linsolve.trust_region import largest_turn_of_coordinates

PAIR, SAMPLES = SLOT.SCHEME + 2, SLOT.SCHEME + 3
HORIZON = SLOT.RUN + 1  # instant that no step ahead passes; the driver says it

ROWS = 7  # rates of the longest pair
# rows of Work.stages
STAGE, OLD, AHEAD, AHEAD_RATE, R1, R2, R3, R4, R5 = range(ROWS, ROWS + 9)
# Work.history, behind what trials remember: whether there is a step ahead, from when, to when
READY, BEGIN, END = LAST_ERROR + 1, LAST_ERROR + 2, LAST_ERROR + 3

FIRST_STEP = 1e-3  # of the sampling interval: a careful first step
LARGEST_TURN = 0.7  # rad, of a body in a step ahead: two bodies in two steps turn by less than half a turn
INNER = (3.0 - 3.0**0.5) / 6.0  # θ at which r₅ is found from a rate
INNER_SLOPE = 2.0 * INNER * (1.0 - INNER) * (1.0 - 2.0 * INNER)
LANDED = 1e-12  # of an interval: the end of the step ahead is where a sample is due


class Pair(NamedTuple):
    """Coefficients; the rows of `a` below the first, all of a length that grows by one."""

    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    other_b: tuple[float, ...]  # of the other order; one longer than b where the rate at y⁺ takes part
    estimate: int  # power of h in the error of the lower order
    d: tuple[float, ...] = ()  # of states within a step; none: a cubic


DORMAND_PRINCE = Pair(  # [Dormand 1980], [Hairer 1993, table II.5.2]
    a=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    ),
    b=(35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    other_b=(5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40),
    estimate=5,
    d=(  # [Hairer 1993, §II.6]
        -12715105075 / 11282082432,
        0.0,
        87487479700 / 32700410799,
        -10690763975 / 1880347072,
        701980252875 / 199316789632,
        -1453857185 / 822651844,
        69997945 / 29380423,
    ),
)
FEHLBERG = Pair(  # [Fehlberg 1969], [Hairer 1993, table II.5.1]
    a=(
        (1 / 4,),
        (3 / 32, 9 / 32),
        (1932 / 2197, -7200 / 2197, 7296 / 2197),
        (439 / 216, -8.0, 3680 / 513, -845 / 4104),
        (-8 / 27, 2.0, -3544 / 2565, 1859 / 4104, -11 / 40),
    ),
    b=(25 / 216, 0.0, 1408 / 2565, 2197 / 4104, -1 / 5, 0.0),
    other_b=(16 / 135, 0.0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55),
    estimate=5,
)
BOGACKI_SHAMPINE = Pair(  # [Bogacki 1989]
    a=((1 / 2,), (0.0, 3 / 4)),
    b=(2 / 9, 1 / 3, 4 / 9),
    other_b=(7 / 24, 1 / 4, 1 / 3, 1 / 8),
    estimate=3,
)
PAIRS = (DORMAND_PRINCE, FEHLBERG, BOGACKI_SHAMPINE)


def _arrays() -> tuple[Array, Array, Array]:
    """a, b and e of all pairs, padded with zeros."""
    a, b, e = np.zeros((len(PAIRS), ROWS, ROWS)), np.zeros((len(PAIRS), ROWS)), np.zeros((len(PAIRS), ROWS))
    for place, pair in enumerate(PAIRS):
        for k, row in enumerate(pair.a):
            a[place, k + 1, : len(row)] = row
        b[place, : len(pair.b)] = pair.b
        e[place, : len(pair.other_b)] = pair.other_b
    return a, b, b - e


A, B, E = _arrays()
C = A.sum(axis=2)
FROM_RATE = PAIRS.index(FEHLBERG)
D = np.array([[*pair.d, *[0.0] * (ROWS - len(pair.d))] for pair in PAIRS])
STAGES = np.array([len(pair.b) for pair in PAIRS])
RATES = np.array([len(pair.other_b) for pair in PAIRS])
ESTIMATE = np.array([float(pair.estimate) for pair in PAIRS])


@kernel
def _error(y: Array, new: Array, stages: Array, h: float, pair: int, rtol: float, atol: float) -> float:
    """Largest estimated error over its tolerance; 1 is just acceptable.

    Not the usual mean square: coordinates at rest, such as those across the plane of a planar mechanism built
    in space, would dilute it, and the same motion would be followed less closely in space than in the plane.
    """
    largest = 0.0
    for i in range(y.shape[0]):
        e = 0.0
        for k in range(RATES[pair]):
            e += E[pair, k] * stages[k, i]
        e = over_tolerance(h * e, y[i], new[i], rtol, atol)
        if not e <= largest:  # keeps a NaN, too
            largest = e
    return float(largest)


@kernel
def _controlled_step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    """One step that the tolerance allows, not longer than h."""
    work = open_work(packed)
    n, t, stages = y.shape[0], clock[CLOCK.NOW], work.stages
    stage, old = stages[STAGE], stages[OLD]
    rtol, atol, pair = work.options[RTOL], work.options[ATOL], int(work.options[PAIR])
    many, power = STAGES[pair], ESTIMATE[pair]
    proposed, smallest = proposed_size(clock, FIRST_STEP), smallest_size(clock)
    copy(y, old)
    while True:
        size = min(proposed, h)
        failed = False
        for k in range(1, many):
            for i in range(n):
                total = 0.0
                for j in range(k):
                    total += A[pair, k, j] * stages[j, i]
                stage[i] = old[i] + size * total
            if call_rate(packed, t + C[pair, k] * size, stage, stages[k]) != OK:
                failed = True
                break
        if not failed:
            for i in range(n):
                total = 0.0
                for j in range(many):
                    total += B[pair, j] * stages[j, i]
                y[i] = old[i] + size * total
            if RATES[pair] > many:
                failed = call_rate(packed, t + size, y, stages[many]) != OK
        error = np.inf if failed else _error(old, y, stages, size, pair, rtol, atol)
        status = close_trial(packed, t + size, error, y)
        if status == OK:
            return accept(packed, clock, size, proposed, error, power, y)
        copy(old, y)
        if size <= smallest:
            return reason(status, error)
        if status != TOO_FAR:
            # the constraints could not be closed after so long a step: begin it again, shorter
            call_rate(packed, t, y, stages[0])
        proposed = shorter(work, size, smallest, status, error, power)


@inlined
def _bend(packed: Packed, t: float, size: float, n: int) -> int:
    """r₅ of a rate within the step."""
    stages = open_work(packed).stages
    stage, rate, rest = stages[STAGE], stages[1], 1.0 - INNER
    for i in range(n):
        stage[i] = stages[R1, i] + INNER * (stages[R2, i] + rest * (stages[R3, i] + INNER * stages[R4, i]))
    status = call_rate(packed, t + INNER * size, stage, rate)
    for i in range(n):
        slope = stages[R2, i] + (1.0 - 2.0 * INNER) * stages[R3, i]
        slope += INNER * (2.0 - 3.0 * INNER) * stages[R4, i]
        stages[R5, i] = (size * rate[i] - slope) / INNER_SLOPE
    return int(status)


@kernel
def _go_ahead(packed: Packed, clock: Array, target: float, y: Array) -> int:
    """One step from the state ahead, which may pass the target; leaves what states within it are made of."""
    system, work = open_system(packed), open_work(packed)
    stages, n, t = work.stages, y.shape[0], work.history[END]
    turn = largest_turn_of_coordinates(system.bodies, stages[AHEAD_RATE])
    most = max(work.options[HORIZON], target) - t
    if turn > 0.0:
        most = min(most, LARGEST_TURN / turn)
    copy(stages[AHEAD], y)
    copy(stages[AHEAD_RATE], stages[0])
    work.counters[COUNT.REBASED] = 0
    clock[CLOCK.NOW] = t
    status = _controlled_step(packed, clock, most, y)
    if status == OK and work.counters[COUNT.REBASED] and t + clock[CLOCK.USED] > target:
        # y means something else than at its beginning: nothing lies between them
        copy(stages[AHEAD], y)
        copy(stages[AHEAD_RATE], stages[0])
        work.history[LAST_ERROR] = 0.0
        status = _controlled_step(packed, clock, target - t, y)
    if status != OK:
        return int(status)
    size, pair = clock[CLOCK.USED], int(work.options[PAIR])
    for i in range(n):
        first, last, change = stages[AHEAD_RATE, i], stages[0, i], y[i] - stages[AHEAD, i]
        stages[R1, i], stages[R2, i] = stages[AHEAD, i], change
        stages[R3, i] = size * first - change
        stages[R4, i] = change - size * last - stages[R3, i]
        total = D[pair, 0] * first
        for k in range(1, ROWS):
            total += D[pair, k] * stages[k, i]
        stages[R5, i] = size * total
        stages[AHEAD, i], stages[AHEAD_RATE, i] = y[i], last
    work.history[BEGIN], work.history[END] = t, t + size
    return _bend(packed, t, size, n) if pair == FROM_RATE else OK


@kernel
def _step_between(packed: Packed, clock: Array, h: float, y: Array) -> int:
    """The state after h, on the way of the steps ahead."""
    work = open_work(packed)
    stages, past, now = work.stages, work.history, clock[CLOCK.NOW]
    target, near = now + h, LANDED * h
    if past[READY] == 0.0 or not past[BEGIN] - near <= now <= past[END] + near:
        copy(y, stages[AHEAD])
        copy(stages[0], stages[AHEAD_RATE])
        past[BEGIN], past[END] = now, now
    past[READY] = 0.0
    while past[END] < target - near:
        status = _go_ahead(packed, clock, target, y)
        clock[CLOCK.NOW] = now
        if status != OK:
            return int(status)
    if past[END] <= target + near:
        copy(stages[AHEAD], y)
    else:
        share = (target - past[BEGIN]) / (past[END] - past[BEGIN])
        rest = 1.0 - share
        for i in range(y.shape[0]):
            inner = stages[R3, i] + share * (stages[R4, i] + rest * stages[R5, i])
            y[i] = stages[R1, i] + share * (stages[R2, i] + rest * inner)
        status = int(call_project(packed, target, y))
        if status != OK:
            return status
    past[READY] = 1.0
    clock[CLOCK.USED] = h
    return int(call_rate(packed, target, y, stages[0]))


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    if open_work(packed).options[SAMPLES] != 0.0:
        return _step_between(packed, clock, h, y)
    return _controlled_step(packed, clock, h, y)


def _taylor(pair: Pair) -> list[float]:
    """Coefficients of the stability function: bᵀ A^(k−1) 1."""
    place = PAIRS.index(pair)
    coefficients, vector = [1.0], np.ones(ROWS)
    for _ in pair.b:
        coefficients.append(float(B[place] @ vector))
        vector = A[place] @ vector
    return coefficients


def _kind(name: str, title: str, summary: str, order: int, pair: Pair) -> SchemeKind:
    return SchemeKind(
        name=name,
        title=title,
        summary=summary,
        order=order,
        stages=R5 + 1,
        step=step,
        adaptive=True,
        constants=((PAIR, float(PAIRS.index(pair))),),
        growth=of_runge_kutta(*_taylor(pair)),
        options=(
            *OPTIONS,
            Option("dense", SAMPLES, 0.0, "Samples", choices=("at the end of steps", "between steps")),
        ),
    )


DOPRI5 = _kind(
    "dopri5",
    "Dormand-Prince 5(4)",
    "Order 5, adaptive step within the sampling interval; the choice for tight accuracy.",
    5,
    DORMAND_PRINCE,
)
RKF45 = _kind(
    "rkf45",
    "Runge-Kutta-Fehlberg 4(5)",
    "Order 4, adaptive step; the classical pair, which goes on with the lower of its two orders.",
    4,
    FEHLBERG,
)
BS32 = _kind(
    "bs32",
    "Bogacki-Shampine 3(2)",
    "Order 3, adaptive step, few evaluations: for loose tolerances and rough forces.",
    3,
    BOGACKI_SHAMPINE,
)
