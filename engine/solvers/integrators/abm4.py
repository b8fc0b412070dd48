"""Adams-Bashforth-Moulton 4 in the mode PECE [Flores 2012, eqs. 164 and 167].

    predict   p = y + h (55 f − 59 f₋₁ + 37 f₋₂ − 9 f₋₃)/24
    correct   y ← y + h (9 f(p) + 19 f − 5 f₋₁ + f₋₂)/24,    then evaluate again

The first three steps after every jump are Runge-Kutta steps of the same order and size.
"""

from collections.abc import Sequence

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import Complex, of_first_order
from engine.solvers.integrators.ab4 import PAST, SCRATCH, bashforth, shift_rates
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.past import keep_past, take_past
from engine.solvers.integrators.rk4 import classical


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t = open_work(packed), clock[CLOCK.NOW]
    count = take_past(work, h)
    if count < PAST:
        status = classical(packed, t, h, y, SCRATCH)
        if status != OK:
            return status
    else:
        predicted, slope = work.stages[SCRATCH], work.stages[SCRATCH + 1]
        bashforth(work, h, y, predicted)
        status = call_rate(packed, t + h, predicted, slope)
        if status != OK:
            return int(status)
        f, f1, f2 = work.stages[0], work.stages[1], work.stages[2]
        for i in range(y.shape[0]):
            y[i] += h / 24.0 * (9.0 * slope[i] + 19.0 * f[i] - 5.0 * f1[i] + f2[i])
    shift_rates(work)
    clock[CLOCK.USED] = h
    status = finish(packed, t + h, y)
    if status == OK:
        keep_past(work, h, min(count + 1, PAST))
    return status


def _polynomial(z: Complex) -> Sequence[Complex | float]:
    # f(p) = z (y + z (55 y − 59 y₋₁ + 37 y₋₂ − 9 y₋₃)/24) / h
    c, p = z / 24.0, 9.0 * z * z / 576.0
    return (
        1.0,
        -1.0 - 28.0 * c - 55.0 * p,
        5.0 * c + 59.0 * p,
        -c - 37.0 * p,
        9.0 * p,
    )


KIND = SchemeKind(
    name="abm4",
    title="Adams-Bashforth-Moulton 4 (PECE)",
    summary="Order 4 with two evaluations per step: predict, evaluate, correct, evaluate.",
    order=4,
    stages=SCRATCH + 3,
    step=step,
    growth=of_first_order(_polynomial),
)
