"""Velocity Verlet, order 2.

    q ← q ⊕ h (v + h a/2),   a⁺ = a(t + h, q, v + h a),   v ← v + h (a + a⁺)/2

Forces that depend on velocities, and constraints always do, see the velocity v + h a, whose error is of the
order that the scheme has anyway.
"""

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.compiled.states import open_motion, open_split
from engine.maths.amplification import of_second_order
from engine.maths.arrays import copy
from engine.solvers.integrators.base import OK, SchemeKind, finish
from engine.system.equations.kinematics import retract


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    t, state = clock[CLOCK.NOW], open_motion(system, y)
    before, stage, after, moved = work.stages[0], work.stages[1], work.stages[2], work.stages[3]
    a = open_motion(system, before).v
    for c in range(a.shape[0]):
        moved[c] = h * (state.v[c] + 0.5 * h * a[c])
    retract(system.bodies, state.q, moved, open_motion(system, stage).q)
    speeds, rates = open_split(system, y).speeds, open_split(system, before).speeds
    at_stage, later = open_split(system, stage).speeds, open_split(system, after).speeds
    for i in range(speeds.shape[0]):
        at_stage[i] = speeds[i] + h * rates[i]
    status = call_rate(packed, t + h, stage, after)
    if status != OK:
        return int(status)
    copy(open_motion(system, stage).q, state.q)
    for i in range(speeds.shape[0]):
        speeds[i] += 0.5 * h * (rates[i] + later[i])
    clock[CLOCK.USED] = h
    return finish(packed, t + h, y)


def _test_step(alpha_h: Array, beta2_h2: Array, state: Array, numbers: Array) -> Array:
    x, v = np.moveaxis(state, -1, 0)
    a = -2.0 * alpha_h * v - beta2_h2 * x
    x = x + v + 0.5 * a
    after = -2.0 * alpha_h * (v + a) - beta2_h2 * x
    return np.stack([x, v + 0.5 * (a + after)], axis=-1)


KIND = SchemeKind(
    name="velocity_verlet",
    title="Velocity Verlet",
    summary="Order 2, two evaluations per step; time-reversible where forces depend on positions only.",
    order=2,
    stages=4,
    step=step,
    layouts=frozenset({"qv"}),
    growth=of_second_order(2, _test_step),
)
