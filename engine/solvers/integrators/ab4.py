"""Adams-Bashforth 4:  y ← y + h (55 f − 59 f₋₁ + 37 f₋₂ − 9 f₋₃)/24   [Flores 2012, eq. 164].

The first three steps after every jump are Runge-Kutta steps of the same order and size.
"""

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Work
from engine.maths.amplification import of_first_order
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.past import keep_past, take_past
from engine.solvers.integrators.rk4 import classical

PAST = 3  # earlier rates, in stages 1 … 3, the newest first
SCRATCH = PAST + 1


@inlined
def bashforth(work: Work, h: float, y: Array, out: Array) -> None:
    """out = y + h (55 f − 59 f₋₁ + 37 f₋₂ − 9 f₋₃)/24."""
    f, f1, f2, f3 = work.stages[0], work.stages[1], work.stages[2], work.stages[3]
    for i in range(y.shape[0]):
        out[i] = y[i] + h / 24.0 * (55.0 * f[i] - 59.0 * f1[i] + 37.0 * f2[i] - 9.0 * f3[i])


@inlined
def shift_rates(work: Work) -> None:
    """The present rate joins the past, before the new one takes its place."""
    for k in range(PAST, 0, -1):
        copy(work.stages[k - 1], work.stages[k])


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t = open_work(packed), clock[CLOCK.NOW]
    count = take_past(work, h)
    if count < PAST:
        status = classical(packed, t, h, y, SCRATCH)
        if status != OK:
            return status
    else:
        bashforth(work, h, y, y)
    shift_rates(work)
    clock[CLOCK.USED] = h
    status = finish(packed, t + h, y)
    if status == OK:
        keep_past(work, h, min(count + 1, PAST))
    return status


KIND = SchemeKind(
    name="ab4",
    title="Adams-Bashforth 4",
    summary="Order 4 with one evaluation per step; needs small steps, starts with Runge-Kutta.",
    order=4,
    stages=SCRATCH + 3,
    step=step,
    growth=of_first_order(
        lambda z: (1.0, -1.0 - 55.0 / 24.0 * z, 59.0 / 24.0 * z, -37.0 / 24.0 * z, 9.0 / 24.0 * z)
    ),
)
