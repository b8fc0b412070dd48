"""Augmented Lagrangian of index 3 with projected velocities and accelerations [Antón 2015, §3.5.4].

Newmark's formulas with positions as unknowns; β = 1/4, γ_N = 1/2 is the trapezoidal rule:

    v* = v_n + h[(1 − γ_N) a_n + γ_N a*],   q = q_n ⊕ (h v_n + h²[(½ − β) a_n + β a*]),
    M a* − Q + Jᵀ(W Φ/βh² − λ) = 0,   λ ← λ − W Φ/βh²   until Φ = 0;
    S (v − v*) = Jᵀμ,  J v = f',        S (a − a*) = Jᵀν,  J a = γ,          S = M − γ_N h D − β h² K.

The next step begins with the projected v and a. λ alone balances a*, which misses the acceleration by a third
of h times the jerk, since each step begins consistently; λ + ν balances a and is what is reported.

State vector y = (q, v, a, power, w).
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, Room, StepStatus, System
from engine.maths.arrays import copy
from engine.solvers.direct.alpha import report
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.increments import BASE_A, BASE_D, BASE_V, OWN, X, close_step
from engine.solvers.direct.newmark_rule import BETA, GAMMA, GROWTH
from engine.solvers.direct.newton import add_work
from engine.solvers.direct.one_step import open_state, size, start
from engine.solvers.linsolve import saddle
from engine.solvers.linsolve.rows import row_times
from engine.solvers.linsolve.trust_region import is_violent
from engine.system.equations.equations import motion_powers

OK = int(StepStatus.OK)
OLD_Q, MOVE = OWN, OWN + 1  # vectors of Work.scratch
PASSES = 2  # with the factor of the step, whose gradients are a little older


@inlined
def _project(packed: Packed, column: int, move: Array) -> None:
    """S x = Jᵀμ, J x = −g with g in a column of the rows; the factor is that of the step."""
    system, work = open_system(packed), open_work(packed)
    n, m, part = move.shape[0], system.rows.shape[0], work.scratch[X][: move.shape[0]]
    for c in range(n):
        move[c] = 0.0
    for r in range(m):
        work.row[r, ROW_VALUE.SOLVE] = 0.0
    for _ in range(PASSES):
        for r in range(m):
            work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, column] + row_times(system, work.grad, r, move)
        for c in range(n):
            part[c] = 0.0
        saddle.solve(system, work, 0, 0.0, part)
        for c in range(n):
            move[c] += part[c]


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, m = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], system.rows.shape[0]
    state = open_state(system, y)
    q, v, a = state.q, state.v, state.a
    s, t, beta, gamma = work.scratch, clock[CLOCK.NOW] + h, work.options[BETA], work.options[GAMMA]
    old_q, move = s[OLD_Q][:nq], s[MOVE][:n]
    c_q, c_v = beta * h * h, gamma * h

    # positions: predictor a* = a_n
    copy(q, old_q)
    for c in range(n):
        s[BASE_D, c] = h * v[c] + 0.5 * h * h * a[c]
        s[BASE_V, c] = v[c] + h * a[c]
        s[BASE_A, c] = a[c]
    violent = is_violent(system.bodies, h, v, a)
    status = close_step(packed, t, 1.0, c_v, c_q, 3, False, violent, old_q, q, v)
    if status != OK:
        return status
    copy(work.vectors[VECTOR.A], a)

    # velocities: S δv = Jᵀμ, J δv = −Φ'
    _project(packed, ROW_VALUE.RATE, move)
    for c in range(n):
        v[c] += move[c]
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    work.counters[COUNT.EVALUATIONS] += 1

    # accelerations: S δa = Jᵀν, J δa = γ − J a; λ takes ν along
    for r in range(m):
        work.row[r, ROW_VALUE.GAMMA] = row_times(system, work.grad, r, a) - work.row[r, ROW_VALUE.GAMMA]
    _project(packed, ROW_VALUE.GAMMA, move)
    for c in range(n):
        a[c] += move[c]
    for r in range(m):
        work.row[r, ROW_VALUE.LAMBDA] += work.row[r, ROW_VALUE.SOLVE]
    copy(a, work.vectors[VECTOR.A])
    motion_powers(system, work)
    add_work(work, h, state.power, state.works)
    clock[CLOCK.USED] = h
    return OK


def room(system: System) -> Room:
    return Room(factors=1, vectors=OWN + 2, order=int(system.sizes[SIZE.NQ]))


KIND = DirectKind(
    name="augmented_index3",
    title="Augmented Lagrangian, index 3",
    summary="Positions by penalty and multipliers, then velocities and accelerations projected.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    growth=GROWTH,
    options=(Option("beta", BETA, 0.25, "β"), Option("gamma", GAMMA, 0.5, "γ", minimum=0.5)),
)
