"""The smallest direct method: leapfrog on consistent accelerations, without closing the joints again.

v½ = v + h a/2,   q⁺ = q ⊕ h v½,   v⁺ = v½ + h a(q⁺, v½ + h a/2)/2.   State vector y = (q, v, a, power, w).
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, Room, System
from engine.maths.arrays import copy
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newton import OK, add_work, consistent_acceleration
from engine.solvers.direct.one_step import open_state, report, size, start
from engine.system.equations.kinematics import normalise, retract


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    n, state = system.sizes[SIZE.NV], open_state(system, y)
    q, v, a, move = state.q, state.v, state.a, work.scratch[0][:n]
    for c in range(n):
        move[c] = h * (v[c] + 0.5 * h * a[c])
        v[c] += h * a[c]
    retract(system.bodies, q, move, q)
    normalise(system.bodies, q)
    status = consistent_acceleration(packed, clock[CLOCK.NOW] + h, q, v)
    if status == OK:
        for c in range(n):
            v[c] += 0.5 * h * (work.vectors[VECTOR.A, c] - a[c])
        status = consistent_acceleration(packed, clock[CLOCK.NOW] + h, q, v)
    copy(work.vectors[VECTOR.A], a)
    add_work(work, h, state.power, state.works)
    clock[CLOCK.USED] = h
    return int(status)


def room(system: System) -> Room:
    return Room(vectors=1, order=int(system.sizes[SIZE.NQ]))


KIND = DirectKind(
    name="prototype_leapfrog",
    title="Leapfrog",
    summary="A direct method in one file.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    tangents=False,
)
