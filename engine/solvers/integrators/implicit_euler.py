"""Implicit Euler, order 1:  y⁺ = y + h f(t + h, y⁺)."""

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import of_first_order
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.implicit import solve_stage
from engine.solvers.integrators.stage_rows import ROWS

CONSTANT, SCRATCH = 1, 2  # rows of Work.stages


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t = open_work(packed), clock[CLOCK.NOW] + h
    constant = work.stages[CONSTANT]
    copy(y, constant)
    for i in range(y.shape[0]):
        y[i] += h * work.stages[0, i]
    status = solve_stage(packed, t, h, constant, constant, y, SCRATCH)
    if status != OK:
        return status
    clock[CLOCK.USED] = h
    return finish(packed, t, y)


KIND = SchemeKind(
    name="implicit_euler",
    title="Implicit Euler",
    summary="Order 1, stable at any step, and strongly damped. For very stiff forces.",
    order=1,
    stages=SCRATCH + ROWS,
    step=step,
    implicit=True,
    stage_by_stage=True,
    growth=of_first_order(lambda z: (1.0 - z, -1.0)),
)
