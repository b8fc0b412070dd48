"""Dormand and Prince 5(4): order 5 with an embedded error estimate of order 4, step size by a PI controller.

Coefficients: [Dormand 1980], [Hairer 1993, table II.5.2]; controller: [Hairer 1996, §IV.2]. The step given to
`step` is an upper limit: the end of the sampling interval.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_project, call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed, StepStatus
from engine.maths.amplification import of_runge_kutta
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind

STEP_TOO_SMALL, NOT_FINITE = int(StepStatus.STEP_TOO_SMALL), int(StepStatus.NOT_FINITE)
RTOL, ATOL = SLOT.SCHEME, SLOT.SCHEME + 1

C = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0])
A = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 5, 0.0, 0.0, 0.0, 0.0],
        [3 / 40, 9 / 40, 0.0, 0.0, 0.0],
        [44 / 45, -56 / 15, 32 / 9, 0.0, 0.0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    ]
)
B = np.array([35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0])
E = B - np.array([5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])
# rows of Work.stages
LAST, STAGE, OLD = 6, 7, 8

SAFETY, SHRINK, GROW = 0.9, 0.2, 5.0
PROPORTIONAL, INTEGRAL = 0.7 / 5.0, 0.4 / 5.0
MIN_STEP = 1e-13  # of the sampling interval (or of time itself): below it the step is given up
FIRST_STEP = 1e-3  # of the sampling interval: a careful first step


@kernel
def _error(y: Array, new: Array, stages: Array, h: float, rtol: float, atol: float) -> float:
    """Largest estimated error over its tolerance; 1 is just acceptable.

    Not the usual mean square: coordinates at rest, such as those across the plane of a planar mechanism built
    in space, would dilute it, and the same motion would be followed less closely in space than in the plane.
    """
    largest = 0.0
    for i in range(y.shape[0]):
        e = 0.0
        for k in range(7):
            e += E[k] * stages[k, i]
        e = abs(e) * h / (atol + rtol * max(abs(y[i]), abs(new[i])))
        if not e <= largest:  # keeps a NaN, too
            largest = e
    return float(largest)


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work = open_work(packed)
    n, t, stages = y.shape[0], clock[CLOCK.NOW], work.stages
    stage, old = stages[STAGE], stages[OLD]
    rtol, atol = work.options[RTOL], work.options[ATOL]
    proposed = clock[CLOCK.NEXT] if clock[CLOCK.NEXT] > 0.0 else FIRST_STEP * clock[CLOCK.STEP]
    smallest = max(MIN_STEP * clock[CLOCK.STEP], 4.0 * np.spacing(abs(t)))
    before = work.history[0]
    copy(y, old)
    while True:
        size = min(proposed, h)
        failed = False
        for k in range(1, 6):
            for i in range(n):
                total = 0.0
                for j in range(k):
                    total += A[k, j] * stages[j, i]
                stage[i] = old[i] + size * total
            if call_rate(packed, t + C[k] * size, stage, stages[k]) != OK:
                failed = True
                break
        if not failed:
            for i in range(n):
                total = 0.0
                for j in range(6):
                    total += B[j] * stages[j, i]
                y[i] = old[i] + size * total
            failed = call_rate(packed, t + size, y, stages[LAST]) != OK
        error = np.inf if failed else _error(old, y, stages, size, rtol, atol)
        status = OK
        if error <= 1.0:
            status = call_project(packed, t + size, y)
            if status == OK:
                break
        work.counters[COUNT.REJECTED] += 1
        copy(old, y)
        if size <= smallest:
            return status if status != OK else NOT_FINITE if failed else STEP_TOO_SMALL
        if status != OK:
            # the constraints could not be closed after so long a step: begin it again, shorter
            failed = call_rate(packed, t, y, stages[0]) != OK
        shrink = SHRINK if failed or status != OK else max(SHRINK, SAFETY * error**-0.2)
        proposed = max(size * shrink, smallest)
        before = 0.0
    change = SAFETY * max(error, 1e-10) ** -PROPORTIONAL * (before**INTEGRAL if before > 0.0 else 1.0)
    wanted = size * min(GROW, max(SHRINK, change))
    # a step cut short by the end of the interval says little about the next one
    clock[CLOCK.NEXT] = wanted if size >= proposed else max(proposed, wanted)
    work.history[0] = max(error, 1e-10)
    clock[CLOCK.USED] = size
    return int(call_rate(packed, t + size, y, stages[0]))


KIND = SchemeKind(
    name="dopri5",
    title="Dormand-Prince 5(4)",
    summary="Order 5, adaptive step within the sampling interval; the choice for tight accuracy.",
    order=5,
    stages=9,
    step=step,
    adaptive=True,
    growth=of_runge_kutta(1.0, 1.0, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 600),
    options=(
        Option("rtol", RTOL, 1e-8, "Relative tolerance"),
        Option("atol", ATOL, 1e-10, "Absolute tolerance"),
    ),
)
