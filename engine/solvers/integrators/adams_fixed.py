"""Adams methods with equal steps, order 2, 3 and 4: Bashforth's alone, and with Moulton's corrector (PECE).

    predict   p = y + h Σ b_k f₋ₖ                                           [Flores 2012, eq. 164] for order 4
    correct   y⁺ = y + h (c₀ f(p) + Σ c_{k+1} f₋ₖ),  then evaluate again         [Flores 2012, eq. 167]

Bashforth takes p as y⁺. The first steps after every jump are Runge-Kutta steps of order 4 and the same size.
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import Complex, of_first_order
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.past import keep_past, take_past
from engine.solvers.integrators.rk4 import classical

ORDER, CORRECTED = SLOT.SCHEME, SLOT.SCHEME + 1
MAX_ORDER = 4
# by order: b of the present and of earlier rates, the newest first; c of the predicted, the present, …
BASHFORTH = np.array(
    [
        [1.0, 0.0, 0.0, 0.0],
        [3 / 2, -1 / 2, 0.0, 0.0],
        [23 / 12, -16 / 12, 5 / 12, 0.0],
        [55 / 24, -59 / 24, 37 / 24, -9 / 24],
    ]
)
MOULTON = np.array(
    [
        [1.0, 0.0, 0.0, 0.0],
        [1 / 2, 1 / 2, 0.0, 0.0],
        [5 / 12, 8 / 12, -1 / 12, 0.0],
        [9 / 24, 19 / 24, -5 / 24, 1 / 24],
    ]
)
# rows of Work.stages: present and earlier rates, the newest first, then those of the Runge-Kutta start
PREDICTED = MAX_ORDER
SLOPE = PREDICTED + 1
STAGES = PREDICTED + 3


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t, n = open_work(packed), clock[CLOCK.NOW], y.shape[0]
    order, stages = int(work.options[ORDER]), work.stages
    count = take_past(work, h)
    if count < order - 1:
        status = classical(packed, t, h, y, PREDICTED)
        if status != OK:
            return status
    else:
        predicted, slope = stages[PREDICTED], stages[SLOPE]
        for i in range(n):
            total = 0.0
            for k in range(order):
                total += BASHFORTH[order - 1, k] * stages[k, i]
            predicted[i] = y[i] + h * total
        if work.options[CORRECTED] == 0.0:
            copy(predicted, y)
        else:
            status = call_rate(packed, t + h, predicted, slope)
            if status != OK:
                return int(status)
            for i in range(n):
                total = MOULTON[order - 1, 0] * slope[i]
                for k in range(1, order):
                    total += MOULTON[order - 1, k] * stages[k - 1, i]
                y[i] += h * total
    for k in range(order - 1, 0, -1):
        copy(stages[k - 1], stages[k])  # the present rate joins the past, before the new one takes its place
    clock[CLOCK.USED] = h
    status = finish(packed, t + h, y)
    if status == OK:
        keep_past(work, h, min(count + 1, order - 1))
    return status


def _kind(order: int, *, corrected: bool, summary: str) -> SchemeKind:
    b, c = BASHFORTH[order - 1], MOULTON[order - 1]

    def polynomial(z: Complex) -> list[Complex | float]:
        """Of y⁺ and y, y₋₁ … with f = z y / h."""
        found: list[Complex | float] = [1.0]
        for k in range(order):
            same = 1.0 if k == 0 else 0.0
            predicted = same + z * b[k]
            behind = z * c[k + 1] if k + 1 < order else 0.0
            found.append(-(same + c[0] * z * predicted + behind) if corrected else -predicted)
        return found

    return SchemeKind(
        name=f"abm{order}" if corrected else f"ab{order}",
        title=f"Adams-Bashforth-Moulton {order} (PECE)" if corrected else f"Adams-Bashforth {order}",
        summary=summary,
        order=order,
        stages=STAGES,
        step=step,
        constants=((ORDER, float(order)), (CORRECTED, float(corrected))),
        growth=of_first_order(polynomial),
    )


AB2 = _kind(
    2, corrected=False, summary="Order 2 with one evaluation per step; undamped oscillations grow slowly."
)
AB3 = _kind(3, corrected=False, summary="Order 3 with one evaluation per step, stable on both axes.")
AB4 = _kind(
    4,
    corrected=False,
    summary="Order 4 with one evaluation per step; needs small steps, starts with Runge-Kutta.",
)
ABM2 = _kind(2, corrected=True, summary="Order 2 with two evaluations per step: Heun's with a better guess.")
ABM3 = _kind(3, corrected=True, summary="Order 3 with two evaluations per step, stable further than order 4.")
ABM4 = _kind(
    4,
    corrected=True,
    summary="Order 4 with two evaluations per step: predict, evaluate, correct, evaluate.",
)
