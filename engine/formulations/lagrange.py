"""Lagrange multipliers: accelerations and reactions together, at every evaluation.

    M a = Q + Jᵀλ,   J a = γ            (index 1; seed 002 eq. 141 with the sign of λ changed)

State vector y = (q, v, w): coordinates, velocities, and the work integrals w' = power.
"""

import numpy as np

from engine.calls import (
    call_constraints,
    call_factor,
    call_feedback,
    call_forces,
    call_rate,
    call_solve,
)
from engine.formulations.base import FormulationKind
from engine.kernel import inlined, kernel
from engine.linsolve.base import near_singular
from engine.maths.arrays import copy
from engine.packing import open_system, open_work
from engine.problems import (
    C_EVALUATIONS,
    C_FRESH,
    C_GUILTY,
    C_NEAR_SINGULAR,
    LD_INFO,
    RV_GAMMA,
    RV_LAMBDA,
    RV_SOLVE,
    S_MOTIONS,
    S_NQ,
    S_NV,
    S_QUADRATURES,
    T_NOW,
    V_A,
    V_FREE,
    V_Q,
    Array,
    Packed,
    StepStatus,
    System,
)
from engine.system.equations import count_turns, motion_powers
from engine.system.kinematics import coordinate_rates
from engine.system.sampling import write_sample

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
REFINEMENTS = 3  # near singular poses


@inlined
def acceleration(packed: Packed, t: float, q: Array, v: Array) -> int:
    """Accelerations and multipliers at (t, q, v), left in V_A and RV_LAMBDA."""
    system, work = open_system(packed), open_work(packed)
    if work.counters[C_FRESH] == 0:
        call_constraints(packed, t, q, v)
    work.counters[C_FRESH] = 0
    call_forces(packed, t)
    call_feedback(packed)
    status = call_factor(packed)
    if status != OK:
        return int(status)
    free, m = work.vectors[V_FREE], system.rows.shape[0]
    copy(work.vectors[V_Q], free)
    for r in range(m):
        work.row[r, RV_SOLVE] = work.row[r, RV_GAMMA]
    info = work.diagonal[LD_INFO]
    status = call_solve(packed, REFINEMENTS if near_singular(info) else 0)
    work.counters[C_NEAR_SINGULAR] += near_singular(info)  # a solver may find out only now
    work.counters[C_EVALUATIONS] += 1
    total, a = 0.0, work.vectors[V_A]
    for c in range(a.shape[0]):
        a[c] = free[c]
        total += abs(a[c])
    for r in range(m):
        work.row[r, RV_LAMBDA] = work.row[r, RV_SOLVE]
    if system.sizes[S_MOTIONS] > 0:
        motion_powers(system, work)
    if not np.isfinite(total):
        work.counters[C_GUILTY] = -1
        for c in range(a.shape[0]):
            if not np.isfinite(a[c]):
                work.counters[C_GUILTY] = c
                break
        return NOT_FINITE
    return int(status)


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[S_NQ], system.sizes[S_NV]
    v = y[nq : nq + nv]
    status = acceleration(packed, t, y[:nq], v)
    coordinate_rates(system.bodies, y[:nq], v, dy[:nq])
    copy(work.vectors[V_A], dy[nq : nq + nv])
    copy(work.power, dy[nq + nv :])
    return status


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """First rate, which every one-step scheme expects in its first stage."""
    system, work = open_system(packed), open_work(packed)
    status = call_rate(packed, clock[T_NOW], y, work.stages[0])
    count_turns(system, work)
    return int(status)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[S_NQ], system.sizes[S_NV]
    write_sample(system, work, clock, y[:nq], y[nq : nq + nv], y[nq + nv :], sample)


def size(system: System) -> int:
    return int(system.sizes[S_NQ] + system.sizes[S_NV] + system.sizes[S_QUADRATURES])


KIND = FormulationKind(
    name="lagrange",
    title="Lagrange multipliers",
    summary="Accelerations and reactions from one saddle-point system; the reference formulation.",
    layout="qv",
    size=size,
    rate=rate,
    start=start,
    report=report,
)
