"""Newmark's rule put into the equations of motion with position rows only: the traditional scheme of index 3.

With d = q ⊖ q_n as the unknown, velocities and accelerations are those of the rule, not of the constraints:

    a = d/(βh²) − v_n/(βh) − (1/(2β) − 1) a_n,   v = γ_N d/(βh) + (1 − γ_N/β) v_n + h(1 − γ_N/(2β)) a_n,
    M a − Q − Jᵀλ = 0,   Φ = 0   (rows of velocities only: J v = f).

It is kept with its faults [UPV Newmark, §6.3]: as an equation for (q, λ) it has a mode of infinite frequency,
so only the unconditionally stable members run, without damping of that mode, and reactions oscillate. One
iteration solves (M − γ_N h D − βh² K) δ − Jᵀμ = −βh² r, J δ = −Φ; μ = βh² δλ (`linsolve/saddle.py`).
State vector y = (q, v, a, power, w).
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces, call_tangents
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, Room, System
from engine.maths.arrays import copy
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newmark_rule import (
    BETA,
    FOX_GOODWIN,
    GAMMA,
    GROWTH,
    LINEAR_ACCELERATION,
    OPTIONS,
    stability_limit,
)
from engine.solvers.direct.newton import (
    NOT_SOLVED,
    OK,
    add_work,
    note_offender,
    residual,
)
from engine.solvers.direct.one_step import open_state, report, size, start
from engine.solvers.linsolve import saddle, velocities
from engine.solvers.linsolve.trust_region import is_violent
from engine.system.equations.equations import motion_powers
from engine.system.equations.kinematics import difference, normalise, retract

TOLERANCE = 1e-12  # largest change of q in the last iteration [m, rad]
STALLED = 1e-8  # changes below this that do not fall any more are rounding
MAX_ITERATIONS = 40
OLD_Q, OLD_V, OLD_A, D, STEP = range(5)
VECTORS = 5
MATRIX = 0  # of Work.factors
SMALLEST_BETA = 0.01  # the rule is solved for the acceleration


@kernel
def _rule(
    h: float, beta: float, gamma: float, d: Array, old_v: Array, old_a: Array, v: Array, a: Array
) -> None:
    """Velocities and accelerations that go with a displacement."""
    for c in range(d.shape[0]):
        a[c] = (d[c] / h - old_v[c]) / (beta * h) - (0.5 / beta - 1.0) * old_a[c]
        v[c] = gamma * d[c] / (beta * h) + (1.0 - gamma / beta) * old_v[c]
        v[c] += h * (1.0 - 0.5 * gamma / beta) * old_a[c]


@kernel
def _correct(packed: Packed, t: float, h: float, q: Array, a: Array) -> tuple[float, bool]:
    """One iteration: the largest change of q, infinite without one; whether a singular pose is near.

    Rows and forces belong to the iterate.
    """
    system, work = open_system(packed), open_work(packed)
    n, m, matrix = a.shape[0], system.rows.shape[0], work.factors[MATRIX]
    beta, gamma, step = work.options[BETA], work.options[GAMMA], work.scratch[STEP][:n]
    call_tangents(packed, t, a)
    for i in range(matrix.shape[0]):
        matrix[i] = -gamma * h * work.damping[i] - beta * h * h * work.stiffness[i]
    velocities.add_mass(system, 1.0, matrix)
    saddle.hold_gradients(work)
    if saddle.factor(system, work, MATRIX) != OK:
        return math.inf, False
    residual(system, work, a, True, step)
    for c in range(n):
        step[c] *= -beta * h * h
    for r in range(m):
        work.row[r, ROW_VALUE.SOLVE] = 0.0
        work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, ROW_VALUE.PHI]
        if system.rows[r, ROW.VELOCITY]:
            work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, ROW_VALUE.RATE] * beta * h / gamma
    singular = saddle.solve(system, work, MATRIX, TOLERANCE, step)
    change = saddle.largest(step)
    for r in range(m):
        work.row[r, ROW_VALUE.LAMBDA] += work.row[r, ROW_VALUE.SOLVE] / (beta * h * h)
    retract(system.bodies, q, step, q)
    normalise(system.bodies, q)
    return change, singular


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, state = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], open_state(system, y)
    t, s, beta, gamma = clock[CLOCK.NOW] + h, work.scratch, work.options[BETA], work.options[GAMMA]
    q, v, a = state.q, state.v, state.a
    old_q, old_v, old_a, d = s[OLD_Q][:nq], s[OLD_V][:n], s[OLD_A][:n], s[D][:n]

    # predictor: constant acceleration, or the old pose
    copy(q, old_q)
    copy(v, old_v)
    copy(a, old_a)
    if not is_violent(system.bodies, h, v, a):
        for c in range(n):
            d[c] = h * v[c] + 0.5 * h * h * a[c]
        retract(system.bodies, old_q, d, q)

    # corrector
    converged, singular, before = False, False, math.inf
    for _ in range(MAX_ITERATIONS):
        difference(system.bodies, old_q, q, d)
        _rule(h, beta, gamma, d, old_v, old_a, v, a)
        call_constraints(packed, t, q, v)
        call_forces(packed, t)
        work.counters[COUNT.EVALUATIONS] += 1
        if converged:
            break
        change, singular = _correct(packed, t, h, q, a)
        work.counters[COUNT.ITERATIONS] += 1
        if not math.isfinite(change):
            break
        converged = change < TOLERANCE or (change < STALLED and change > 0.5 * before)
        before = change
    if not converged:
        note_offender(work, s[STEP][:n])
        return NOT_SOLVED

    copy(a, work.vectors[VECTOR.A])
    motion_powers(system, work)
    add_work(work, h, state.power, state.works)
    work.counters[COUNT.NEAR_SINGULAR] += singular
    clock[CLOCK.USED] = h
    return OK


def room(system: System) -> Room:
    return Room(vectors=VECTORS, factors=1)


def warns(options: Array, system: System) -> str:
    beta, gamma = options[BETA], options[GAMMA]
    if stability_limit(1.0, beta, gamma) < math.inf:
        return (
            f"On the index-3 equations Newmark's rule with β = {beta:.4g}, γ = {gamma:.4g} fails within "
            "some tens of steps, whatever their size: it is here to show that. Take newmark_nullspace."
        )
    said = "The plain index-3 scheme lets reactions oscillate and grow: do not trust them"
    if system.rows[:, ROW.VELOCITY].any():
        return said + ". Where wheels roll or knife edges glide it soon breaks off. Take newmark_nullspace."
    return (
        said + ", nor the motion once they have grown. It breaks off at singular configurations. Take "
        "newmark_nullspace."
    )


KIND = DirectKind(
    name="newmark_index3",
    title="Newmark on the index-3 equations",
    summary="The traditional scheme with its faults: reactions oscillate, conditionally stable rules fail.",
    order=2,
    warns=warns,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    singular_failure="nothing damps its reactions, and there they have no bound",
    equal_steps="nothing damps its reactions, and every change of the step excites them",
    divides=False,
    growth=GROWTH,
    options=(OPTIONS[0]._replace(minimum=SMALLEST_BETA), OPTIONS[1]),
    presets={"linear_acceleration": LINEAR_ACCELERATION, "fox_goodwin": FOX_GOODWIN},
)
