"""Newmark in the null space of the constraints (seed 000 §2.4), in velocity coordinates and incremental form.

With N orthonormal, null(J) at the end of the step, and d = q_{n+1} ⊖ q_n:

    Nᵀ(d − h v_n − h²[(½ − β) a_n + β a]) = 0,   Nᵀ(v − v_n − h[(1 − γ) a_n + γ a]) = 0,
    Φ = 0,   J v = f',   J a = γ(q, v),   Nᵀ(M a − Q) = 0.

The unknowns of a Newton step are s = Nᵀδa; P is the least-norm solver of J, R, A, B the row tangents:

    δq = −P Φ + N(ρ_q + h²β s),   δv = −P(Φ' + R δq) + N(ρ_v + hγ s),   δa = −P(J a − γ + A δq + B δv) + N s.

State vector y = (q, v, a, power, w). Position rows only.
"""

import math

from engine.calls import call_constraints, call_forces, call_tangents
from engine.kernel import inlined, kernel
from engine.linsolve.base import apply_mass
from engine.linsolve.lu import lu_factor, lu_solve
from engine.linsolve.nullspace import decompose, least_norm, multipliers, to_null, to_world
from engine.linsolve.rows import dense_rows, row_times
from engine.maths.arrays import copy
from engine.methods.base import DirectKind
from engine.packing import open_system, open_work
from engine.problems import (
    C_EVALUATIONS,
    C_ITERATIONS,
    O_DIRECT,
    RV_GAMMA,
    RV_LAMBDA,
    RV_PHI,
    RV_RATE,
    RV_RESIDUAL,
    S_NQ,
    S_NV,
    S_QUADRATURES,
    T_NOW,
    T_USED,
    TAN_ACC_Q,
    TAN_ACC_V,
    TAN_RATE_Q,
    V_A,
    Array,
    Option,
    Packed,
    StepStatus,
    System,
    Work,
)
from engine.system.equations import count_turns, motion_powers
from engine.system.kinematics import difference, normalise, retract
from engine.system.sampling import write_sample
from tests.contract.prototypes.common import H_RANK, acceleration, find_rank, room, unbalance

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
BETA, GAMMA = O_DIRECT, O_DIRECT + 1
TOLERANCE, MOST = 1e-11, 15
# vectors of Work.scratch
D, SCALE, DQ, DV, DA, LOAD, STEP_Q, STEP_V, STEP_A, RESULT, OLD, OLD_A, OLD_Q = range(13)


@inlined
def _close(
    system: System, work: Work, n: int, rank: int, known: int, dq: Array, dv: Array, da: Array
) -> None:
    """Add what the constraints ask of δv and δa, given δq and the null-space parts."""
    matrix, scale, order, tangent = work.dense[0], work.scratch[SCALE], work.pivots[0], work.tangent
    shift = work.scratch[LOAD]
    for r in range(system.rows.shape[0]):
        rate = known * work.row[r, RV_RATE] + row_times(system, tangent[TAN_RATE_Q], r, dq)
        work.row[r, RV_RESIDUAL] = -rate
    least_norm(matrix, n, rank, scale, order, work.row, RV_RESIDUAL, shift)
    for c in range(n):
        dv[c] += shift[c]
    for r in range(system.rows.shape[0]):
        gap = row_times(system, tangent[TAN_ACC_Q], r, dq) + row_times(system, tangent[TAN_ACC_V], r, dv)
        if known:
            gap += row_times(system, work.grad, r, work.vectors[V_A]) - work.row[r, RV_GAMMA]
        work.row[r, RV_RESIDUAL] = -gap
    least_norm(matrix, n, rank, scale, order, work.row, RV_RESIDUAL, shift)
    for c in range(n):
        da[c] += shift[c]


@inlined
def _change(system: System, work: Work, n: int, dq: Array, dv: Array, da: Array, out: Array) -> None:
    """out = M δa − K δq − D δv, the change of the unbalanced force."""
    apply_mass(system, da, out)
    for i in range(n):
        for j in range(n):
            out[i] -= work.stiffness[i, j] * dq[j] + work.damping[i, j] * dv[j]


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    m, rank, t = system.rows.shape[0], int(work.history[H_RANK]), clock[T_NOW] + h
    beta, gamma = work.options[BETA], work.options[GAMMA]
    q, v, a = y[:nq], y[nq : nq + n], y[nq + n : nq + 2 * n]
    free, s = n - rank, work.scratch
    old_q, old_v, old_a, d = s[OLD_Q][:nq], s[OLD][:n], s[OLD_A][:n], s[D][:n]
    dq, dv, da, load = s[DQ][:n], s[DV][:n], s[DA][:n], s[LOAD][:n]
    step_q, step_v, step_a, result = s[STEP_Q][:n], s[STEP_V][:n], s[STEP_A][:n], s[RESULT][:n]
    matrix, scale, order, reduced = work.dense[0], s[SCALE], work.pivots[0], work.dense[1]

    # predictor: constant acceleration
    copy(q, old_q)
    copy(v, old_v)
    copy(a, old_a)
    for c in range(n):
        d[c] = h * v[c] + 0.5 * h * h * a[c]
        v[c] += h * a[c]
    retract(system.bodies, old_q, d, q)

    # corrector: Newton on all levels at once
    converged = False
    for _ in range(MOST):
        call_constraints(packed, t, q, v)
        call_forces(packed, t)
        dense_rows(system, work.grad, n, matrix)
        decompose(matrix, m, n, rank, scale, order)
        unbalance(system, work, a, False, load)
        multipliers(matrix, m, n, rank, scale, order, load, work.row, RV_LAMBDA)
        if converged:
            break
        copy(a, work.vectors[V_A])
        call_tangents(packed, t, a)
        work.counters[C_EVALUATIONS] += 1
        work.counters[C_ITERATIONS] += 1

        # what is asked for without s: null-space parts first
        difference(system.bodies, old_q, q, d)
        for c in range(n):
            step_q[c] = -d[c] + h * old_v[c] + h * h * ((0.5 - beta) * old_a[c] + beta * a[c])
            step_v[c] = -v[c] + old_v[c] + h * ((1.0 - gamma) * old_a[c] + gamma * a[c])
        to_null(matrix, n, rank, scale, step_q)
        to_null(matrix, n, rank, scale, step_v)
        step_q[:rank] = 0.0
        step_v[:rank] = 0.0
        step_a[:] = 0.0
        to_world(matrix, n, rank, scale, step_q)
        to_world(matrix, n, rank, scale, step_v)
        for r in range(m):
            work.row[r, RV_RESIDUAL] = -work.row[r, RV_PHI]
        least_norm(matrix, n, rank, scale, order, work.row, RV_RESIDUAL, load)
        for c in range(n):
            step_q[c] += load[c]
        _close(system, work, n, rank, 1, step_q, step_v, step_a)
        _change(system, work, n, step_q, step_v, step_a, result)
        unbalance(system, work, a, True, load)
        for c in range(n):
            result[c] = -result[c] - load[c]
        to_null(matrix, n, rank, scale, result)

        # one column per freedom
        for j in range(free):
            da[:] = 0.0
            da[rank + j] = 1.0
            to_world(matrix, n, rank, scale, da)
            for c in range(n):
                dq[c], dv[c] = h * h * beta * da[c], h * gamma * da[c]
            _close(system, work, n, rank, 0, dq, dv, da)
            _change(system, work, n, dq, dv, da, load)
            to_null(matrix, n, rank, scale, load)
            for i in range(free):
                reduced[i, j] = load[rank + i]
        status = lu_factor(reduced, work.pivots[1], free)
        if status != OK:
            return int(status)
        lu_solve(reduced, work.pivots[1], free, result[rank:])

        # put together
        da[:] = 0.0
        for j in range(free):
            da[rank + j] = result[rank + j]
        to_world(matrix, n, rank, scale, da)
        for c in range(n):
            dq[c], dv[c] = h * h * beta * da[c], h * gamma * da[c]
        _close(system, work, n, rank, 0, dq, dv, da)
        size = 0.0
        for c in range(n):
            dq[c] += step_q[c]
            v[c] += dv[c] + step_v[c]
            a[c] += da[c] + step_a[c]
            size = max(size, abs(dq[c]), h * abs(dv[c] + step_v[c]), h * h * abs(da[c] + step_a[c]))
        retract(system.bodies, q, dq, q)
        normalise(system.bodies, q)
        if not math.isfinite(size):
            return NOT_CONVERGED
        converged = size < TOLERANCE
    if not converged:
        return NOT_CONVERGED

    copy(a, work.vectors[V_A])
    motion_powers(system, work)
    power, works = y[nq + 2 * n : nq + 2 * n + nw], y[nq + 2 * n + nw :]
    for k in range(nw):
        works[k] += 0.5 * h * (power[k] + work.power[k])
        power[k] = work.power[k]
    clock[T_USED] = h
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    status = acceleration(packed, clock[T_NOW], y[:nq], y[nq : nq + n])
    copy(work.vectors[V_A], y[nq + n : nq + 2 * n])
    copy(work.power, y[nq + 2 * n : nq + 2 * n + nw])
    count_turns(system, work)
    find_rank(packed, n)
    return status


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    write_sample(system, work, clock, y[:nq], y[nq : nq + n], y[y.shape[0] - nw :], sample)


def size(system: System) -> int:
    return int(system.sizes[S_NQ] + 2 * system.sizes[S_NV] + 2 * system.sizes[S_QUADRATURES])


KIND = DirectKind(
    name="prototype_nullspace_newmark",
    title="Newmark in the null space",
    summary="Trapezoidal by default; constraints hold at three levels.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    options=(Option("beta", BETA, 0.25, "β"), Option("gamma", GAMMA, 0.5, "γ")),
)
