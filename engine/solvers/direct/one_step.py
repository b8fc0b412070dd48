"""What one-step methods with accelerations share: the state vector y = (q, v, a, power, w)."""

from typing import NamedTuple

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed
from engine.compiled.states import Coordinates, Velocities, Works, open_motion, state_size, state_view
from engine.maths.arrays import copy
from engine.solvers.direct.newton import consistent_acceleration
from engine.system.equations.equations import count_turns
from engine.system.equations.sampling import write_sample


class OneStepState(NamedTuple):
    """Coordinates, velocities, accelerations, powers and work integrals."""

    q: Coordinates
    v: Velocities
    a: Velocities
    power: Works
    works: Works


open_state = state_view(OneStepState)
size = state_size(OneStepState)


@inlined
def begin(packed: Packed, clock: Array, y: Array) -> int:
    """The given q and v with consistent accelerations and powers."""
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    status = consistent_acceleration(packed, clock[CLOCK.NOW], state.q, state.v)
    copy(work.vectors[VECTOR.A], state.a)
    copy(work.power, state.power)
    count_turns(system, work)
    return status


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    return begin(packed, clock, y)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    """For every direct method: y begins with q and v and ends with the work integrals."""
    system, work = open_system(packed), open_work(packed)
    state = open_motion(system, y)
    write_sample(system, work, clock, state.q, state.v, state.works, sample)
