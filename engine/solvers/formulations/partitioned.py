"""Formulations in independent coordinates: which velocities are independent is chosen, watched, chosen anew.

Independent are joint coordinates where there are any, body velocities otherwise (`linsolve/partition.py`).

    partitioning              accelerations by multipliers; after a step the dependent part of q and v follows
                              from the independent one [Wehage 1982]
    independent_coordinates   velocity projection, state (z, ż): at every evaluation the dependent part of q
                              is closed by Newton, that of v by one solution [Antón 2015, §3.5.5]
    independent_velocities    velocity projection, state (q, ż): v follows from ż at every evaluation, q is
                              closed when a violation passes a threshold [Antón 2015, §3.5.3]

Rotations have no coordinates that belong to ω. So the first two keep the whole of q and v in y: the dependent
part is the guess from which it is closed, and the independent one is what is integrated.

The third has y = (q, ż, the candidates that ż belongs to, w), the middle two in as many places as there are
velocities: a step that fails gets back the choice that its ż belongs to.
"""

from typing import NamedTuple

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, Room, System, Work
from engine.compiled.states import (
    Coordinates,
    Velocities,
    Works,
    motion_size,
    open_motion,
    state_size,
    state_view,
)
from engine.maths.arrays import copy
from engine.solvers.formulations import common, lagrange
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import OK, conclude, prepare
from engine.solvers.linsolve.base import note_singular
from engine.solvers.linsolve.independents import INDEPENDENTS, OPTION, bias, evaluate_chosen
from engine.solvers.linsolve.partition import (
    FIRST_FREE,
    accelerate,
    close_positions,
    close_velocities,
    factor,
    is_safe,
    partition,
    renew,
    smallest_pivot,
    too_many,
    velocities,
)
from engine.solvers.linsolve.partition import room as partition_room
from engine.solvers.linsolve.rows import largest_violation
from engine.solvers.linsolve.sparse_partition import candidate_times
from engine.system.equations.kinematics import coordinate_rates, normalise
from engine.system.equations.sampling import write_sample

THRESHOLD = SLOT.FORMULATION
# Work.scratch
Q, V = FIRST_FREE, FIRST_FREE + 1


@kernel
def project(packed: Packed, t: float, y: Array) -> int:
    """The dependent part of (q, v) follows from the independent one; an ill-conditioned choice is
    replaced."""
    system, work = open_system(packed), open_work(packed)
    state = open_motion(system, y)
    q, v = state.q, state.v
    normalise(system.bodies, q)
    if system.sizes[SIZE.RANK] == 0:
        return OK
    call_constraints(packed, t, q, v)
    status = factor(packed)
    if status != OK:
        return status
    status = close_positions(packed, t, q, v)
    if status != OK:
        return status
    status = factor(packed)
    if status != OK:
        return status
    close_velocities(system, work, v)
    renew(packed)
    return OK


@kernel
def start_partitioned(packed: Packed, clock: Array, y: Array) -> int:
    """The first choice belongs to the assembled start."""
    state = open_motion(open_system(packed), y)
    call_constraints(packed, clock[CLOCK.NOW], state.q, state.v)
    status = partition(packed)
    return status if status != OK else common.start(packed, clock, y)


@kernel
def rate_coordinates(packed: Packed, t: float, y: Array, dy: Array) -> int:
    """Next to a singular configuration, where closing could change the branch, the state is taken as it
    comes."""
    system, work = open_system(packed), open_work(packed)
    nq, nv, state = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], open_motion(system, y)
    q, v = work.scratch[Q][:nq], work.scratch[V][:nv]
    copy(state.q, q)
    copy(state.v, v)
    call_constraints(packed, t, q, v)
    status = factor(packed)
    if status != OK:
        return status
    if is_safe(system, work):
        status = close_positions(packed, t, q, v)
        if status == OK:
            status = factor(packed)
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
    status = accelerate(packed)
    return status if status != OK else conclude(packed)


# state (q, ż, choice)


class IndependentState(NamedTuple):
    """Coordinates, as many independent velocities ż as there are degrees of freedom, and which these are."""

    q: Coordinates
    z_rate: Velocities
    choice: Velocities
    works: Works


open_state = state_view(IndependentState)


@inlined
def _unpack(system: System, work: Work, y: Array) -> None:
    """The choice that stands in y."""
    choice = open_state(system, y).choice
    for j in range(system.sizes[SIZE.NV] - system.sizes[SIZE.RANK]):
        work.pivots[INDEPENDENTS, j] = int(choice[j] + 0.5)


@inlined
def _pack(system: System, work: Work, y: Array, v: Array) -> None:
    """ż, then the choice that it belongs to."""
    state = open_state(system, y)
    state.z_rate[:] = 0.0
    state.choice[:] = 0.0
    for j in range(v.shape[0] - system.sizes[SIZE.RANK]):
        state.z_rate[j] = candidate_times(system, work, work.pivots[INDEPENDENTS, j], v)
        state.choice[j] = work.pivots[INDEPENDENTS, j]


@kernel
def rate_velocities(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nv, rank = system.sizes[SIZE.NV], system.sizes[SIZE.RANK]
    state, change = open_state(system, y), open_state(system, dy)
    q, v = state.q, work.scratch[V][:nv]
    _unpack(system, work, y)
    call_constraints(packed, t, q, v)
    status = factor(packed)
    if status != OK:
        return status
    velocities(system, work, state.z_rate, v)
    status = _accelerate(packed, t, q, v)
    coordinate_rates(system.bodies, q, v, change.q)
    change.z_rate[:] = 0.0
    change.choice[:] = 0.0
    evaluate_chosen(packed, system, work)  # the bias belongs to v
    for j in range(nv - rank):
        of_a = candidate_times(system, work, work.pivots[INDEPENDENTS, j], work.vectors[VECTOR.A])
        change.z_rate[j] = of_a + bias(system, work, j)
    copy(work.power, change.works)
    return status


@kernel
def project_velocities(packed: Packed, t: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    q = state.q
    normalise(system.bodies, q)
    if system.sizes[SIZE.RANK] == 0:
        return OK
    v = work.scratch[V][: system.sizes[SIZE.NV]]
    _unpack(system, work, y)
    call_constraints(packed, t, q, v)
    status = factor(packed)
    if status == OK and largest_violation(system, work, ROW_VALUE.PHI) > work.options[THRESHOLD]:
        status = close_positions(packed, t, q, v)
        if status == OK:
            status = factor(packed)
    if status != OK:
        return status
    velocities(system, work, state.z_rate, v)
    if renew(packed):
        _pack(system, work, y, v)
        work.counters[COUNT.REBASED] = 1
    return status


@kernel
def start_velocities(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state, v = open_motion(system, y), work.scratch[V][: system.sizes[SIZE.NV]]
    copy(state.v, v)
    call_constraints(packed, clock[CLOCK.NOW], state.q, v)
    status = partition(packed)
    if status != OK:
        return status
    _pack(system, work, y, v)
    work.counters[COUNT.REBASED] = 0
    return common.start(packed, clock, y)


@kernel
def report_velocities(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    state, v = open_state(system, y), work.scratch[V][: system.sizes[SIZE.NV]]
    write_sample(system, work, clock, state.q, v, state.works, sample)


def room(system: System) -> Room:
    return partition_room(system, V + 1 - FIRST_FREE)


SINGULAR_FAILURE = "no choice of independent velocities serves there: only equal explicit steps pass"
PARTITIONING = FormulationKind(
    name="partitioning",
    title="Coordinate partitioning",
    summary="Multipliers for accelerations; after a step dependent coordinates follow from independent ones.",
    layout="qv",
    size=motion_size,
    rate=lagrange.rate,
    start=start_partitioned,
    report=common.report,
    project=project,
    room=room,
    ranks=True,
    refuses=too_many,
    options=(OPTION,),
)
COORDINATES = FormulationKind(
    name="independent_coordinates",
    title="Velocity projection, independent coordinates",
    summary="As many equations as degrees of freedom; all constraints hold at every evaluation.",
    layout="qv",
    size=motion_size,
    rate=rate_coordinates,
    start=start_partitioned,
    report=common.report,
    project=project,
    room=room,
    ranks=True,
    refuses=too_many,
    singular_failure=SINGULAR_FAILURE,
    passes_with=frozenset({"explicit", "fixed step"}),
    options=(OPTION,),
)
VELOCITIES = FormulationKind(
    name="independent_velocities",
    title="Velocity projection, independent velocities",
    summary="All coordinates but only independent velocities; positions are closed when they have drifted.",
    layout="qz",
    size=state_size(IndependentState),
    rate=rate_velocities,
    start=start_velocities,
    report=report_velocities,
    project=project_velocities,
    room=room,
    ranks=True,
    refuses=too_many,
    singular_failure=SINGULAR_FAILURE,
    passes_with=frozenset({"explicit", "fixed step"}),
    options=(
        Option("threshold", THRESHOLD, 1e-11, "Violation, over the size of the row, that is closed"),
        OPTION,
    ),
)
