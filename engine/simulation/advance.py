"""The compiled loop: many steps per call, no Python, no allocation, no GIL."""

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.dispatch import call_report, call_step
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import (
    B_NQ,
    B_Q,
    B_V,
    C_ALL_ITERATIONS,
    C_GUILTY,
    C_ITERATIONS,
    C_STEPS,
    S_BODIES,
    S_NQ,
    S_NV,
    S_QUADRATURES,
    T_INDEX,
    T_NOW,
    T_ORIGIN,
    T_STEP,
    T_USED,
    Array,
    Packed,
    StepStatus,
    System,
    Work,
)
from engine.maths.arrays import copy
from engine.system.equations.equations import count_turns, idle_gauges

OK, FINISHED, NOT_FINITE = (int(s) for s in (StepStatus.OK, StepStatus.FINISHED, StepStatus.NOT_FINITE))
LANDED = 1e-9  # of a step: closer to the end than this, the end is reached


@inlined
def finite(system: System, work: Work, y: Array) -> int:
    """NOT_FINITE, and whose number is to blame, unless the whole state is finite.

    A scheme looks at accelerations only, and forces that nothing follows leave those alone: an unbounded one
    on a body that is driven or fixed shows in the work integrals.
    """
    total = 0.0
    for i in range(y.shape[0]):
        total += 0.0 * y[i]
    if total == 0.0:
        return OK
    nq, nv, works = system.sizes[S_NQ], system.sizes[S_NV], y.shape[0] - system.sizes[S_QUADRATURES]
    for i in range(y.shape[0]):
        if np.isfinite(y[i]):
            continue
        guilty = -1
        if i >= works:
            guilty = nv + i - works
        elif i < nq:
            for b in range(system.sizes[S_BODIES]):
                if system.bodies[b, B_Q] <= i < system.bodies[b, B_Q] + system.bodies[b, B_NQ]:
                    guilty = system.bodies[b, B_V]
        elif i < nq + nv:
            guilty = i - nq
        work.counters[C_GUILTY] = guilty
        break
    return NOT_FINITE


@kernel
def advance(
    packed: Packed,
    clock: Array,
    y: Array,
    backup: Array,
    t_stop: float,
    most_steps: int,
    sample_every: int,
    samples: Array,
) -> tuple[int, int]:
    """Step to t_stop exactly, or until the samples are full or enough steps were made.

    Samples are taken at every n-th point of the step grid. Returns (status, samples written). After a
    failure y is the last good state.
    """
    system, work = open_system(packed), open_work(packed)
    written, taken = 0, 0
    while taken < most_steps and written < samples.shape[0]:
        now, step = clock[T_NOW], clock[T_STEP]
        if now >= t_stop - LANDED * step:
            clock[T_NOW] = t_stop
            return FINISHED, written
        grid = clock[T_ORIGIN] + (clock[T_INDEX] + 1.0) * step
        if grid - now <= LANDED * step:
            clock[T_INDEX] += 1.0
            continue
        target = min(grid, t_stop)
        copy(y, backup)
        work.counters[C_ITERATIONS] = 0
        status = call_step(packed, clock, target - now, y)
        work.counters[C_ALL_ITERATIONS] += work.counters[C_ITERATIONS]
        if status == OK:
            status = finite(system, work, y)
        if status != OK:
            copy(backup, y)
            return status, written
        taken += 1
        work.counters[C_STEPS] += 1
        if system.tracked.shape[0] > 0:
            idle_gauges(packed, system)
            count_turns(system, work)
        clock[T_NOW] = now + clock[T_USED]
        if target - clock[T_NOW] <= LANDED * step:
            clock[T_NOW] = target
            if target == grid:
                clock[T_INDEX] += 1.0
                if int(clock[T_INDEX]) % sample_every == 0:
                    call_report(packed, clock, y, samples[written])
                    written += 1
    if clock[T_NOW] >= t_stop - LANDED * clock[T_STEP]:
        clock[T_NOW] = t_stop
        return FINISHED, written
    return OK, written
