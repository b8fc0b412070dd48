"""The implicit midpoint rule, order 2:  m = y + h/2 f(t + h/2, m),  y⁺ = 2m − y."""

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import of_first_order
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.implicit import solve_stage
from engine.solvers.integrators.stage_rows import ROWS

MIDDLE, SCRATCH = 1, 2  # rows of Work.stages


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t = open_work(packed), clock[CLOCK.NOW]
    middle, rate, n = work.stages[MIDDLE], work.stages[0], y.shape[0]
    for i in range(n):
        middle[i] = y[i] + 0.5 * h * rate[i]
    status = solve_stage(packed, t + 0.5 * h, 0.5 * h, y, y, middle, SCRATCH)
    if status != OK:
        return status
    for i in range(n):
        y[i] = 2.0 * middle[i] - y[i]
    clock[CLOCK.USED] = h
    return finish(packed, t + h, y)


KIND = SchemeKind(
    name="implicit_midpoint",
    title="Implicit midpoint rule",
    summary="Order 2, implicit, stable at any step; keeps quadratic invariants of the free motion.",
    order=2,
    stages=SCRATCH + ROWS,
    step=step,
    implicit=True,
    stage_by_stage=True,
    growth=of_first_order(lambda z: (1.0 - 0.5 * z, -1.0 - 0.5 * z)),
)
