"""Variable steps for one-step direct methods, by doubling: one step of size h against two of half the size.

Both leave the same state. With p the order of the method, y₁ from the whole step and y₂ from the halves,

    e = |y₂ − y₁|/(2ᵖ − 1)                       [Hairer 1993, §II.4]

is the error of y₂ to leading order, in positions and velocities; y₂ is what the run goes on with. A method
that keeps joints closed keeps them so: nothing is extrapolated. The step is accepted while every

    e_i ≤ κ (atol + rtol |y_i|),   κ = max(rtol, atol)^(1/p).

Near a singular configuration the treatment of the method, not its order, rules the error, and changes of the
step do harm: there the step stays as it was, and is counted with the near-singular ones.

κ is there since errors of h^(p+1) per step add up to errors of hᵖ of a run: with it the latter are
proportional to the tolerance. The steps of the method are the halves; the grid's step is the largest pair.
"""

import math
from collections.abc import Callable

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import call_attempt
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed, Room, StepStatus, System
from engine.maths.arrays import copy

OK, STEP_TOO_SMALL = int(StepStatus.OK), int(StepStatus.STEP_TOO_SMALL)
# places in Work.options, behind those of the methods; the last is not the user's
CONTROL, RTOL, ATOL, SMALLEST, ORDER = range(SLOT.STEP_CONTROL, SLOT.STEP_CONTROL + 5)
OPTIONS = (
    Option("step_control", CONTROL, 0.0, "Step", choices=("fixed", "by the tolerance")),
    Option("rtol", RTOL, 1e-6, "Relative tolerance, for controlled steps"),
    Option("atol", ATOL, 1e-6, "Absolute tolerance, for controlled steps", minimum=1e-15),
    Option("smallest", SMALLEST, 0.0, "Smallest controlled step, 0 for rounding", "s"),
)
SAFETY, SHRINK, GROW = 0.9, 0.2, 5.0
FIRST_STEP = 1e-2  # of the grid's step: a careful first step
MIN_STEP = 1e-13  # of the grid's step: below it nothing moves any more
GRID_ROUNDING = 1e-9  # of a step: what rounding may add to the way to the grid point
BEFORE, WHOLE = range(2)  # rows of Work.stages
STAGES = 2


@kernel
def _keep(packed: Packed, y: Array, restore: bool) -> None:
    """Keep what a trial changes and the next one begins with, or bring it back."""
    work = open_work(packed)
    own, last = work.history.shape[0] // 2, work.scratch[work.scratch.shape[0] - 1]
    if restore:
        copy(work.stages[BEFORE], y)
        copy(work.history[own:], work.history[:own])
        for r in range(work.row.shape[0]):
            work.row[r, ROW_VALUE.LAMBDA] = last[r]
    else:
        copy(y, work.stages[BEFORE])
        copy(work.history[:own], work.history[own:])
        for r in range(work.row.shape[0]):
            last[r] = work.row[r, ROW_VALUE.LAMBDA]


@kernel
def _error(packed: Packed, y: Array) -> float:
    """Largest estimated error over what is allowed; 1 is just acceptable."""
    system, options, whole = open_system(packed), open_work(packed).options, open_work(packed).stages[WHOLE]
    rtol, atol, order = options[RTOL], options[ATOL], options[ORDER]
    share = max(rtol, atol) ** (1.0 / order) * (2.0**order - 1.0)
    largest = 0.0
    for i in range(system.sizes[SIZE.NQ] + system.sizes[SIZE.NV]):
        e = abs(y[i] - whole[i]) / (share * (atol + rtol * abs(y[i])))
        if not e <= largest:  # keeps a NaN, too
            largest = e
    return float(largest)


@kernel
def _try(packed: Packed, clock: Array, size: float, y: Array) -> int:
    """One step of this size into WHOLE, then two halves into y."""
    t, status = clock[CLOCK.NOW], call_attempt(packed, clock, size, y)
    if status == OK:
        copy(y, open_work(packed).stages[WHOLE])
        _keep(packed, y, True)
        status = call_attempt(packed, clock, 0.5 * size, y)
    if status == OK:
        clock[CLOCK.NOW] = t + 0.5 * size
        status = call_attempt(packed, clock, 0.5 * size, y)
        clock[CLOCK.NOW] = t
    return int(status)


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    """A step of the method; where its steps are controlled, two halves of one that is not longer than h."""
    work = open_work(packed)
    if work.options[CONTROL] == 0.0:
        return int(call_attempt(packed, clock, h, y))
    proposed = clock[CLOCK.NEXT] if clock[CLOCK.NEXT] > 0.0 else FIRST_STEP * clock[CLOCK.STEP]
    rounding = max(MIN_STEP * clock[CLOCK.STEP], 16.0 * 2.0**-52 * abs(clock[CLOCK.NOW]))
    smallest, power = max(work.options[SMALLEST], rounding), 1.0 / (work.options[ORDER] + 1.0)
    _keep(packed, y, False)
    while True:
        # equal parts of the way to the grid point: no short rest is left over
        size = h / max(1.0, math.ceil(h / max(proposed, smallest) - GRID_ROUNDING))
        singular = work.counters[COUNT.NEAR_SINGULAR]
        status = _try(packed, clock, size, y)
        error = _error(packed, y) if status == OK else math.inf
        if math.isfinite(error) and work.counters[COUNT.NEAR_SINGULAR] > singular:
            wanted = proposed
            break
        if error <= 1.0:
            wanted = size * min(GROW, max(SHRINK, SAFETY * error**-power if error > 0.0 else GROW))
            break
        work.counters[COUNT.REJECTED] += 1
        _keep(packed, y, True)
        if size <= smallest * (1.0 + GRID_ROUNDING) or proposed <= smallest:
            return STEP_TOO_SMALL if status == OK else status
        proposed = size * (max(SHRINK, SAFETY * error**-power) if math.isfinite(error) else SHRINK)
    clock[CLOCK.NEXT] = wanted
    clock[CLOCK.USED] = size
    return OK


def room(own: Callable[[System], Room], system: System) -> Room:
    """One more vector than the method asks for, for multipliers."""
    wanted = own(system)
    return wanted._replace(vectors=wanted.vectors + 1, order=max(wanted.order, len(system.rows)))
