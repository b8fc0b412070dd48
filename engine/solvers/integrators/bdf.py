"""Backward differentiation (Gear) of order 2, 3 and 4; order 1 is implicit Euler.

    y⁺ = Σ c_k y_{n−k} + b h f(t + h, y⁺)          [Flores 2012, eq. 170] for order 4

The first steps after every jump are implicit Euler steps of one, two, … parts, extrapolated to the same order
[Hairer 1996, §IV.9]: stable on stiff problems, as Gear is.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import options as SLOT
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import Complex, of_first_order
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.implicit import solve_stage
from engine.solvers.integrators.past import keep_past, take_past
from engine.solvers.integrators.stage_rows import ROWS

ORDER = SLOT.SCHEME
MAX_ORDER = 4
# by order: c_k of the last states, the newest first, and b
PARTS = np.array(
    [
        [1.0, 0.0, 0.0, 0.0],
        [4 / 3, -1 / 3, 0.0, 0.0],
        [18 / 11, -9 / 11, 2 / 11, 0.0],
        [48 / 25, -36 / 25, 16 / 25, -3 / 25],
    ]
)
WEIGHT = np.array([1.0, 2 / 3, 6 / 11, 12 / 25])
# rows of Work.stages: earlier states, the newest first; rows of the extrapolation
STATES, TABLE = 1, MAX_ORDER
CONSTANT = TABLE + MAX_ORDER
SCRATCH = CONSTANT + 1


@inlined
def extrapolated_euler(packed: Packed, t: float, h: float, y: Array, order: int) -> int:
    """A step of implicit Euler in 1 … order parts, and the value they promise for infinitely many."""
    work, n = open_work(packed), y.shape[0]
    constant = work.stages[CONSTANT]
    for parts in range(1, order + 1):
        state = work.stages[TABLE + parts - 1]
        copy(y, state)
        for k in range(parts):
            copy(state, constant)
            status = solve_stage(
                packed, t + (k + 1) * h / parts, h / parts, constant, constant, state, SCRATCH
            )
            if status != OK:
                return int(status)
    for column in range(1, order):
        for parts in range(order, column, -1):
            better, worse = work.stages[TABLE + parts - 1], work.stages[TABLE + parts - 2]
            for i in range(n):
                better[i] += (better[i] - worse[i]) * (parts - column) / column
    copy(work.stages[TABLE + order - 1], y)
    return OK


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t, n = open_work(packed), clock[CLOCK.NOW], y.shape[0]
    order, stages = int(work.options[ORDER]), work.stages
    count = take_past(work, h)
    constant, newest = stages[CONSTANT], stages[STATES]
    ready = count >= order - 1
    if ready:
        for i in range(n):
            total = PARTS[order - 1, 0] * y[i]
            for k in range(1, order):
                total += PARTS[order - 1, k] * stages[STATES + k - 1, i]
            constant[i] = total
    for k in range(order - 2, 0, -1):
        copy(stages[STATES + k - 1], stages[STATES + k])
    copy(y, newest)
    if ready:
        for i in range(n):
            y[i] += h * stages[0, i]
        status = solve_stage(packed, t + h, WEIGHT[order - 1] * h, constant, newest, y, SCRATCH)
    else:
        status = extrapolated_euler(packed, t, h, y, order)
    if status != OK:
        return status
    clock[CLOCK.USED] = h
    status = finish(packed, t + h, y)
    if status == OK:
        keep_past(work, h, min(count + 1, order - 1))
    return status


def _kind(order: int, summary: str) -> SchemeKind:
    def polynomial(z: Complex) -> list[Complex | float]:
        return [1.0 - WEIGHT[order - 1] * z, *(-PARTS[order - 1, :order])]

    return SchemeKind(
        name=f"bdf{order}",
        title=f"Gear, BDF {order}",
        summary=summary,
        order=order,
        stages=SCRATCH + ROWS,
        step=step,
        implicit=True,
        stage_by_stage=True,
        constants=((ORDER, float(order)),),
        growth=of_first_order(polynomial),
    )


BDF2 = _kind(2, "Order 2, implicit, stable at any step, with damping of fast motions. For stiff forces.")
BDF3 = _kind(3, "Order 3, implicit, for stiff forces; fast undamped oscillations can grow.")
BDF4 = _kind(4, "Order 4, implicit, for stiff forces with damping; fast undamped oscillations can grow.")
