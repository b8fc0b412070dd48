"""The trapezoidal rule, order 2:  y⁺ = y + h (f(t, y) + f(t + h, y⁺))/2."""

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import of_first_order
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.implicit import iterate, solve_stage
from engine.solvers.integrators.stage_rows import ROWS

CONSTANT, OLD, SCRATCH = 1, 2, 3  # rows of Work.stages


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t = open_work(packed), clock[CLOCK.NOW] + h
    constant, old, rate = work.stages[CONSTANT], work.stages[OLD], work.stages[0]
    copy(y, old)
    for i in range(y.shape[0]):
        constant[i] = y[i] + 0.5 * h * rate[i]
        y[i] += h * rate[i]
    status = iterate(packed, t, 0.5 * h, constant, False, y, SCRATCH)
    if status != OK:
        # two halves of implicit Euler, which damp what the rule would let ring [Rannacher 1984]
        copy(old, y)
        status = OK
        for left in (0.5, 0.0):
            if status == OK:
                copy(y, constant)
                status = solve_stage(packed, t - left * h, 0.5 * h, constant, constant, y, SCRATCH)
    if status != OK:
        return status
    clock[CLOCK.USED] = h
    return finish(packed, t, y)


KIND = SchemeKind(
    name="trapezoidal",
    title="Trapezoidal rule",
    summary="Order 2, implicit, stable at any step and without damping.",
    order=2,
    stages=SCRATCH + ROWS,
    step=step,
    implicit=True,
    stage_by_stage=True,
    growth=of_first_order(lambda z: (1.0 - 0.5 * z, -1.0 - 0.5 * z)),
)
