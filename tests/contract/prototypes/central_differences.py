"""Central differences with positions as unknowns (seed 003 §2.5–2.6), by steps on the configuration space.

With d± = q(t ± h) ⊖ q(t), force rows at t and coordinate rows at t + h:

    v = (d⁺ − d⁻)/2h,   a = (d⁺ + d⁻)/h²,   Nᵀ(M a − Q(t, q, v)) = 0,  N = null J(q),   Φ(t + h, q⁺) = 0;
    first step: v given, a = 2(d⁺ − h v)/h².

A step looks one step ahead: it takes the q⁺ found before as the new state and solves the equations of motion
there, so v, a, λ belong to the reported instant. State vector y = (q, v, q⁺, power, w). Position rows only.
"""

import math

from engine.calls import call_constraints, call_forces, call_tangents
from engine.kernel import kernel
from engine.linsolve.base import apply_mass
from engine.linsolve.lu import lu_factor, lu_solve
from engine.linsolve.nullspace import decompose, least_norm, multipliers, to_null, to_world
from engine.linsolve.rows import dense_rows
from engine.maths.arrays import copy
from engine.methods.base import DirectKind
from engine.packing import open_system, open_work
from engine.problems import (
    C_EVALUATIONS,
    C_ITERATIONS,
    RV_LAMBDA,
    RV_PHI,
    RV_RESIDUAL,
    S_NQ,
    S_NV,
    S_QUADRATURES,
    T_NOW,
    T_USED,
    V_A,
    Array,
    Packed,
    StepStatus,
    System,
)
from engine.system.equations import count_turns, motion_powers
from engine.system.kinematics import difference, normalise, retract
from engine.system.sampling import write_sample
from tests.contract.prototypes.common import H_RANK, H_STEP, acceleration, find_rank, room, unbalance

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
TOLERANCE, MOST = 1e-11, 15
SAME_STEP = 1e-6  # relative; H_STEP is the step that looked ahead, and another size begins without a past
# vectors of Work.scratch
BACK, AHEAD, SCALE, SCALE_AHEAD, LOAD, MOVE, COLUMN, A = range(8)


@kernel
def look_ahead(packed: Packed, t: float, h: float, first: bool, q: Array, v: Array, ahead: Array) -> int:
    """Solve for q(t + h); leaves v and V_A at t. On entry d⁻ stands in its vector and `ahead` is a guess."""
    system, work = open_system(packed), open_work(packed)
    n, m, rank, s = v.shape[0], system.rows.shape[0], int(work.history[H_RANK]), work.scratch
    free, a = n - rank, s[A][:n]
    back, forth, load, move, column = s[BACK][:n], s[AHEAD][:n], s[LOAD][:n], s[MOVE][:n], s[COLUMN][:n]
    here, there, reduced = work.dense[0], work.dense[1], work.dense[2]
    work.row[:, RV_LAMBDA] = 0.0
    size = math.inf
    for k in range(MOST):
        # force rows at t
        difference(system.bodies, q, ahead, forth)
        for c in range(n):
            if first:
                a[c] = 2.0 * (forth[c] - h * v[c]) / (h * h)
            else:
                v[c], a[c] = (forth[c] - back[c]) / (2.0 * h), (forth[c] + back[c]) / (h * h)
        if size < TOLERANCE:
            return OK
        call_constraints(packed, t, q, v)
        call_forces(packed, t)
        call_tangents(packed, t, a)
        if k == 0:
            dense_rows(system, work.grad, n, here)
            decompose(here, m, n, rank, s[SCALE], work.pivots[0])
        unbalance(system, work, a, False, load)

        # coordinate rows at t + h
        call_constraints(packed, t + h, ahead, v)
        dense_rows(system, work.grad, n, there)
        decompose(there, m, n, rank, s[SCALE_AHEAD], work.pivots[1])
        for r in range(m):
            work.row[r, RV_RESIDUAL] = -work.row[r, RV_PHI]
        least_norm(there, n, rank, s[SCALE_AHEAD], work.pivots[1], work.row, RV_RESIDUAL, move)

        # reduced equations: column `free` is the particular solution
        for j in range(free + 1):
            if j < free:
                column[:] = 0.0
                column[rank + j] = 1.0
                to_world(there, n, rank, s[SCALE_AHEAD], column)
            else:
                copy(move, column)
            force = s[A + 1][:n]
            apply_mass(system, column, force)
            for i in range(n):
                force[i] *= (2.0 if first else 1.0) / (h * h)
                if not first:
                    for c in range(n):
                        force[i] -= work.damping[i, c] * column[c] / (2.0 * h)
                if j == free:
                    force[i] = -force[i] - load[i]
            to_null(here, n, rank, s[SCALE], force)
            for i in range(free):
                if j < free:
                    reduced[i, j] = force[rank + i]
        status = lu_factor(reduced, work.pivots[2], free)
        if status != OK:
            return int(status)
        force = s[A + 1][:n]
        lu_solve(reduced, work.pivots[2], free, force[rank:])
        for i in range(rank):
            force[i] = 0.0
        to_world(there, n, rank, s[SCALE_AHEAD], force)
        size = 0.0
        for c in range(n):
            move[c] += force[c]
            size = max(size, abs(move[c]))
        if not math.isfinite(size):
            return NOT_CONVERGED
        retract(system.bodies, ahead, move, ahead)
        normalise(system.bodies, ahead)
        work.counters[C_ITERATIONS] += 1
        work.counters[C_EVALUATIONS] += 1
    return NOT_CONVERGED


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    q, v, ahead, t = y[:nq], y[nq : nq + n], y[nq + n : 2 * nq + n], clock[T_NOW]
    m, rank, s, a = system.rows.shape[0], int(work.history[H_RANK]), work.scratch, work.scratch[A][:n]
    back, used = s[BACK][:n], work.history[H_STEP]
    if abs(h - used) > SAME_STEP * h:
        used = h
        for c in range(n):
            s[MOVE, c] = h * v[c]
        retract(system.bodies, q, s[MOVE][:n], ahead)
        status = look_ahead(packed, t, h, True, q, v, ahead)
        if status != OK:
            return int(status)

    # shift, and look ahead from the new state
    difference(system.bodies, ahead, q, back)
    copy(ahead, q)
    for c in range(n):
        s[MOVE, c] = -back[c]
    retract(system.bodies, q, s[MOVE][:n], ahead)
    status = look_ahead(packed, t + h, used, False, q, v, ahead)
    if status != OK:
        return int(status)

    # the accepted state, complete
    call_constraints(packed, t + h, q, v)
    call_forces(packed, t + h)
    copy(a, work.vectors[V_A])
    unbalance(system, work, a, False, s[LOAD][:n])
    multipliers(work.dense[0], m, n, rank, s[SCALE], work.pivots[0], s[LOAD][:n], work.row, RV_LAMBDA)
    motion_powers(system, work)
    power, works = y[2 * nq + n : 2 * nq + n + nw], y[2 * nq + n + nw :]
    for k in range(nw):
        works[k] += 0.5 * h * (power[k] + work.power[k])
        power[k] = work.power[k]
    work.history[H_STEP] = used
    clock[T_USED] = h
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """No past: the first step finds its own."""
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    work.history[H_STEP] = 0.0
    status = acceleration(packed, clock[T_NOW], y[:nq], y[nq : nq + n])
    copy(work.power, y[2 * nq + n : 2 * nq + n + nw])
    count_turns(system, work)
    find_rank(packed, n)
    return status


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    write_sample(system, work, clock, y[:nq], y[nq : nq + n], y[y.shape[0] - nw :], sample)


def size(system: System) -> int:
    return int(2 * system.sizes[S_NQ] + system.sizes[S_NV] + 2 * system.sizes[S_QUADRATURES])


KIND = DirectKind(
    name="prototype_central_differences",
    title="Central differences",
    summary="Positions at the end of the step as unknowns; coordinate rows at t + h, force rows at t.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
)
