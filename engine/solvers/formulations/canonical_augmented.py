"""Hamilton's canonical equations, augmented Lagrangian [Celej 2018, §5.3].

    extended   (M + JᵀρJ) v = p + Jᵀ(σ̃ + ρ (f' − b)),   σ = σ̃ − ρ c,   p' = Q − J'ᵀσ,     c = Φ' + b
    basic      the same with b = 0,                        p' = Q − J'ᵀσ − Jᵀρ (2ξω Φ' + ω² Φ)

with the feedback b = 2ξω Φ + ω² ∫Φ. σ̃ ← σ is repeated until v stays, in residual form (the recursion as
printed in the source amplifies rounding in proportion to ρ); one pass alone is the penalty method. No
saddle-point matrix: dependent rows and singular configurations need no case of their own.

State vector y = (q, p, ∫Φ, w).
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import call_constraints, call_forces
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed, Room, System
from engine.solvers.formulations import common, momenta
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import OK
from engine.solvers.formulations.momenta import SIGMA, VECTORS, V, fill_rate, keep_velocities, open_state
from engine.solvers.linsolve.momenta import (
    OWN,
    feedback_options,
    gains,
    keep_accelerations,
    penalty_options,
    pose_accelerations,
    pose_velocities,
    weigh,
)
from engine.solvers.linsolve.penalised import factor_penalised, iterate
from engine.solvers.linsolve.rows import add_row

ACCURACY, PASSES, FORM = OWN, OWN + 1, OWN + 2
ITERATED, BASIC = 0.0, 1.0
MAX_PASSES = 60


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    n, m, state = system.sizes[SIZE.NV], system.rows.shape[0], open_state(system, y)
    q, p, integral = state.q, state.p, state.integral
    v, sigma = work.scratch[V][:n], work.scratch[SIGMA][:m]
    matrix, accuracy = work.factors[0], work.options[ACCURACY]
    first, second = gains(work)
    basic, iterated = work.options[FORM] == BASIC, work.options[PASSES] == ITERATED
    most = MAX_PASSES if iterated else 1

    # velocities and σ from the momenta; the basic form knows b only as a force
    call_constraints(packed, t, q, v)
    weigh(system, work)
    work.counters[COUNT.FACTORED] = 0
    status = factor_penalised(system, work, matrix, work.scratch)
    if status != OK:
        return status
    pose_velocities(system, work, p, integral, 0.0 if basic else first, 0.0 if basic else second)
    iterate(system, work, matrix, work.scratch, most, accuracy)
    keep_velocities(system, work, v, sigma)

    # with them forces; accelerations and reactions by the same factor
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    exact = basic and iterated  # then J v = f' always, whatever the violation
    pose_accelerations(system, work, 0.0 if exact else first, 0.0 if exact else second)
    iterate(system, work, matrix, work.scratch, most, accuracy)
    keep_accelerations(system, work)
    status = fill_rate(packed, t, q, v, sigma, dy)
    if basic:
        for r in range(m):
            row = work.row[r]
            push = row[ROW_VALUE.WEIGHT] * (first * row[ROW_VALUE.RATE] + second * row[ROW_VALUE.PHI])
            add_row(system, work.grad, r, -push, open_state(system, dy).p)
    return status


def room(system: System) -> Room:
    return Room(factors=1, vectors=VECTORS, order=max(common.order(system), PIVOT.COLUMNS))


KIND = FormulationKind(
    name="canonical_augmented",
    title="Canonical equations, augmented Lagrangian",
    summary="Momenta with multipliers by iteration; redundant rows and singular configurations need no "
    "special care.",
    layout="qp",
    size=momenta.size,
    rate=rate,
    start=momenta.start,
    report=momenta.report,
    tangents=True,
    room=room,
    singular_failure="its momenta do not tell the motions apart that meet there: only equal explicit "
    "steps pass",
    passes_with=frozenset({"explicit", "fixed step"}),
    options=(
        *feedback_options(xi=1.0, omega=10.0),
        *penalty_options(1e5),
        Option("accuracy", ACCURACY, 1e-13, "Relative change of the velocities that ends the iteration"),
        Option("passes", PASSES, ITERATED, "Passes", choices=("until the velocities stay", "one: penalty")),
        Option("form", FORM, 0.0, "Form", choices=("extended", "basic, stiff")),
    ),
)
