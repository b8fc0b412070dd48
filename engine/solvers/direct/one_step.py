"""What one-step methods with accelerations share: the state vector y = (q, v, a, power, w)."""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System
from engine.maths.arrays import copy
from engine.solvers.direct.newton import consistent_acceleration
from engine.system.equations.equations import count_turns
from engine.system.equations.sampling import write_sample


@inlined
def begin(packed: Packed, clock: Array, y: Array) -> int:
    """The given q and v with consistent accelerations and powers."""
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], system.sizes[SIZE.QUADRATURES]
    status = consistent_acceleration(packed, clock[CLOCK.NOW], y[:nq], y[nq : nq + n])
    copy(work.vectors[VECTOR.A], y[nq + n : nq + 2 * n])
    copy(work.power, y[nq + 2 * n : nq + 2 * n + nw])
    count_turns(system, work)
    return status


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    return begin(packed, clock, y)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], system.sizes[SIZE.QUADRATURES]
    write_sample(system, work, clock, y[:nq], y[nq : nq + n], y[y.shape[0] - nw :], sample)


def size(system: System) -> int:
    return int(system.sizes[SIZE.NQ] + 2 * system.sizes[SIZE.NV] + 2 * system.sizes[SIZE.QUADRATURES])
