"""What one-step methods with accelerations share: the state vector y = (q, v, a, power, w)."""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import S_NQ, S_NV, S_QUADRATURES, T_NOW, V_A, Array, Packed, System
from engine.maths.arrays import copy
from engine.solvers.direct.newton import consistent_acceleration
from engine.system.equations.equations import count_turns
from engine.system.equations.sampling import write_sample


@inlined
def begin(packed: Packed, clock: Array, y: Array) -> int:
    """The given q and v with consistent accelerations and powers."""
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    status = consistent_acceleration(packed, clock[T_NOW], y[:nq], y[nq : nq + n])
    copy(work.vectors[V_A], y[nq + n : nq + 2 * n])
    copy(work.power, y[nq + 2 * n : nq + 2 * n + nw])
    count_turns(system, work)
    return status


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    return begin(packed, clock, y)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    write_sample(system, work, clock, y[:nq], y[nq : nq + n], y[y.shape[0] - nw :], sample)


def size(system: System) -> int:
    return int(system.sizes[S_NQ] + 2 * system.sizes[S_NV] + 2 * system.sizes[S_QUADRATURES])
