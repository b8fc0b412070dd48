"""Explicit Euler, order 1:  y ← y + h f(t, y)."""

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import of_runge_kutta
from engine.solvers.integrators.base import SchemeKind, finish


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work = open_work(packed)
    for i in range(y.shape[0]):
        y[i] += h * work.stages[0, i]
    clock[CLOCK.USED] = h
    return finish(packed, clock[CLOCK.NOW] + h, y)


KIND = SchemeKind(
    name="euler",
    title="Euler",
    summary="Order 1, one evaluation per step. For teaching: its energy error is easy to see.",
    order=1,
    stages=1,
    step=step,
    growth=of_runge_kutta(1.0, 1.0),
)
