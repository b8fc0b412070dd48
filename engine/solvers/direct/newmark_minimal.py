"""Newmark's rule in minimal coordinates: as many unknowns as degrees of freedom [UPV Newmark, §6.2].

With z the joint coordinates, ż = B v and z̈ = B a + β, the rule is applied to them alone,

    z = z_n + h ż_n + h²((½ − β_N) z̈_n + β_N z̈),   ż = ż_n + h((1 − γ_N) z̈_n + γ_N z̈),

and everything else follows from them by A = [J; B] (`linsolve/partition.py`): positions by Newton on Φ = 0
and z(q) = z, then v = A⁻¹[ν; ż] and a = A⁻¹[γ; z̈ − β]. What is solved is equilibrium along V = A⁻¹[0; 1],

    Vᵀ(M a − Q) = 0,   by Newton in z̈;   Aᵀ[λ; μ] = M a − Q gives reactions λ and what is left, μ, at once.

In an open chain z are all joint coordinates: the equations are those that one writes down by hand, without
constraints, and the rule has all properties that it has there. Where joints have no coordinates (ball joints,
free bodies) z are displacements and turns of a body since the last step, ż its velocity in world axes. In
closed loops as many are chosen as there are degrees of freedom, and chosen anew when the choice is worn. β_N
= 0 makes positions explicit: central differences, whose velocity (z⁺ − z⁻)/2h is that of the rule.
State vector y = (q, v, a, power, w).
"""

import math
from typing import Final

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces, call_tangent, call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Room, System, Work
from engine.maths.arrays import copy
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newmark_rule import FOX_GOODWIN, LINEAR_ACCELERATION, growth_of
from engine.solvers.direct.newmark_rule import OPTIONS as RULE
from engine.solvers.direct.newton import (
    NOT_SOLVED,
    OK,
    add_work,
    lu,
    note_offender,
    note_singular,
    residual,
    residual_change,
)
from engine.solvers.direct.one_step import begin, open_state, report, size
from engine.solvers.linsolve import nullspace
from engine.solvers.linsolve.independents import (
    CANDIDATES,
    CHOSEN,
    INDEPENDENTS,
    MATRIX,
    MOTIONS,
    OPTION,
    PIVOTS,
    REDUCED,
    REDUCED_PIVOTS,
    adopt,
    bias,
    choose,
    coordinate_count,
    project_candidates,
)
from engine.solvers.linsolve.lu import lu_solve, lu_solve_transposed
from engine.solvers.linsolve.partition import (
    BEST,
    CLOSED,
    CONTRACTION_LIMIT,
    EVER,
    FIRST_FREE,
    QUALITY,
    ROUNDING,
    USUAL,
    factor_dense,
    renew,
    smallest_dense_pivot,
    too_many,
)
from engine.solvers.linsolve.partition import room as partition_room
from engine.solvers.linsolve.rows import function_times, row_times
from engine.solvers.linsolve.sparse_partition import candidate_times
from engine.solvers.linsolve.trust_region import (
    ASTRAY,
    MAX_RESTRICTED,
    is_violent,
    largest_turn,
    trusted_share,
)
from engine.system.equations.equations import coordinates_at_rest, motion_powers
from engine.system.equations.kinematics import difference, normalise, retract

# places in Work.options, beside that of the choice of independent coordinates
BETA, GAMMA = SLOT.DIRECT + 2, SLOT.DIRECT + 3
CENTRAL_DIFFERENCES: Final = {"beta": 0.0, "gamma": 0.5}
TOLERANCE = 1e-11  # largest change of h² a in the last iteration, against the largest of 1, h v, h² a
STALLED = 1e-8  # changes below this that do not fall any more are rounding
MAX_ITERATIONS = 25
MAX_CLOSING = 20  # iterations on positions
# Work.scratch
OLD_Q, OLD_V, BEGUN, Z, Z_RATE, SECOND, MOVED, GAP, DQ, DV, DA, LOAD, END = range(FIRST_FREE, FIRST_FREE + 13)


# the coordinates


@inlined
def _displacement(system: System, work: Work, moved: Array, j: int) -> float:
    """Of independent coordinate j since the old pose; `moved` is q ⊖ q_n."""
    candidate, count = work.pivots[INDEPENDENTS, j], coordinate_count(system, work)
    if candidate < count:
        g = system.coordinates[candidate]
        return float(work.coordinate[g, COORDINATE_VALUE.VALUE] - work.scratch[BEGUN, j])
    return float(candidate_times(system, work, candidate, moved))


@kernel
def _take_rule(packed: Packed, t: float, h: float, q: Array, v: Array, a: Array) -> None:
    """The old state's part of the rule, and z̈ of the old state as the guess of the new one."""
    system, work = open_system(packed), open_work(packed)
    s, beta, gamma = work.scratch, work.options[BETA], work.options[GAMMA]
    call_constraints(packed, t, q, v)
    coordinates_at_rest(packed, system)
    for j in range(v.shape[0] - system.sizes[SIZE.RANK]):
        candidate = work.pivots[INDEPENDENTS, j]
        if candidate < coordinate_count(system, work):
            s[BEGUN, j] = work.coordinate[system.coordinates[candidate], COORDINATE_VALUE.VALUE]
        rate = candidate_times(system, work, candidate, v)
        second = candidate_times(system, work, candidate, a) + bias(system, work, j)
        s[Z, j] = h * rate + h * h * (0.5 - beta) * second
        s[Z_RATE, j] = rate + h * (1.0 - gamma) * second
        s[SECOND, j] = second


@inlined
def _solve(system: System, work: Work, x: Array) -> None:
    """x ← A⁻¹ x: what the chosen rows ask for, then what the independent coordinates do."""
    lu_solve(work.dense[MATRIX], work.pivots[PIVOTS], system.sizes[SIZE.NV], x)


@kernel
def _place(packed: Packed, t: float, h: float, q: Array, v: Array) -> int:
    """Newton on positions: rows closed, independent coordinates as the rule and z̈ have them."""
    system, work = open_system(packed), open_work(packed)
    n, rank, s, beta = v.shape[0], system.sizes[SIZE.RANK], work.scratch, work.options[BETA]
    moved, gap = s[MOVED][:n], s[GAP][:n]
    before = math.inf
    for k in range(MAX_CLOSING):
        call_constraints(packed, t, q, v)
        coordinates_at_rest(packed, system)
        difference(system.bodies, s[OLD_Q], q, moved)
        size = 0.0
        for i in range(rank):
            r = work.pivots[CHOSEN, i]
            gap[i] = -work.row[r, ROW_VALUE.PHI]
            size = max(size, abs(gap[i]) / system.row_reals[r, ROW_REAL.SCALE])
        for j in range(n - rank):
            target = s[Z, j] + h * h * beta * s[SECOND, j]
            gap[rank + j] = target - _displacement(system, work, moved, j)
            size = max(size, abs(gap[rank + j]))
        if size <= CLOSED or (size <= ROUNDING and not size <= CONTRACTION_LIMIT * before):
            normalise(system.bodies, q)
            return OK
        if not math.isfinite(size):
            break
        if k == 0 or not size <= CONTRACTION_LIMIT * before:
            status = factor_dense(system, work)
            if status != OK:
                return int(status)
        _solve(system, work, gap)
        retract(system.bodies, q, gap, q)
        before = size
    return NOT_SOLVED


@kernel
def _balance(packed: Packed, t: float, h: float, q: Array, v: Array, a: Array) -> int:
    """v, a and forces of the placed pose; λ of the chosen rows, and Vᵀ(M a − Q) behind them in LOAD."""
    system, work = open_system(packed), open_work(packed)
    n, rank, s, gamma = v.shape[0], system.sizes[SIZE.RANK], work.scratch, work.options[GAMMA]
    load = s[LOAD][:n]
    status = factor_dense(system, work)
    if status != OK:
        return int(status)
    for i in range(rank):
        v[i] = work.row[work.pivots[CHOSEN, i], ROW_VALUE.FT]
    for j in range(n - rank):
        v[rank + j] = s[Z_RATE, j] + h * gamma * s[SECOND, j]
    _solve(system, work, v)
    call_constraints(packed, t, q, v)
    coordinates_at_rest(packed, system)
    call_forces(packed, t)
    work.counters[COUNT.EVALUATIONS] += 1
    for i in range(rank):
        a[i] = work.row[work.pivots[CHOSEN, i], ROW_VALUE.GAMMA]
    for j in range(n - rank):
        a[rank + j] = s[SECOND, j] - bias(system, work, j)
    _solve(system, work, a)
    residual(system, work, a, False, load)
    lu_solve_transposed(work.dense[MATRIX], work.pivots[PIVOTS], n, load)
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.LAMBDA] = 0.0
    for i in range(rank):
        work.row[work.pivots[CHOSEN, i], ROW_VALUE.LAMBDA] = load[i]
    return OK


# the iteration


@inlined
def _row_change(system: System, work: Work, table: int, i: int, x: Array) -> float:
    """Row i of A's tangents times x; turns of bodies, whose change is small, are left out."""
    rank = system.sizes[SIZE.RANK]
    if i < rank:
        return float(row_times(system, work.tangent[table], work.pivots[CHOSEN, i], x))
    candidate = work.pivots[INDEPENDENTS, i - rank]
    if candidate < coordinate_count(system, work):
        return float(function_times(system, work.tangent[table], system.coordinates[candidate], x))
    return 0.0


@kernel
def _correct(packed: Packed, t: float, h: float, a: Array) -> int:
    """Newton's correction of z̈ into LOAD behind the rows, that of a into DA. Rows and forces are those of the
    iterate.

    A unit of z̈ moves q by βh² V, v by γh V and what its rows ask for then, a likewise.
    """
    system, work = open_system(packed), open_work(packed)
    n, rank, s, reduced = a.shape[0], system.sizes[SIZE.RANK], work.scratch, work.dense[REDUCED]
    beta, gamma, free = work.options[BETA], work.options[GAMMA], a.shape[0] - rank
    dq, dv, da, change, load = s[DQ][:n], s[DV][:n], s[DA][:n], s[GAP][:n], s[LOAD][:n]
    call_tangents(packed, t, a)
    for k in range(system.sizes[SIZE.PRIMITIVES]):
        first, end = system.ranges[k, SPAN.USED], system.ranges[k, SPAN.END]
        if end > first:
            call_tangent(packed, k, first, end)
    work.counters[COUNT.ITERATIONS] += 1
    for j in range(free):
        motion = work.dense[MOTIONS][j][:n]
        for c in range(n):
            motion[c] = 0.0
        motion[rank + j] = 1.0
        _solve(system, work, motion)
    for j in range(free):
        motion = work.dense[MOTIONS][j][:n]
        for c in range(n):
            dq[c] = beta * h * h * motion[c]
        for i in range(n):
            dv[i] = -_row_change(system, work, TAN.RATE_Q, i, dq)
        _solve(system, work, dv)
        for c in range(n):
            dv[c] += gamma * h * motion[c]
        for i in range(n):
            da[i] = -_row_change(system, work, TAN.ACC_Q, i, dq) - _row_change(system, work, TAN.ACC_V, i, dv)
        _solve(system, work, da)
        for c in range(n):
            da[c] += motion[c]
        residual_change(system, work, dq, dv, da, change)
        for i in range(free):
            total, other = 0.0, work.dense[MOTIONS][i]
            for c in range(n):
                total += other[c] * change[c]
            reduced[i, j] = total
    work.counters[COUNT.PRODUCTS] += free * (4 * n * n + free * n)
    status = lu(work, reduced, work.pivots[REDUCED_PIVOTS], free)
    if status != OK:
        return int(status)
    lu_solve(reduced, work.pivots[REDUCED_PIVOTS], free, load[rank:])
    for c in range(n):
        da[c] = 0.0
        for j in range(free):
            da[c] -= work.dense[MOTIONS][j, c] * load[rank + j]
    return OK


@kernel
def _iterate(packed: Packed, t: float, h: float, restricted: bool, q: Array, v: Array, a: Array) -> int:
    """Newton's method in z̈; rows, forces, A and reactions are left as those of the solution."""
    system, work = open_system(packed), open_work(packed)
    n, s, rank, bodies = v.shape[0], work.scratch, system.sizes[SIZE.RANK], system.bodies
    da, converged, before = s[DA][:n], False, math.inf
    share, taken, reach = 1.0, math.inf, math.inf
    for _ in range(MAX_RESTRICTED if restricted else MAX_ITERATIONS):
        status = _place(packed, t, h, q, v)
        if status == OK:
            status = _balance(packed, t, h, q, v, a)
        if status != OK or converged:
            return int(status)
        status = _correct(packed, t, h, a)
        if status != OK:
            return int(status)
        change, scale = 0.0, 1.0
        for c in range(n):
            if not h * h * abs(da[c]) <= change:  # also true for what is not a number
                change = h * h * abs(da[c])
            scale = max(scale, h * abs(v[c]), h * h * abs(a[c]))
        if not math.isfinite(change):
            break
        if restricted:
            share, reach = trusted_share(change, before, h * h * largest_turn(bodies, da), taken, reach)
        for j in range(n - rank):
            s[SECOND, j] -= share * s[LOAD, rank + j]
        if share == 1.0:
            converged = change < TOLERANCE * scale or (change < STALLED * scale and change > 0.5 * before)
        before, taken = change, share * change
    note_offender(work, da)
    return NOT_SOLVED


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, state = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], open_state(system, y)
    t, s, bodies, free = clock[CLOCK.NOW] + h, work.scratch, system.bodies, n - system.sizes[SIZE.RANK]
    q, v, a = state.q, state.v, state.a
    old_q, old_v, dq = s[OLD_Q][:nq], s[OLD_V][:n], s[DQ][:n]
    copy(q, old_q)
    copy(v, old_v)
    _take_rule(packed, clock[CLOCK.NOW], h, q, v, a)

    # predictor: constant acceleration, or the old state; corrector
    at_old_state = is_violent(bodies, h, v, a)
    if at_old_state:
        s[SECOND, :free] = 0.0
    else:
        for c in range(n):
            dq[c] = h * v[c] + 0.5 * h * h * a[c]
        retract(bodies, old_q, dq, q)
    status = _iterate(packed, t, h, False, q, v, a)
    difference(bodies, old_q, q, dq)
    if status != OK or (at_old_state and largest_turn(bodies, dq) > ASTRAY):
        copy(old_q, q)
        copy(old_v, v)
        s[SECOND, :free] = 0.0
        status = _iterate(packed, t, h, True, q, v, a)
        difference(bodies, old_q, q, dq)
        if status == OK and largest_turn(bodies, dq) > ASTRAY:
            note_offender(work, dq)
            status = NOT_SOLVED
    if status != OK:
        return int(status)

    copy(a, work.vectors[VECTOR.A])
    motion_powers(system, work)
    add_work(work, h, state.power, state.works)
    note_singular(work, smallest_dense_pivot(system, work))
    if not _is_chain(system, work):
        renew(packed)
    clock[CLOCK.USED] = h
    return OK


@inlined
def _is_chain(system: System, work: Work) -> bool:
    """Whether joint coordinates are all there is to choose."""
    return bool(coordinate_count(system, work) == system.sizes[SIZE.NV] - system.sizes[SIZE.RANK])


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """The coordinates are chosen at the start of the run, and after every jump."""
    system, work = open_system(packed), open_work(packed)
    state, n = open_state(system, y), system.sizes[SIZE.NV]
    quality, free = work.scratch[QUALITY], n - system.sizes[SIZE.RANK]
    call_constraints(packed, clock[CLOCK.NOW], state.q, state.v)
    coordinates_at_rest(packed, system)
    quality[USUAL] = project_candidates(system, work)
    choose(work, work.dense[CANDIDATES], coordinate_count(system, work) + n, free, n)
    adopt(system, work)
    status = factor_dense(system, work)
    if status != OK:
        return int(status)
    quality[BEST] = quality[EVER] = smallest_dense_pivot(system, work)
    return begin(packed, clock, y)


def refuses(system: System) -> str:
    """Rows that bind velocities only, and closed loops of many bodies."""
    if system.sizes[SIZE.VELOCITY_ROWS] > 0:
        return (
            "wheels that roll and knife edges bind velocities only: there are more positions than minimal "
            "coordinates could say"
        )
    open_chain = len(system.coordinates) == int(system.sizes[SIZE.NV]) - len(system.rows)
    if not open_chain and not nullspace.has_basis.py_func(system):  # type: ignore[attr-defined]
        return (
            "its minimal coordinates are chosen by dense matrices; above "
            f"{nullspace.BASIS_LIMIT} velocities it takes open chains only, with a coordinate for every "
            "degree of freedom"
        )
    return too_many(system)


def room(system: System) -> Room:
    return partition_room(system, END - FIRST_FREE)


KIND = DirectKind(
    name="newmark_minimal",
    title="Newmark in minimal coordinates",
    summary="As many unknowns as degrees of freedom, joint coordinates; central differences are a preset.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    ranks=True,
    refuses=refuses,
    singular_failure="no choice of coordinates serves there",
    growth=growth_of(lambda numbers: (0.0, 0.0, float(numbers[BETA]), float(numbers[GAMMA]))),
    options=(RULE[0]._replace(slot=BETA), RULE[1]._replace(slot=GAMMA), OPTION),
    presets={
        "central_differences": CENTRAL_DIFFERENCES,
        "linear_acceleration": LINEAR_ACCELERATION,
        "fox_goodwin": FOX_GOODWIN,
    },
)
