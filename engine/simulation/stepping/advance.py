"""The compiled loop: many steps per call, no Python, no allocation, no GIL."""

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import call_report, call_step
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, StepStatus, System, Work
from engine.compiled.states import open_motion
from engine.maths.arrays import copy
from engine.system.equations.equations import coordinates_at_rest, count_turns
from engine.system.equations.switches import smallest_margin

LARGEST = float(np.finfo(np.float64).max)
OK, FINISHED, NOT_FINITE = (int(s) for s in (StepStatus.OK, StepStatus.FINISHED, StepStatus.NOT_FINITE))
SWITCHED = int(StepStatus.SWITCHED)
LANDED = 1e-9  # of a step: closer to the end than this, the end is reached


@kernel
def _offender(system: System, y: Array) -> int:
    """Velocity of the first number that is not finite, or behind all velocities its work integral; −1: a part
    of y that only the method knows."""
    state = open_motion(system, y)
    for i in range(state.q.shape[0]):
        if not np.isfinite(state.q[i]):
            for b in range(system.sizes[SIZE.BODIES]):
                if system.bodies[b, BODY.Q] <= i < system.bodies[b, BODY.Q] + system.bodies[b, BODY.NQ]:
                    return int(system.bodies[b, BODY.V])
    for i in range(state.v.shape[0]):
        if not np.isfinite(state.v[i]):
            return i
    for i in range(state.works.shape[0]):
        if not np.isfinite(state.works[i]):
            return int(state.v.shape[0] + i)
    return -1


@inlined
def finite(system: System, work: Work, y: Array) -> int:
    """NOT_FINITE, and whose number is to blame, unless the whole state is finite.

    A scheme looks at accelerations only, and forces that nothing follows leave those alone: an unbounded one
    on a body that is driven or fixed shows in the work integrals.
    """
    unbounded = 0  # counted, as a sum of integers is vectorised and one of floats is not
    for i in range(y.shape[0]):
        unbounded += not abs(y[i]) <= LARGEST
    if unbounded == 0:
        return OK
    work.counters[COUNT.OFFENDER] = _offender(system, y)
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
    failure, and before a step in which a law leaves its state, y is the last good state.
    """
    system, work = open_system(packed), open_work(packed)
    written, taken = 0, 0
    while taken < most_steps and written < samples.shape[0]:
        now, step = clock[CLOCK.NOW], clock[CLOCK.STEP]
        if now >= t_stop - LANDED * step:
            clock[CLOCK.NOW] = t_stop
            return FINISHED, written
        grid = clock[CLOCK.ORIGIN] + (clock[CLOCK.INDEX] + 1.0) * step
        if grid - now <= LANDED * step:
            clock[CLOCK.INDEX] += 1.0
            continue
        target = min(grid, t_stop)
        copy(y, backup)
        work.counters[COUNT.ITERATIONS] = 0
        status = call_step(packed, clock, target - now, y)
        work.counters[COUNT.ALL_ITERATIONS] += work.counters[COUNT.ITERATIONS]
        if status == OK:
            status = finite(system, work, y)
        if status == OK and system.sizes[SIZE.SWITCHES] > 0 and smallest_margin(packed, 0) < 0.0:
            status = SWITCHED  # a law has left its state within the step
        if status != OK:
            copy(backup, y)
            return status, written
        taken += 1
        work.counters[COUNT.STEPS] += 1
        if system.tracked.shape[0] > 0:
            coordinates_at_rest(packed, system)
            count_turns(system, work)
        clock[CLOCK.NOW] = now + clock[CLOCK.USED]
        if target - clock[CLOCK.NOW] <= LANDED * step:
            clock[CLOCK.NOW] = target
            if target == grid:
                clock[CLOCK.INDEX] += 1.0
                if int(clock[CLOCK.INDEX]) % sample_every == 0:
                    call_report(packed, clock, y, samples[written])
                    written += 1
    if clock[CLOCK.NOW] >= t_stop - LANDED * clock[CLOCK.STEP]:
        clock[CLOCK.NOW] = t_stop
        return FINISHED, written
    return OK, written
