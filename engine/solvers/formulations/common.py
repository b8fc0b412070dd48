"""What formulations with accelerations share: before and after a, λ are found, and the layout y = (q, v, w).

A formulation of this layout is one function `rate` that leaves a in VECTOR.A and λ in ROW_VALUE.LAMBDA,
between `prepare` and `conclude`; `start`, `report` and `size` are those below.
"""

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_feedback, call_forces, call_rate
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, StepStatus, System
from engine.compiled.states import open_motion
from engine.maths.arrays import copy
from engine.solvers.linsolve.base import near_singular
from engine.system.equations.equations import count_turns, motion_powers
from engine.system.equations.kinematics import coordinate_rates
from engine.system.equations.sampling import write_sample

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
DENSE_LIMIT = 2000  # velocities or rows; their square in numbers is what dense matrices take


@inlined
def prepare(packed: Packed, t: float, q: Array, v: Array) -> None:
    """Rows, forces and feedback at (t, q, v)."""
    work = open_work(packed)
    fresh = work.counters[COUNT.FRESH]
    if fresh == 0:
        call_constraints(packed, t, q, v)
    work.counters[COUNT.FRESH] = 0
    call_forces(packed, t)
    if fresh != 2:
        call_feedback(packed)


@inlined
def conclude(packed: Packed) -> int:
    """Powers of the motions, once a and λ are known; status NOT_FINITE, and who is to blame, if a is not."""
    system, work = open_system(packed), open_work(packed)
    work.counters[COUNT.EVALUATIONS] += 1
    if system.sizes[SIZE.MOTIONS] > 0:
        motion_powers(system, work)
    total, a = 0.0, work.vectors[VECTOR.A]
    for c in range(a.shape[0]):
        total += abs(a[c])
    if np.isfinite(total):
        return OK
    work.counters[COUNT.OFFENDER] = -1
    for c in range(a.shape[0]):
        if not np.isfinite(a[c]):
            work.counters[COUNT.OFFENDER] = c
            break
    return NOT_FINITE


@inlined
def fill_rate(packed: Packed, q: Array, v: Array, dy: Array) -> None:
    """dy = (T(q) v, a, powers)."""
    system, work = open_system(packed), open_work(packed)
    rate = open_motion(system, dy)
    coordinate_rates(system.bodies, q, v, rate.q)
    copy(work.vectors[VECTOR.A], rate.v)
    copy(work.power, rate.works)


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """First rate, which every one-step scheme expects in its first stage; and what the linear solver learns.

    A formulation with a linear algebra of its own leaves the solver to the projections: it must see the
    assembled start, where redundant rows are told from those that do not.
    """
    system, work = open_system(packed), open_work(packed)
    status = call_rate(packed, clock[CLOCK.NOW], y, work.stages[0])
    if status == OK and work.counters[COUNT.FACTORED] == 0:
        status = call_factor(packed)
        near_singular(work.diagonal[DIAGONAL.INFO])
    count_turns(system, work)
    return int(status)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    state = open_motion(system, y)
    write_sample(system, work, clock, state.q, state.v, state.works, sample)


def order(system: System) -> int:
    """Order of dense matrices that hold J, M or a vector of coordinates."""
    return max(int(system.sizes[SIZE.NQ]), len(system.rows), 1)


def too_large(system: System) -> str:
    """Reason to refuse a mechanism for which dense matrices are out of question."""
    if order(system) > DENSE_LIMIT:
        return f"its dense matrices serve up to {DENSE_LIMIT} velocities or rows, not {order(system)}"
    return ""
