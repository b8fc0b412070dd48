"""Semi-implicit (symplectic) Euler, order 1:  v ← v + h a(t, q, v),  q ← q ⊕ h v."""

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.compiled.states import open_motion
from engine.maths.amplification import of_second_order
from engine.solvers.integrators.base import SchemeKind, finish
from engine.system.equations.kinematics import retract


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state, moved = open_motion(system, y), work.stages[1]
    for i in range(state.q.shape[0], y.shape[0]):  # velocities and work integrals
        y[i] += h * work.stages[0, i]
    for c in range(state.v.shape[0]):
        moved[c] = h * state.v[c]
    retract(system.bodies, state.q, moved, state.q)
    clock[CLOCK.USED] = h
    return finish(packed, clock[CLOCK.NOW] + h, y)


def _test_step(alpha_h: Array, beta2_h2: Array, state: Array, numbers: Array) -> Array:
    x, v = np.moveaxis(state, -1, 0)
    v = v - 2.0 * alpha_h * v - beta2_h2 * x
    return np.stack([x + v, v], axis=-1)


KIND = SchemeKind(
    name="semi_implicit_euler",
    title="Semi-implicit Euler",
    summary="Order 1, one evaluation per step; keeps the energy of free oscillations within bounds.",
    order=1,
    stages=2,
    step=step,
    layouts=frozenset({"qv"}),
    singular_failure="its first order lets positions leave the joints too far to be closed there",
    growth=of_second_order(2, _test_step),
)
