"""Radau IIA with three stages on the equations of index 3; velocities and reactions follow from positions.

Collocation in the chart d = q ⊖ q_n at the instants t + c_i h, with Γ = A⁻¹ [Hairer 1989],
[Hairer 1996, §IV.5 and ch. VII]:

    d'_i = Γ_ij d_j/h,   v_i = T(d_i) d'_i,   v'_i = Γ_ij (v_j − v_n)/h,
    M v'_i = Q(t_i, q_i, v_i) + J_iᵀλ_i,   Φ(t_i, q_n ⊕ d_i) = 0      (velocity rows: A v_i = f).

The last stage is the end of the step. On index 3 positions have order 5, but velocities 3 and multipliers 2:
their errors lie across the constraints only, M δv = Jᵀμ, and the same projection takes them out. So after the
step velocities are closed orthogonally to the mass, and a and λ come from M a = Q + Jᵀλ, J a = γ at the new
state: all of order 5. Near a singular configuration velocities are left as they are.

Newton's method on all stages together, each with its own J, K and D; multiplied by h², in the augmented form
of `increments.py`:

    [Γ²_ij M − h Γ_ij D_i − h² K_i δ_ij] δ_j − J_iᵀ l_i = −h² r_i,   J_i δ_i = −Φ_i.

Near a singular configuration λ of the acceleration level is ill-determined; stages then begin with that of
the last regular state. State vector y = (q, v, a, λ of that state, w).
"""

import math
from typing import NamedTuple

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_forces, call_solve, call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Room, StepStatus, System, Work
from engine.compiled.states import Coordinates, PerRow, Velocities, Works, state_size, state_view
from engine.maths.amplification import of_first_order
from engine.maths.arrays import copy
from engine.solvers.direct.alpha import report
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.increments import (
    MAX_ITERATIONS,
    SINGULAR_TOLERANCE,
    from_chart,
    give_up,
    position_gap,
    to_chart,
)
from engine.solvers.direct.newton import consistent_acceleration, residual
from engine.solvers.linsolve import stages, velocities
from engine.solvers.linsolve.base import near_singular
from engine.solvers.linsolve.long_chains import HARD
from engine.solvers.linsolve.rows import add_row, row_times
from engine.solvers.linsolve.saddle import SINGULAR, STIFFNESS, UNKNOWN, largest, set_row_weights
from engine.solvers.linsolve.trust_region import is_violent
from engine.system.equations.equations import count_turns, motion_powers
from engine.system.equations.kinematics import normalise, retract

OK = int(StepStatus.OK)
R6 = math.sqrt(6.0)
A = np.array(
    [
        [(88 - 7 * R6) / 360, (296 - 169 * R6) / 1800, (-2 + 3 * R6) / 225],
        [(296 + 169 * R6) / 1800, (88 + 7 * R6) / 360, (-2 - 3 * R6) / 225],
        [(16 - R6) / 36, (16 + R6) / 36, 1 / 9],
    ]
)
C = np.array([(4 - R6) / 10, (4 + R6) / 10, 1.0])
GAMMA = np.linalg.inv(A)
SQUARE = GAMMA @ GAMMA
STAGES = 3
# vectors of Work.scratch; three of them are as long as all stages together
DS, VS, RS, LS, GS, WS, TOTAL = 0, 3, 6, 9, 12, 15, 18
RATE, ACC, OLD_Q, OLD_V, WORKS, ALL, SUM, ORDERED = 21, 22, 23, 24, 25, 26, 27, 28
BACKUP, OWN = 29, 34
PARTS = 4  # into which a step is divided at most, when its equations could not be solved
# J of each stage as it was when the matrix was factored; the last table is free once the tangents are added
ROWS = (TAN.ACTING, TAN.HELD, TAN.ACC_Q)
RELATIVE, ROUNDING = 1e-12, 1e-16  # error of positions that is left before the last iteration
NEGLIGIBLE = 1e-2  # of that error: the iteration before the last was the last
CONTRACTION_LIMIT = 0.1  # contraction that calls for a fresh matrix
PASSES = 2  # with one factor (`saddle.py`); the next iteration takes up what they leave
# violation, over the size of the row, that is accepted where rounding ends the iteration
VIOLATION_LIMIT = 1e-9
WEAK = 1e-5  # smallest pivot, over its usual size, below which velocities are not closed


@kernel
def _put_stage(system: System, work: Work, i: int, h: float, hard: int, matrix: Array) -> None:
    """Row i of the matrix, with the tangents and the rows of the last evaluation; keeps J and its weights.

    Changes the stiffness.
    """
    rows, block = work.tangent[ROWS[i]], work.stiffness
    for k in range(work.grad.shape[0]):
        for c in range(work.grad.shape[1]):
            rows[k, c] = work.grad[k, c]

    # with itself
    for k in range(block.shape[0]):
        block[k] = -h * h * block[k] - h * GAMMA[i, i] * work.damping[k]
    velocities.add_mass(system, SQUARE[i, i], block)
    velocities.diagonal(system, block, work.ordered)
    set_row_weights(system, work, HARD if hard >> i & 1 else STIFFNESS, work.ordered)
    for r in range(system.rows.shape[0]):
        weight = work.row[r, ROW_VALUE.WEIGHT]
        work.scratch[WS + i, r] = weight
        if system.rows[r, ROW.VELOCITY]:
            velocities.add_row_product(system, block, r, weight * h, rows, work.tangent[TAN.RATE_Q], False)
            weight *= GAMMA[i, i]
        velocities.add_row_product(system, block, r, weight, rows, rows, False)
    stages.put(system, block, i, i, STAGES, matrix)

    # with the others
    for j in range(STAGES):
        if j == i:
            continue
        for k in range(block.shape[0]):
            block[k] = -h * GAMMA[i, j] * work.damping[k]
        velocities.add_mass(system, SQUARE[i, j], block)
        if system.sizes[SIZE.VELOCITY_ROWS] > 0:
            for r in range(system.rows.shape[0]):
                if system.rows[r, ROW.VELOCITY]:
                    weight = work.row[r, ROW_VALUE.WEIGHT] * GAMMA[i, j]
                    velocities.add_row_product(system, block, r, weight, rows, rows, False)
        stages.put(system, block, i, j, STAGES, matrix)


@kernel
def _solve(packed: Packed, h: float, n: int, limit: float, known: float) -> tuple[int, float]:
    """Residuals in RS, GS → changes of d in RS and of λ in GS.

    Returns which stages, as bits, are near a singular configuration: a pass closes little of what the one
    before has left; and the share that it leaves, `known` where the factor has shown it before
    (`saddle.solve_to`). Velocity rows turn as those of the last stage do.
    """
    system, work = open_system(packed), open_work(packed)
    matrix, pivots = (
        work.factors.reshape(work.factors.size),
        work.factor_pivots.reshape(work.factor_pivots.size),
    )
    m, s, all_stages, total = system.rows.shape[0], work.scratch, work.scratch[ALL], work.scratch[SUM]
    ordered, turning = work.scratch[ORDERED], work.tangent[TAN.RATE_Q]
    for i in range(STAGES):
        for c in range(n):
            all_stages[i * n + c] = -h * h * s[RS + i, c]
            total[i * n + c] = 0.0
        for r in range(m):
            s[TOTAL + i, r] = 0.0
            if system.rows[r, ROW.VELOCITY]:
                s[GS + i, r] *= h
    last, before, slow, share = 0.0, 0.0, 0, known if m > 0 else 0.0
    # force with which each stage is closed, in the last pass but one and the last
    pushed = work.scratch[RATE]
    for k in range(PASSES if m > 0 else 1):
        for i in range(STAGES):
            load = all_stages[i * n : (i + 1) * n]
            for r in range(m):
                add_row(system, work.tangent[ROWS[i]], r, -s[WS + i, r] * s[GS + i, r], load)
            pushed[i], pushed[STAGES + i] = pushed[STAGES + i], largest(load)
        stages.solve(system, work, STAGES, matrix, pivots, ordered, all_stages)
        for i in range(STAGES):
            rows, own = work.tangent[ROWS[i]], all_stages[i * n : (i + 1) * n]
            for r in range(m):
                gap = s[GS + i, r]
                if system.rows[r, ROW.VELOCITY]:
                    for j in range(STAGES):
                        gap += GAMMA[i, j] * row_times(system, rows, r, all_stages[j * n : (j + 1) * n])
                    gap += h * row_times(system, turning, r, own)
                else:
                    gap += row_times(system, rows, r, own)
                s[GS + i, r] = gap
                s[TOTAL + i, r] -= s[WS + i, r] * gap / (h * h)
        before, last = last, largest(all_stages[: STAGES * n])
        for c in range(STAGES * n):
            total[c] += all_stages[c]
            all_stages[c] = 0.0
        if k > 0:
            share = last / before if before > 0.0 else 0.0
        elif share < SINGULAR and last * share <= NEGLIGIBLE * limit:
            before = math.inf
            break
    for i in range(STAGES):
        for c in range(n):
            s[RS + i, c] = total[i * n + c]
        for r in range(m):
            s[GS + i, r] = s[TOTAL + i, r]
    if m > 0 and last > max(limit, SINGULAR * before):
        for i in range(STAGES):
            if pushed[STAGES + i] > SINGULAR * pushed[i]:
                slow += 1 << i
    return slow, share


@inlined
def _stage_velocities(system: System, work: Work, h: float, n: int) -> None:
    s, rate = work.scratch, work.scratch[RATE][:n]
    for i in range(STAGES):
        for c in range(n):
            rate[c] = (GAMMA[i, 0] * s[DS, c] + GAMMA[i, 1] * s[DS + 1, c] + GAMMA[i, 2] * s[DS + 2, c]) / h
        from_chart(system.bodies, s[DS + i][:n], rate, s[VS + i][:n])


@kernel
def _evaluate(
    packed: Packed, t: float, h: float, fresh: bool, hard: int, q: Array, old_v: Array, a: Array
) -> int:
    """Residuals of all stages into RS and GS; the last stage stays in the work arrays.

    `fresh`: the matrix of all stages besides, at their present positions, velocities and multipliers.
    """
    system, work = open_system(packed), open_work(packed)
    n, m, s = old_v.shape[0], system.rows.shape[0], work.scratch
    acc, old_q, works = s[ACC][:n], s[OLD_Q][: q.shape[0]], s[WORKS]
    matrix, pivots = (
        work.factors.reshape(work.factors.size),
        work.factor_pivots.reshape(work.factor_pivots.size),
    )
    for k in range(work.power.shape[0]):
        works[k] = 0.0
    if fresh:
        for k in range(matrix.shape[0]):
            matrix[k] = 0.0
    for i in range(STAGES):
        for c in range(n):
            acc[c] = (
                GAMMA[i, 0] * (s[VS, c] - old_v[c])
                + GAMMA[i, 1] * (s[VS + 1, c] - old_v[c])
                + GAMMA[i, 2] * (s[VS + 2, c] - old_v[c])
            ) / h
        retract(system.bodies, old_q, s[DS + i][:n], q)
        call_constraints(packed, t + C[i] * h, q, s[VS + i][:n])
        call_forces(packed, t + C[i] * h)
        for r in range(m):
            work.row[r, ROW_VALUE.LAMBDA] = s[LS + i, r]
            s[GS + i, r] = (
                work.row[r, ROW_VALUE.RATE] if system.rows[r, ROW.VELOCITY] else work.row[r, ROW_VALUE.PHI]
            )
        residual(system, work, acc, True, s[RS + i][:n])
        motion_powers(system, work)
        for k in range(work.power.shape[0]):
            works[k] += h * A[2, i] * work.power[k]
        if fresh:
            call_tangents(packed, t + C[i] * h, a)
            _put_stage(system, work, i, h, hard, matrix)
    work.counters[COUNT.EVALUATIONS] += STAGES
    return stages.factor(system, work, STAGES, matrix, pivots, work.scratch[ALL]) if fresh else OK


@inlined
def _predict(
    system: System, work: Work, h: float, at_old_state: bool, v: Array, a: Array, reactions: Array
) -> None:
    """Stages by constant acceleration and multipliers, or at the pose where the step begins."""
    s = work.scratch
    for i in range(STAGES):
        for c in range(v.shape[0]):
            s[DS + i, c] = 0.0 if at_old_state else C[i] * h * v[c] + 0.5 * (C[i] * h) ** 2 * a[c]
        for r in range(system.rows.shape[0]):
            s[LS + i, r] = 0.0 if at_old_state else reactions[r]


@kernel
def solve_stages(packed: Packed, t: float, h: float, q: Array, v: Array, a: Array, reactions: Array) -> int:
    """From the state at t to positions at t + h and the velocities of the last stage.

    Near a singular configuration the iteration begins again, with hard rows in the stages concerned.
    """
    system, work = open_system(packed), open_work(packed)
    nq, n, m, s = q.shape[0], v.shape[0], system.rows.shape[0], work.scratch
    old_q, old_v = s[OLD_Q][:nq], s[OLD_V][:n]
    copy(q, old_q)
    copy(v, old_v)
    violent = is_violent(system.bodies, h, v, a)
    _predict(system, work, h, violent, v, a, reactions)
    size, before, contraction, converged, polished = math.inf, math.inf, 1.0, False, False
    left = UNKNOWN  # of what a pass has to close
    hard, weighed = 0, False  # stages near a singular configuration, as bits; found just now
    floor = ROUNDING * max(1.0, largest(old_q))
    for k in range(MAX_ITERATIONS):
        _stage_velocities(system, work, h, n)
        fresh = k == 0 or weighed or (contraction > CONTRACTION_LIMIT and not converged)
        weighed = False
        status = _evaluate(packed, t, h, fresh, hard, q, old_v, a)
        if status != OK:
            return status
        if polished:
            break
        polished = converged
        moved = largest(s[DS + 2][:n]) + h * h * largest(a)
        limit = RELATIVE * moved + floor
        slow, left = _solve(packed, h, n, limit, UNKNOWN if fresh else left)
        if slow | hard != hard:
            hard, weighed = slow | hard, True
            size, contraction, converged, polished = math.inf, 1.0, False, False
            _predict(system, work, h, violent, old_v, a, reactions)
            continue
        before, size = size, 0.0
        for i in range(STAGES):
            size = max(size, largest(s[RS + i][:n]))
            to_chart(system.bodies, s[DS + i][:n], s[RS + i][:n], s[RS + i][:n])
            for c in range(n):
                s[DS + i, c] += s[RS + i, c]
            for r in range(m):
                s[LS + i, r] += s[GS + i, r]
        if not math.isfinite(size):
            return give_up(system, work, s[RS + 2][:n])
        work.counters[COUNT.ITERATIONS] += 1
        first = not math.isfinite(before)  # or the first with other weights
        contraction = 0.0 if first else size / before
        # the estimate of the error left decides, and one more iteration takes it to rounding if it is not
        polished = polished or (not first and size * contraction <= NEGLIGIBLE * limit)
        converged = (
            converged
            or polished
            or size <= limit
            or (not first and contraction < 0.5 and size * contraction <= limit * (1.0 - contraction))
            # rounding
            or (not first and contraction > 0.5 and hard != 0 and size <= SINGULAR_TOLERANCE * moved)
        )
    if hard:
        work.counters[COUNT.NEAR_SINGULAR] += 1
    if not converged or position_gap(system, work) > VIOLATION_LIMIT:
        return give_up(system, work, s[RS + 2][:n])
    normalise(system.bodies, q)
    copy(s[VS + 2][:n], v)
    return OK


@inlined
def _weak(info: Array) -> bool:
    """Whether the pose just factored is too near a singular one to trust velocities and multipliers there."""
    return near_singular(info) or info[PIVOT.WORST] < WEAK * info[PIVOT.USUAL]


@kernel
def close_velocities(packed: Packed, t: float, q: Array, v: Array, a: Array, reactions: Array) -> int:
    """M δv = Jᵀμ, J δv = −Φ', then a and λ of the new state."""
    system, work = open_system(packed), open_work(packed)
    n, m = v.shape[0], system.rows.shape[0]
    call_constraints(packed, t, q, v)
    status = call_factor(packed)
    if status != OK:
        return int(status)
    for c in range(n):
        work.vectors[VECTOR.FREE, c] = 0.0
    for r in range(m):
        work.row[r, ROW_VALUE.SOLVE] = -work.row[r, ROW_VALUE.RATE]
    call_solve(packed, 1)
    weak = _weak(work.diagonal[DIAGONAL.INFO])
    if not weak:
        for c in range(n):
            v[c] += work.vectors[VECTOR.FREE, c]
    status = consistent_acceleration(packed, t, q, v)
    copy(work.vectors[VECTOR.A], a)
    if not weak:
        for r in range(m):
            reactions[r] = work.row[r, ROW_VALUE.LAMBDA]
    return int(status)


class RadauState(NamedTuple):
    """Coordinates, velocities, accelerations, λ and work integrals."""

    q: Coordinates
    v: Velocities
    a: Velocities
    reactions: PerRow
    works: Works


open_state = state_view(RadauState)


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    q, v, a, reactions, works = state.q, state.v, state.a, state.reactions, state.works
    s, status = work.scratch, OK
    copy(q, s[BACKUP])
    copy(v, s[BACKUP + 1])
    copy(a, s[BACKUP + 2])
    copy(reactions, s[BACKUP + 3])
    copy(works, s[BACKUP + 4])
    # a step that cannot be solved is tried again in parts
    for parts in range(1, PARTS + 1):
        for k in range(parts):
            t = clock[CLOCK.NOW] + k * h / parts
            status = solve_stages(packed, t, h / parts, q, v, a, reactions)
            if status == OK:
                status = close_velocities(packed, t + h / parts, q, v, a, reactions)
            if status != OK:
                break
            for w in range(works.shape[0]):
                works[w] += s[WORKS, w]
        if status == OK:
            break
        work.counters[COUNT.REJECTED] += 1
        copy(s[BACKUP][: q.shape[0]], q)
        copy(s[BACKUP + 1][: v.shape[0]], v)
        copy(s[BACKUP + 2][: a.shape[0]], a)
        copy(s[BACKUP + 3][: reactions.shape[0]], reactions)
        copy(s[BACKUP + 4][: works.shape[0]], works)
    clock[CLOCK.USED] = h
    return status


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    status = consistent_acceleration(packed, clock[CLOCK.NOW], state.q, state.v)
    near_singular(work.diagonal[DIAGONAL.INFO])
    copy(work.vectors[VECTOR.A], state.a)
    for r in range(state.reactions.shape[0]):
        state.reactions[r] = work.row[r, ROW_VALUE.LAMBDA]
    count_turns(system, work)
    return status


def room(system: System) -> Room:
    return Room(vectors=OWN, order=STAGES * int(system.sizes[SIZE.NV]), factors=stages.factor_count(STAGES))


KIND = DirectKind(
    name="radau",
    title="Radau IIA",
    summary="Three stages, order 5; the high-accuracy reference among the implicit methods.",
    order=5,
    start=start,
    step=step,
    report=report,
    size=state_size(RadauState),
    room=room,
    growth=of_first_order(  # Padé (2, 3): [Hairer 1996, table IV.3.1]
        lambda z: (
            1.0 - 3.0 * z / 5.0 + 3.0 * z**2 / 20.0 - z**3 / 60.0,
            -(1.0 + 2.0 * z / 5.0 + z**2 / 20.0),
        )
    ),
)
