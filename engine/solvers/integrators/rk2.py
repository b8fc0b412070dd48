"""Heun's method, order 2:  y ← y + h (f1 + f2)/2,  f2 = f(t + h, y + h f1)."""

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import of_runge_kutta
from engine.solvers.integrators.base import OK, SchemeKind, finish


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work = open_work(packed)
    n, t = y.shape[0], clock[CLOCK.NOW]
    f1, f2, stage = work.stages[0], work.stages[1], work.stages[2]
    for i in range(n):
        stage[i] = y[i] + h * f1[i]
    status = call_rate(packed, t + h, stage, f2)
    if status != OK:
        return int(status)
    for i in range(n):
        y[i] += 0.5 * h * (f1[i] + f2[i])
    clock[CLOCK.USED] = h
    return finish(packed, t + h, y)


KIND = SchemeKind(
    name="rk2",
    title="Runge-Kutta 2 (Heun)",
    summary="Order 2, two evaluations per step.",
    order=2,
    stages=3,
    step=step,
    growth=of_runge_kutta(1.0, 1.0, 1 / 2),
)
