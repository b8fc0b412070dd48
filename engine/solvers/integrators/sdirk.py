"""Singly diagonally implicit Runge-Kutta methods of order 2, 3 and 4: one matrix for all stages of a step.

    Y_k = y + h Σ_{j<k} a_kj f_j + γh f(t + c_k h, Y_k),    f_k = f(t + c_k h, Y_k),    y⁺ = Y_s

The last stage is the new state, so all of them forget what is infinitely stiff in one step (L-stable).
Coefficients: order 2 and 3 [Alexander 1977], order 4 [Hairer 1996, table IV.6.5].
"""

import numpy as np

from engine.compiled.arenas import open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import options as SLOT
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.maths.amplification import Complex, of_first_order
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.solvers.integrators.implicit import solve_stage
from engine.solvers.integrators.stage_rows import ROWS

TABLE = SLOT.SCHEME
MAX_STAGES = 5
GAMMA_2 = 1.0 - np.sqrt(0.5)
GAMMA_3 = 0.43586652150845899942  # the middle root of 6γ³ − 18γ² + 9γ − 1


def _alexander_3() -> tuple[tuple[float, ...], ...]:
    g = GAMMA_3
    b1 = -(6.0 * g * g - 16.0 * g + 1.0) / 4.0
    b2 = (6.0 * g * g - 20.0 * g + 5.0) / 4.0
    return ((g,), (0.5 * (1.0 - g), g), (b1, b2, g))


# rows of A, the diagonal with them
TABLES: tuple[tuple[tuple[float, ...], ...], ...] = (
    ((GAMMA_2,), (1.0 - GAMMA_2, GAMMA_2)),
    _alexander_3(),
    (
        (1 / 4,),
        (1 / 2, 1 / 4),
        (17 / 50, -1 / 25, 1 / 4),
        (371 / 1360, -137 / 2720, 15 / 544, 1 / 4),
        (25 / 24, -49 / 48, 125 / 16, -85 / 12, 1 / 4),
    ),
)


def _padded() -> Array:
    a = np.zeros((len(TABLES), MAX_STAGES, MAX_STAGES))
    for place, rows in enumerate(TABLES):
        for k, row in enumerate(rows):
            a[place, k, : len(row)] = row
    return a


A = _padded()
C = A.sum(axis=2)
STAGES = np.array([len(rows) for rows in TABLES])
# rows of Work.stages: rates of the stages (row 0 is the present rate), constant part, the stage itself
RATE = 1
CONSTANT = RATE + MAX_STAGES
STAGE = CONSTANT + 1
SCRATCH = STAGE + 1


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    work, t, n = open_work(packed), clock[CLOCK.NOW], y.shape[0]
    table, stages = int(work.options[TABLE]), work.stages
    constant, stage = stages[CONSTANT], stages[STAGE]
    weight = A[table, 0, 0] * h
    for k in range(STAGES[table]):
        newest = stages[RATE + k - 1] if k > 0 else stages[0]
        for i in range(n):
            total = 0.0
            for j in range(k):
                total += A[table, k, j] * stages[RATE + j, i]
            constant[i] = y[i] + h * total
            stage[i] = constant[i] + weight * newest[i]
        status = solve_stage(packed, t + C[table, k] * h, weight, constant, y, stage, SCRATCH)
        if status != OK:
            return status
        for i in range(n):
            stages[RATE + k, i] = (stage[i] - constant[i]) / weight
    copy(stage, y)
    clock[CLOCK.USED] = h
    return finish(packed, t + h, y)


def _kind(order: int, summary: str) -> SchemeKind:
    table = order - 2
    a = np.array(A[table, : STAGES[table], : STAGES[table]])

    def polynomial(z: Complex) -> tuple[float, Complex]:
        """R(z) of a method whose last row of A is b: the last of (I − zA)⁻¹ 1."""
        matrices = np.eye(len(a)) - z[..., None, None] * a
        ones = np.ones((*z.shape, len(a), 1), complex)
        solved = np.asarray(np.linalg.solve(matrices, ones), np.complex128)
        return 1.0, -solved[..., -1, 0]

    return SchemeKind(
        name=f"sdirk{order}",
        title=f"SDIRK, order {order}",
        summary=summary,
        order=order,
        stages=SCRATCH + ROWS,
        step=step,
        implicit=True,
        stage_by_stage=True,
        constants=((TABLE, float(table)),),
        growth=of_first_order(polynomial),
    )


SDIRK2 = _kind(2, "Order 2, implicit in two stages, stable at any step; fast motions are damped at once.")
SDIRK3 = _kind(3, "Order 3, implicit in three stages, stable at any step; fast motions are damped at once.")
SDIRK4 = _kind(
    4, "Order 4, implicit in five stages, stable at any step; for stiff forces and few digits more."
)
