"""Adams methods with variable step and order, PECE, in modified divided differences.

After [Hairer 1993, §III.5 and §III.7], [Krogh 1969] and [Shampine 1975]. With φ_j the divided differences of
the rate over the last points, β_j and g_j of their distances:

    φ*_j = β_j φ_j;       p = y + h Σ_{j<k} g_j φ*_j                       predictor of order k
    φ⁺_0 = f(p), φ⁺_{j+1} = φ⁺_j − φ*_j;    y⁺ = p + h g_k φ⁺_k          corrector of order k + 1
    error of order j ≈ h (g_j − g_{j−1}) φ⁺_j

The order goes up or down by one where that promises a smaller error. The step given is an upper limit.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_project, call_rate
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, StepStatus, Work
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind

STEP_TOO_SMALL, NOT_FINITE = int(StepStatus.STEP_TOO_SMALL), int(StepStatus.NOT_FINITE)
RTOL, ATOL, HIGHEST = SLOT.SCHEME, SLOT.SCHEME + 1, SLOT.SCHEME + 2

MAX_ORDER = 12  # highest order of the corrector
# Work.history
H_ORDER, H_PAST = 0, 1  # k of the predictor; number of earlier points
STEPS = 2  # sizes of the last steps, the newest first
G = STEPS + MAX_ORDER + 1
COEFFICIENTS = G + MAX_ORDER + 2
HISTORY = COEFFICIENTS + MAX_ORDER + 3
# rows of Work.stages; row 0 is the present rate, and the difference of order 0
PHI = 0  # differences at the present point: PHI … PHI + MAX_ORDER
STAR = MAX_ORDER + 1  # the same, times β
PREDICTED = STAR + MAX_ORDER + 1
TRIAL = PREDICTED + 1  # rate at the prediction, and then its differences one after the other
OLD = TRIAL + 1
STAGES = OLD + 1

SAFETY, SHRINK, GROW = 0.9, 0.3, 2.0
LEAST_ERROR = 1e-10  # of the tolerance: a smaller error counts as this
FIRST_STEP = 1e-4  # of the sampling interval: a careful first step, since the order is one
MIN_STEP = 1e-13  # of the sampling interval (or of time itself): below it the step is given up


@inlined
def _coefficients(work: Work, h: float, k: int) -> None:
    """φ*_j = β_j φ_j for j ≤ k, and g_j for j ≤ k + 1; with c_{j,q} as in [Hairer 1993, §III.5]."""
    stages, past, g, c = work.stages, work.history[STEPS:], work.history[G:], work.history[COEFFICIENTS:]
    for q in range(1, k + 3):
        c[q] = 1.0 / q
    g[0] = c[1]
    beta, ahead, behind = 1.0, h, 0.0  # x⁺ − x_{n−j+1} and x_n − x_{n−j}
    copy(stages[PHI], stages[STAR])
    for j in range(1, k + 2):
        for q in range(1, k + 3 - j):
            c[q] -= c[q + 1] * h / ahead
        g[j] = c[1]
        if j <= k:
            behind += past[j - 1]
            beta *= ahead / behind
            ahead += past[j - 1]
            for i in range(stages.shape[1]):
                stages[STAR + j, i] = beta * stages[PHI + j, i]


@inlined
def _size(work: Work, row: int, factor: float, old: Array, new: Array) -> float:
    """Largest error over its tolerance, the error being `factor` times a row of the stages."""
    rtol, atol, largest = work.options[RTOL], work.options[ATOL], 0.0
    for i in range(old.shape[0]):
        e = abs(factor * work.stages[row, i]) / (atol + rtol * max(abs(old[i]), abs(new[i])))
        if not e <= largest:  # keeps a NaN, too
            largest = e
    return largest


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t, n = open_work(packed), clock[CLOCK.NOW], y.shape[0]
    stages, history = work.stages, work.history
    predicted, trial, old, g = stages[PREDICTED], stages[TRIAL], stages[OLD], history[G:]
    k, past = max(int(history[H_ORDER]), 1), int(history[H_PAST])
    highest = min(max(int(work.options[HIGHEST]), 2), MAX_ORDER) - 1
    proposed = clock[CLOCK.NEXT] if clock[CLOCK.NEXT] > 0.0 else FIRST_STEP * clock[CLOCK.STEP]
    smallest = max(MIN_STEP * clock[CLOCK.STEP], 4.0 * np.spacing(abs(t)))
    history[H_PAST] = 0.0  # until the step is accepted
    copy(y, old)
    while True:
        size = min(proposed, h)
        known = min(k, past)  # differences of higher order are zero: there is no past to take them from
        for j in range(known + 1, k + 1):
            stages[PHI + j][:] = 0.0
            history[STEPS + j - 1] = size
        _coefficients(work, size, k)
        for i in range(n):
            total = 0.0
            for j in range(k):
                total += g[j] * stages[STAR + j, i]
            predicted[i] = old[i] + size * total
        error, lower, higher = np.inf, np.inf, np.inf
        status = call_rate(packed, t + size, predicted, trial)
        if status == OK:
            for j in range(k):
                if j == k - 1 and k > 1:
                    lower = _size(work, TRIAL, size * (g[k - 1] - g[k - 2]), old, predicted)
                for i in range(n):
                    trial[i] -= stages[STAR + j, i]
            for i in range(n):
                y[i] = predicted[i] + size * g[k] * trial[i]
            error = _size(work, TRIAL, size * (g[k] - g[k - 1]), old, y)
            if past >= k:
                for i in range(n):
                    trial[i] -= stages[STAR + k, i]
                higher = _size(work, TRIAL, size * (g[k + 1] - g[k]), old, y)
            if error <= 1.0:
                status = call_project(packed, t + size, y)
                if status == OK:
                    status = call_rate(packed, t + size, y, trial)
                if status == OK:
                    break
        work.counters[COUNT.REJECTED] += 1
        copy(old, y)
        if size <= smallest:
            return int(status) if status != OK else STEP_TOO_SMALL if error < np.inf else NOT_FINITE
        if lower < error and k > 1:
            k, error = k - 1, lower
        tame = status == OK and error < np.inf
        change = SAFETY * error ** (-1.0 / (k + 1)) if tame else SHRINK
        proposed = max(size * min(SAFETY, max(SHRINK, change)), smallest)

    # differences at the new point
    for j in range(k + 1):
        for i in range(n):
            stages[PHI + j, i] = trial[i]
            trial[i] -= stages[STAR + j, i]
    if k + 1 <= MAX_ORDER:
        copy(trial, stages[PHI + k + 1])
    for j in range(MAX_ORDER, 0, -1):
        history[STEPS + j] = history[STEPS + j - 1]
    history[STEPS] = size
    past = 0 if work.counters[COUNT.REBASED] else past + 1
    work.counters[COUNT.REBASED] = 0
    history[H_PAST] = past

    # order and size of the next step
    used = k
    if k > 1 and lower <= min(error, higher):
        k, error = k - 1, lower
    elif k < highest and past > k and (higher < error or past == used + 1):
        k, error = k + 1, min(error, higher)  # at the start the order rises with every step
    if past == 0:
        k = 1
    history[H_ORDER] = min(k, max(past, 1))
    change = SAFETY * (0.5 / max(error, LEAST_ERROR)) ** (1.0 / (k + 1))
    wanted = size * min(GROW, change) if change >= 1.0 else size * max(0.5, change)
    clock[CLOCK.NEXT] = wanted if size >= proposed else max(proposed, wanted)
    clock[CLOCK.USED] = size
    return OK


KIND = SchemeKind(
    name="adams",
    title="Adams, variable step and order",
    summary="Orders 2 to 12, two evaluations per step; few evaluations for smooth motion at tight tolerance.",
    order=MAX_ORDER,
    stages=STAGES,
    step=step,
    adaptive=True,
    history=HISTORY,
    options=(
        Option("rtol", RTOL, 1e-8, "Relative tolerance"),
        Option("atol", ATOL, 1e-10, "Absolute tolerance"),
        Option("order", HIGHEST, float(MAX_ORDER), "Highest order", minimum=2.0),
    ),
)
