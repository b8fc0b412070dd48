"""Newmark in the null space of the constraints: rows hold at three levels after a step.

In the coordinates x of `embedding.py`, with N a basis of what ẋ may be at a pose of the step and
z = x₀ + h ẋ₀ + h²(½ − β) ẍ₀, ż = ẋ₀ + h(1 − γ_N) ẍ₀ of the old state, the new state satisfies
[UPV Newmark, ch. 5 to 7]:

    Nᵀ(x − z − h²β ẍ) = 0,   Nᵀ(ẋ − ż − hγ_N ẍ) = 0,
    Φ = 0,   J v = f',   J a = γ(q, v),   Nᵀ(M a − Q) = 0.

N is taken at the end of the step, or at its middle, which makes the rule symmetric in time. One
factorisation of J C⁻¹ gives N for coordinates and for forces. The unknowns of a Newton step are u = Nᵀδa; P
is the least-norm solver of J, and R, A, B are the tangents of the rows:

    δq = −P Φ + N(e_q + h²β u),   δv = −P(Φ' + R δq) + N(e_v + hγ_N u),
    δa = −P(J a − γ + A δq + B δv) + N u

with e_q, e_v the amounts by which the first two equations fail. Rows of velocities only do not bind δq:
there N is larger. State vector y = (q, v, a, power, w).
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces, call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, Option, Packed, Room, StepStatus, System
from engine.maths.arrays import copy
from engine.maths.orientations import QUATERNION, SETS
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.embedding import SPIN, wrap
from engine.solvers.direct.newmark_rule import BETA, FOX_GOODWIN, GAMMA, GROWTH, LINEAR_ACCELERATION, OPTIONS
from engine.solvers.direct.newton import (
    NOT_SOLVED,
    OK,
    add_work,
    largest_order,
    note_offender,
    note_singular,
    residual,
    residual_change,
)
from engine.solvers.direct.one_step import begin, open_state, report, size
from engine.solvers.direct.reduction import (
    CHART,
    DA,
    DQ,
    DV,
    FACTORS,
    GAP,
    HERE,
    LOAD,
    MATRICES,
    MID,
    MID_Q,
    MIDDLE,
    MODE,
    MONITOR,
    OLD,
    OLD_Q,
    OLD_V,
    ORIENTATION,
    RATE,
    RATES,
    RESULT,
    SCALE,
    SCALE_MID,
    STEP_A,
    STEP_Q,
    STEP_V,
    VECTORS,
    Z_Q,
    Z_V,
    add_rotation_terms,
    close_rate_rows,
    factor,
    natural_frequency,
    project_rule_residual,
    reactions,
    set_chart,
    solve_degrees,
    solve_rows,
)
from engine.solvers.linsolve.trust_region import (
    ASTRAY,
    MAX_RESTRICTED,
    is_violent,
    largest_turn,
    trusted_share,
)
from engine.system.equations.charts import (
    UNSOLVED,
    chart_margin,
    chart_rates,
    chart_second_rates,
    leave_shadows,
)
from engine.system.equations.equations import motion_powers
from engine.system.equations.kinematics import difference, normalise, retract

CHOSEN, CHANGE = SLOT.DIRECT + 5, SLOT.DIRECT + 6  # options: the set that is asked for, and its change
SINGULAR_COORDINATES = int(StepStatus.SINGULAR_COORDINATES)
# largest change of q, h v or h² a in the last iteration, against the largest of 1, h v, h² a
TOLERANCE = 1e-11
# near a singular configuration rounding can keep the changes from falling; below this that is enough
STALLED = 1e-8
MAX_ITERATIONS = 25


@kernel
def _correct(packed: Packed, t: float, h: float, q: Array, v: Array, a: Array) -> float:
    """Newton's correction on all levels at once, into DQ, DV, DA; its largest part of q, h v or h² a.

    On entry rows and forces belong to (t, q, v), and the null space is factored. Infinite without one.
    """
    system, work = open_system(packed), open_work(packed)
    nq, n, m, rank = q.shape[0], v.shape[0], system.rows.shape[0], system.sizes[SIZE.RANK]
    beta, gamma, kind = work.options[BETA], work.options[GAMMA], int(work.options[ORIENTATION])
    s, bodies = work.scratch, system.bodies
    z_q, z_v, gap, rates, hat = s[Z_Q][:nq], s[Z_V][:nq], s[GAP][:nq], s[RATES][:nq], s[OLD][:n]
    rate, chart = s[RATE][:nq], s[CHART][:nq]
    step_q, step_v, step_a = s[STEP_Q][:n], s[STEP_V][:n], s[STEP_A][:n]
    dq, dv, da, result, load = s[DQ][:n], s[DV][:n], s[DA][:n], s[RESULT][:n], s[LOAD][:n]
    rank_q = system.sizes[SIZE.RANK_POSITION]
    reactions(packed, a)
    call_tangents(packed, t, a)
    work.counters[COUNT.ITERATIONS] += 1

    # what is asked for without u: by the rule, then by the rows
    chart_rates(kind, bodies, chart, v, rate)
    chart_second_rates(kind, bodies, chart, rate, a, gap)
    for i in range(nq):
        rates[i] = z_v[i] + h * gamma * gap[i] - rate[i]
        gap[i] = z_q[i] + h * h * beta * gap[i] - chart[i]
    wrap(kind, bodies, gap)
    for c in range(n):
        hat[c] = SPIN * (v[c] - h * gamma * a[c])
        step_a[c] = 0.0
    project_rule_residual(packed, rank, rank_q, q, gap, step_q)
    for r in range(m):
        work.row[r, ROW_VALUE.RESIDUAL] = -work.row[r, ROW_VALUE.PHI]
    solve_rows(packed, rank_q, step_q)
    project_rule_residual(packed, rank, rank, q, rates, step_v)
    add_rotation_terms(packed, rank, step_q, step_v, step_a)
    close_rate_rows(packed, True, step_q, step_v, step_a)
    residual_change(system, work, step_q, step_v, step_a, result)
    residual(system, work, a, True, load)
    for c in range(n):
        result[c] = -result[c] - load[c]

    # then what the degrees of freedom do
    if solve_degrees(packed, h) != OK:
        return math.inf
    change = 0.0
    for c in range(n):
        dq[c] += step_q[c]
        dv[c] += step_v[c]
        da[c] += step_a[c]
        # also true for what is not a number
        if not max(abs(dq[c]), h * abs(dv[c]), h * h * abs(da[c])) <= change:
            change = max(abs(dq[c]), h * abs(dv[c]), h * h * abs(da[c]))
    return change


@kernel
def _iterate(
    packed: Packed, t: float, h: float, restricted: bool, q: Array, v: Array, a: Array
) -> tuple[bool, float]:
    """Newton's method from the guess (q, v, a): whether it converged, and `factor` of the last iterate.

    Rows, forces and null space are left as those of the last iterate.
    """
    system, work = open_system(packed), open_work(packed)
    n, s, bodies, middle = v.shape[0], work.scratch, system.bodies, work.options[MIDDLE] != 0.0
    old_q, mid_q, dq, dv, da = s[OLD_Q][: q.shape[0]], s[MID_Q][: q.shape[0]], s[DQ][:n], s[DV][:n], s[DA][:n]
    converged, regularity, before = False, 1.0, math.inf
    share, taken, reach = 1.0, math.inf, math.inf
    for _ in range(MAX_RESTRICTED if restricted else MAX_ITERATIONS):
        if middle and not converged:
            difference(bodies, old_q, q, dq)
            for c in range(n):
                dq[c] *= 0.5
            retract(bodies, old_q, dq, mid_q)
            call_constraints(packed, t - 0.5 * h, mid_q, v)
            factor(packed, MID, SCALE_MID, mid_q)
        call_constraints(packed, t, q, v)
        call_forces(packed, t)
        regularity = factor(packed, HERE, SCALE, q)
        work.counters[COUNT.EVALUATIONS] += 1
        if converged:
            break
        change = _correct(packed, t, h, q, v, a)
        if not math.isfinite(change):
            break
        if restricted:
            share, reach = trusted_share(change, before, largest_turn(bodies, dq), taken, reach)
        size = 1.0
        for c in range(n):
            v[c] += share * dv[c]
            a[c] += share * da[c]
            dq[c] *= share
            size = max(size, h * abs(v[c]), h * h * abs(a[c]))
        retract(bodies, q, dq, q)
        normalise(bodies, q)
        if share == 1.0:
            converged = change < TOLERANCE * size or (change < STALLED * size and change > 0.5 * before)
        before, taken = change, share * change
    return converged, regularity


@inlined
def _is_astray(bodies: Ints, old_q: Array, q: Array, d: Array) -> bool:
    """Whether a body turned too far from the old pose; the displacement stays in d."""
    difference(bodies, old_q, q, d)
    return bool(largest_turn(bodies, d) > ASTRAY)


@inlined
def choose_set(packed: Packed, q: Array, v: Array, h: float) -> int:
    """The orientation coordinates of this step: those that were asked for, or, near their singularity and
    where the user lets them change, unit quaternions. Nothing of the old state depends on them."""
    system, work = open_system(packed), open_work(packed)
    kind = int(work.options[CHOSEN])
    work.options[ORIENTATION] = kind
    leave_shadows(kind, system.bodies, q)
    if work.options[CHANGE] != 0.0:
        set_chart(packed, q)
        margin, _ = chart_margin(kind, system.bodies, work.scratch[CHART], v, h)
        if margin < UNSOLVED:
            work.options[ORIENTATION] = QUATERNION
    return int(work.options[ORIENTATION])


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, state = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], open_state(system, y)
    beta, gamma, kind = work.options[BETA], work.options[GAMMA], choose_set(packed, state.q, state.v, h)
    t, s, bodies = clock[CLOCK.NOW] + h, work.scratch, system.bodies
    q, v, a = state.q, state.v, state.a
    old_q, z_q, z_v, second = s[OLD_Q][:nq], s[Z_Q][:nq], s[Z_V][:nq], s[GAP][:nq]
    old_v, dq, dv = s[OLD_V][:n], s[DQ][:n], s[DV][:n]

    # the old state's part of the rule, in the space of the coordinates
    copy(q, old_q)
    set_chart(packed, q)
    chart_rates(kind, bodies, s[CHART], v, z_v)
    chart_second_rates(kind, bodies, s[CHART], z_v, a, second)
    for i in range(nq):
        z_q[i] = s[CHART, i] + h * z_v[i] + h * h * (0.5 - beta) * second[i]
        z_v[i] += h * (1.0 - gamma) * second[i]

    # predictor: constant acceleration, or the old state; corrector
    copy(v, old_v)
    at_old_state = is_violent(bodies, h, v, a)
    if at_old_state:
        a[:] = 0.0
    else:
        for c in range(n):
            dq[c] = h * v[c] + 0.5 * h * h * a[c]
            v[c] += h * a[c]
        retract(bodies, old_q, dq, q)
    converged, regularity = _iterate(packed, t, h, False, q, v, a)
    if not converged or (at_old_state and _is_astray(bodies, old_q, q, dq)):
        copy(old_q, q)
        copy(old_v, v)
        a[:] = 0.0
        converged, regularity = _iterate(packed, t, h, True, q, v, a)
        converged = converged and not _is_astray(bodies, old_q, q, dq)
    margin, offender = chart_margin(kind, bodies, s[CHART], v, h)
    if margin < (1.0 if converged else UNSOLVED):
        work.counters[COUNT.OFFENDER] = offender
        return SINGULAR_COORDINATES
    if not converged:
        note_offender(work, dq)
        return NOT_SOLVED

    # velocities and accelerations to rounding, reactions, powers
    dq[:] = 0.0
    dv[:] = 0.0
    copy(a, work.vectors[VECTOR.A])
    close_rate_rows(packed, True, dq, dv, a)
    for c in range(n):
        v[c] += dv[c]
    reactions(packed, a)
    motion_powers(system, work)
    add_work(work, h, state.power, state.works)
    note_singular(work, regularity)
    if work.options[MONITOR] != 0.0:
        clock[CLOCK.FREQUENCY] = natural_frequency(packed)
    clock[CLOCK.USED] = h
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    kind = choose_set(packed, state.q, state.v, 0.0)
    status = begin(packed, clock, y)
    work.scratch[MODE][:] = 0.0
    set_chart(packed, state.q)
    margin, offender = chart_margin(kind, system.bodies, work.scratch[CHART], state.v, 0.0)
    if margin < 1.0:
        work.counters[COUNT.OFFENDER] = offender
        return SINGULAR_COORDINATES
    if status == OK and work.options[MONITOR] != 0.0:
        call_tangents(packed, clock[CLOCK.NOW], state.a)
        factor(packed, HERE, SCALE, state.q)
        clock[CLOCK.FREQUENCY] = natural_frequency(packed)
    return status


def room(system: System) -> Room:
    return Room(matrices=MATRICES, vectors=VECTORS, order=largest_order(system), factors=FACTORS)


KIND = DirectKind(
    name="newmark_nullspace",
    title="Newmark in the null space of the constraints",
    summary="Positions, velocities and accelerations satisfy all rows; any β and γ, trapezoidal by default.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    ranks=True,
    growth=GROWTH,
    options=(
        *OPTIONS,
        Option(
            "null_space",
            MIDDLE,
            0.0,
            "Pose at which the null space is taken",
            choices=("end of the step", "middle of the step"),
        ),
        Option("orientation", CHOSEN, QUATERNION, "Orientation coordinates", choices=SETS),
        Option(
            "chart",
            CHANGE,
            0.0,
            "Where they become singular",
            choices=("end the run", "go on with unit quaternions"),
        ),
        Option("monitor", MONITOR, 1.0, "Watch the largest natural frequency", choices=("no", "yes")),
    ),
    presets={
        "linear_acceleration": LINEAR_ACCELERATION,
        "fox_goodwin": FOX_GOODWIN,
        "midstep": {"null_space": 1.0},
        "midstep_fox_goodwin": {"null_space": 1.0, **FOX_GOODWIN},
    },
)
