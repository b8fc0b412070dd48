"""The classical Runge-Kutta method, order 4:  y ← y + h (f1 + 2 f2 + 2 f3 + f4)/6."""

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import of_runge_kutta
from engine.solvers.integrators.base import OK, SchemeKind, finish


@inlined
def classical(packed: Packed, t: float, h: float, y: Array, first: int) -> int:
    """y ← y + h Φ(t, y), not projected; stages first … first + 2 are used, and stages[0] is read."""
    work = open_work(packed)
    n, f1 = y.shape[0], work.stages[0]
    slope, stage, total = work.stages[first], work.stages[first + 1], work.stages[first + 2]
    for i in range(n):
        total[i] = f1[i]
        stage[i] = y[i] + 0.5 * h * f1[i]
    for k in range(3):
        at = t + h if k == 2 else t + 0.5 * h
        status = call_rate(packed, at, stage, slope)
        if status != OK:
            return int(status)
        weight = 1.0 if k == 2 else 2.0
        ahead = h if k == 1 else 0.5 * h
        for i in range(n):
            total[i] += weight * slope[i]
            stage[i] = y[i] + ahead * slope[i]
    for i in range(n):
        y[i] += h / 6.0 * total[i]
    return OK


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    t = clock[CLOCK.NOW]
    status = classical(packed, t, h, y, 1)
    if status != OK:
        return status
    clock[CLOCK.USED] = h
    return finish(packed, t + h, y)


KIND = SchemeKind(
    name="rk4",
    title="Runge-Kutta 4",
    summary="Order 4, four evaluations per step. The work horse for smooth motion.",
    order=4,
    stages=4,
    step=step,
    growth=of_runge_kutta(1.0, 1.0, 1 / 2, 1 / 6, 1 / 24),
)
