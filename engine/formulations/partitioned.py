"""Formulations in independent coordinates: which velocities are independent is chosen, watched, chosen anew.

    partitioning              accelerations by multipliers; after a step the dependent part of q and v follows
                              from the independent one [Wehage 1982]
    independent_coordinates   velocity projection, state (z, ż): at every evaluation the dependent part of q
                              is closed by Newton, that of v by one solution [Antón 2015, §3.5.5]
    independent_velocities    velocity projection, state (q, ż): v follows from ż at every evaluation, q is
                              closed when a violation passes a threshold [Antón 2015, §3.5.3]

Rotations have no coordinates that belong to ω. So the first two keep the whole of q and v in y: the dependent
part is the guess from which it is closed, and the independent one is what is integrated.

The third has y = (q, ż, columns of the dependent velocities, w): a step that fails gets back the partition
that its ż belongs to.
"""

from engine.calls import call_constraints
from engine.formulations import common, lagrange
from engine.formulations.base import FormulationKind
from engine.formulations.common import OK, conclude, prepare
from engine.kernel import inlined, kernel
from engine.linsolve.base import note_singular
from engine.linsolve.partition import (
    COLUMNS,
    FIRST_FREE,
    MATRICES,
    accelerate,
    close_positions,
    close_velocities,
    factor_block,
    is_worn,
    largest,
    partition,
    smallest_pivot,
)
from engine.maths.arrays import copy
from engine.packing import open_system, open_work
from engine.problems import (
    C_REBASED,
    O_FORMULATION,
    RV_PHI,
    S_NQ,
    S_NV,
    S_RANK,
    T_NOW,
    V_A,
    Array,
    Option,
    Packed,
    Room,
    System,
    Work,
)
from engine.system.kinematics import coordinate_rates, normalise
from engine.system.sampling import write_sample

THRESHOLD = O_FORMULATION
BASIN = 0.01  # violation, over the square of the smallest pivot, from which Newton surely stays on its branch
# Work.scratch
Q, V = FIRST_FREE, FIRST_FREE + 1


@kernel
def settle(packed: Packed, t: float, y: Array) -> int:
    """The dependent part of (q, v) follows from the independent one; a worn partition is replaced."""
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[S_NQ], system.sizes[S_NV]
    q, v = y[:nq], y[nq : nq + nv]
    normalise(system.bodies, q)
    if system.sizes[S_RANK] == 0:
        return OK
    call_constraints(packed, t, q, v)
    status = factor_block(system, work)
    if status != OK:
        return status
    status = close_positions(packed, t, q, v)
    if status != OK:
        return status
    status = factor_block(system, work)
    if status != OK:
        return status
    close_velocities(system, work, v)
    if is_worn(system, work):
        return partition(system, work)
    return OK


@kernel
def start_partitioned(packed: Packed, clock: Array, y: Array) -> int:
    """The first partition belongs to the assembled start."""
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[S_NQ], system.sizes[S_NV]
    call_constraints(packed, clock[T_NOW], y[:nq], y[nq : nq + nv])
    status = partition(system, work)
    return status if status != OK else common.start(packed, clock, y)


@kernel
def rate_coordinates(packed: Packed, t: float, y: Array, dy: Array) -> int:
    """Next to a singular pose, where closing could change the branch, the state is taken as it comes."""
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[S_NQ], system.sizes[S_NV]
    q, v = work.scratch[Q][:nq], work.scratch[V][:nv]
    copy(y[:nq], q)
    copy(y[nq : nq + nv], v)
    call_constraints(packed, t, q, v)
    status = factor_block(system, work)
    if status != OK:
        return status
    if largest(system, work, RV_PHI) <= BASIN * smallest_pivot(system, work) ** 2:
        status = close_positions(packed, t, q, v)
        if status == OK:
            status = factor_block(system, work)
        if status != OK:
            return status
        close_velocities(system, work, v)
    status = _accelerate(packed, t, q, v)
    common.fill_rate(packed, q, v, dy)
    return status


@inlined
def _accelerate(packed: Packed, t: float, q: Array, v: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    prepare(packed, t, q, v)
    note_singular(work, smallest_pivot(system, work))
    status = accelerate(system, work)
    return status if status != OK else conclude(packed)


# state (q, ż)


@inlined
def _unpack(system: System, work: Work, y: Array) -> None:
    """The partition and the independent velocities that stand in y; dependent ones stay the last."""
    nq, nv, rank = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_RANK]
    columns, v, free = work.pivots[COLUMNS], work.scratch[V][:nv], nv - rank
    taken = work.scratch[Q]
    for c in range(nv):
        taken[c] = 0.0
    for k in range(rank):
        columns[k] = int(y[nq + free + k] + 0.5)
        taken[columns[k]] = 1.0
    place = rank
    for c in range(nv):
        if taken[c] == 0.0:
            columns[place] = c
            v[c] = y[nq + place - rank]
            place += 1


@inlined
def _pack(system: System, work: Work, y: Array, v: Array) -> None:
    """ż in increasing order of the columns, then the dependent columns."""
    nq, nv, rank = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_RANK]
    columns, taken = work.pivots[COLUMNS], work.scratch[Q]
    for c in range(nv):
        taken[c] = 0.0
    for k in range(rank):
        taken[columns[k]] = 1.0
    place = nq
    for c in range(nv):
        if taken[c] == 0.0:
            y[place] = v[c]
            place += 1
    for k in range(rank):
        y[place + k] = columns[k]


@kernel
def rate_velocities(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, nv, rank = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_RANK]
    q, v, columns = y[:nq], work.scratch[V][:nv], work.pivots[COLUMNS]
    _unpack(system, work, y)
    call_constraints(packed, t, q, v)
    status = factor_block(system, work)
    if status != OK:
        return status
    close_velocities(system, work, v)
    status = _accelerate(packed, t, q, v)
    coordinate_rates(system.bodies, q, v, dy[:nq])
    for j in range(nv - rank):
        dy[nq + j] = work.vectors[V_A, columns[rank + j]]
    for k in range(nv - rank, nv):
        dy[nq + k] = 0.0
    copy(work.power, dy[nq + nv :])
    return status


@kernel
def settle_velocities(packed: Packed, t: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq = system.sizes[S_NQ]
    q = y[:nq]
    normalise(system.bodies, q)
    if system.sizes[S_RANK] == 0:
        return OK
    v = work.scratch[V][: system.sizes[S_NV]]
    _unpack(system, work, y)
    call_constraints(packed, t, q, v)
    status = factor_block(system, work)
    if status == OK and largest(system, work, RV_PHI) > work.options[THRESHOLD]:
        status = close_positions(packed, t, q, v)
        if status == OK:
            status = factor_block(system, work)
    if status != OK:
        return status
    if is_worn(system, work):
        close_velocities(system, work, v)
        status = partition(system, work)
        _pack(system, work, y, v)
        work.counters[C_REBASED] = 1
    return status


@kernel
def start_velocities(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[S_NQ], system.sizes[S_NV]
    v = work.scratch[V][:nv]
    copy(y[nq : nq + nv], v)
    call_constraints(packed, clock[T_NOW], y[:nq], v)
    status = partition(system, work)
    if status != OK:
        return status
    _pack(system, work, y, v)
    work.counters[C_REBASED] = 0
    return common.start(packed, clock, y)


@kernel
def report_velocities(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[S_NQ], system.sizes[S_NV]
    write_sample(system, work, clock, y[:nq], work.scratch[V][:nv], y[nq + nv :], sample)


def room(system: System) -> Room:
    return Room(matrices=MATRICES, vectors=V + 1, order=common.order(system))


STUMBLES = "no choice of independent velocities serves there: only equal explicit steps pass"
PARTITIONING = FormulationKind(
    name="partitioning",
    title="Coordinate partitioning",
    summary="Multipliers for accelerations; after a step dependent coordinates follow from independent ones.",
    layout="qv",
    size=common.size,
    rate=lagrange.rate,
    start=start_partitioned,
    report=common.report,
    settle=settle,
    room=room,
    ranks=True,
    refuses=common.too_large,
)
COORDINATES = FormulationKind(
    name="independent_coordinates",
    title="Velocity projection, independent coordinates",
    summary="As many equations as freedoms; all constraints hold at every evaluation.",
    layout="qv",
    size=common.size,
    rate=rate_coordinates,
    start=start_partitioned,
    report=common.report,
    settle=settle,
    room=room,
    ranks=True,
    refuses=common.too_large,
    stumbles=STUMBLES,
    passes_with=frozenset({"explicit", "fixed step"}),
)
VELOCITIES = FormulationKind(
    name="independent_velocities",
    title="Velocity projection, independent velocities",
    summary="All coordinates but only independent velocities; positions are closed when they have drifted.",
    layout="qz",
    size=common.size,
    rate=rate_velocities,
    start=start_velocities,
    report=report_velocities,
    settle=settle_velocities,
    room=room,
    ranks=True,
    refuses=common.too_large,
    stumbles=STUMBLES,
    passes_with=frozenset({"explicit", "fixed step"}),
    options=(Option("threshold", THRESHOLD, 1e-9, "Violation, over the size of the row, that is closed"),),
)
