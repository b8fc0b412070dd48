"""Runge-Kutta-Munthe-Kaas of order 4: the classical scheme on the group of rotations [Munthe 1998].

Positions of a stage are q ⊕ u with u in the algebra, displacements and rotation vectors, and u' = T(u) v with
T the inverse of the derivative of the exponential map: the rates of a rotation vector. So

    u ← h (k1 + 2 k2 + 2 k3 + k4)/6,   k_i = T(u_i) v_i,    q ← q ⊕ u,    v and work as by `rk4`,

and no stage leaves the unit quaternions. In the plane it is `rk4`.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Ints, Packed
from engine.compiled.states import open_motion
from engine.maths.amplification import of_runge_kutta
from engine.maths.vectors import add, cross, dot, mix, scale
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.system.equations.kinematics import retract

SMALL_ANGLE = 0.01  # rad; below it the coefficient is summed as a series, exact to rounding
SLOPE, STAGE, TOTAL, U, RATE, SUM = range(1, 7)  # rows of Work.stages


@kernel
def algebra_rates(bodies: Ints, u: Array, v: Array, out: Array) -> None:
    """out = T(u) v."""
    for b in range(bodies.shape[0] - 1):
        at = bodies[b, BODY.V]
        out[at], out[at + 1], out[at + 2] = v[at], v[at + 1], v[at + 2]
        if not bodies[b, BODY.PLANAR]:
            # ω + u × ω/2 + c u × (u × ω),  c = (1 − φ/2 cot φ/2)/φ²
            turn, w = (u[at + 3], u[at + 4], u[at + 5]), (v[at + 3], v[at + 4], v[at + 5])
            square, across = dot(turn, turn), cross(turn, w)
            half = 0.5 * math.sqrt(square)
            if half < SMALL_ANGLE:
                bend = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0
            else:
                bend = (1.0 - half / math.tan(half)) / square
            rate = add(mix(1.0, w, 0.5, across), scale(bend, cross(turn, across)))
            out[at + 3], out[at + 4], out[at + 5] = rate


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, size, t = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], y.shape[0], clock[CLOCK.NOW]
    first, slope, stage, total = work.stages[0], work.stages[SLOPE], work.stages[STAGE], work.stages[TOTAL]
    u, rate, added = work.stages[U][:n], work.stages[RATE][:n], work.stages[SUM][:n]
    q, v, stage_v = y[:nq], open_motion(system, y).v, open_motion(system, stage).v
    for c in range(n):
        rate[c] = added[c] = v[c]
    for i in range(nq, size):
        slope[i] = total[i] = first[i]
    for k in range(3):
        ahead, weight = (h, 1.0) if k == 2 else (0.5 * h, 2.0)
        for c in range(n):
            u[c] = ahead * rate[c]
        retract(system.bodies, q, u, stage)
        for i in range(nq, size):
            stage[i] = y[i] + ahead * slope[i]
        status = call_rate(packed, t + ahead, stage, slope)
        if status != OK:
            return int(status)
        algebra_rates(system.bodies, u, stage_v, rate)
        for c in range(n):
            added[c] += weight * rate[c]
        for i in range(nq, size):
            total[i] += weight * slope[i]
    for c in range(n):
        added[c] *= h / 6.0
    retract(system.bodies, q, added, q)
    for i in range(nq, size):
        y[i] += h / 6.0 * total[i]
    clock[CLOCK.USED] = h
    return finish(packed, t + h, y)


KIND = SchemeKind(
    name="rkmk4",
    title="Runge-Kutta-Munthe-Kaas 4",
    summary="Order 4; the classical scheme on the group of rotations, without leaving it between stages.",
    order=4,
    stages=7,
    step=step,
    layouts=frozenset({"qv"}),
    growth=of_runge_kutta(1.0, 1.0, 1 / 2, 1 / 6, 1 / 24),
)
