"""Hamilton's canonical equations, augmented Lagrangian [Celej 2018, §5.3].

    extended   (M + JᵀρJ) v = p + Jᵀ(σ̃ + ρ (f' − b)),   σ = σ̃ − ρ c,   p' = Q − J'ᵀσ,     c = Φ' + b
    basic      the same with b = 0,                        p' = Q − J'ᵀσ − Jᵀρ (2ξω Φ' + ω² Φ)

with the feedback b = 2ξω Φ + ω² ∫Φ. σ̃ ← σ is repeated until v stays, in residual form; one pass alone is the
penalty method. No saddle-point matrix: dependent rows and singular configurations need no case of their own.
The recursion as printed in the source (eq. 5.35),

    (M + JᵀρJ) v_(i+1) = M v_i + Jᵀρ (f' − b),   M v_0 = p,   σ = −ρ Σ c_i,

has the same limit and amplifies rounding in proportion to ρ.

State vector y = (q, p, ∫Φ, w).
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_forces
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed, Room, System, Work
from engine.maths.arrays import copy
from engine.maths.sparse import ldl
from engine.solvers.formulations import common, momenta
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import OK
from engine.solvers.formulations.momenta import SIGMA, VECTORS, V, fill_rate, keep_velocities, open_state
from engine.solvers.linsolve.base import apply_mass
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
from engine.solvers.linsolve.rows import add_row, row_times

ACCURACY, PASSES, FORM = OWN, OWN + 1, OWN + 2
ITERATED = 0.0
EXTENDED, BASIC, PRINTED = 0.0, 1.0, 2.0
MAX_PASSES = 60


@kernel
def recur(system: System, work: Work, matrix: Array, diagonals: Array, most: int, enough: float) -> None:
    """The recursion as printed; on entry and return as `iterate`."""
    x, moment, order, ordered = (
        work.vectors[VECTOR.FREE],
        work.vectors[VECTOR.STEP],
        system.velocity_order,
        work.ordered,
    )
    copy(x, moment)
    x[:] = 0.0
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, ROW_VALUE.SOLVE]
        work.row[r, ROW_VALUE.SOLVE] = 0.0
    for _ in range(most):
        for r in range(system.rows.shape[0]):
            push = work.row[r, ROW_VALUE.WEIGHT] * work.row[r, ROW_VALUE.RESIDUAL]
            add_row(system, work.grad, r, push, moment)
        for i in range(order.shape[0]):
            ordered[i] = moment[order[i]]
        ldl.solve(
            system.velocity_nodes, system.velocity_columns, matrix, diagonals[DIAGONAL.INVERSE], ordered
        )
        moved, size = 0.0, 0.0
        for i in range(order.shape[0]):
            c = order[i]
            moved, size = max(moved, abs(ordered[i] - x[c])), max(size, abs(ordered[i]))
            x[c] = ordered[i]
        for r in range(system.rows.shape[0]):
            gap = work.row[r, ROW_VALUE.RESIDUAL] - row_times(system, work.grad, r, x)
            work.row[r, ROW_VALUE.SOLVE] += work.row[r, ROW_VALUE.WEIGHT] * gap
        apply_mass(system, x, moment)
        if moved <= enough * size:
            break


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    n, m, state = system.sizes[SIZE.NV], system.rows.shape[0], open_state(system, y)
    q, p, integral = state.q, state.p, state.integral
    v, sigma = work.scratch[V][:n], work.scratch[SIGMA][:m]
    matrix, accuracy = work.factors[0], work.options[ACCURACY]
    first, second = gains(work)
    basic, iterated = work.options[FORM] == BASIC, work.options[PASSES] != 1.0
    most = MAX_PASSES if work.options[PASSES] == ITERATED else int(work.options[PASSES])

    # velocities and σ from the momenta; the basic form knows b only as a force
    call_constraints(packed, t, q, v)
    weigh(system, work, work.options[FORM] == EXTENDED and work.options[PASSES] == ITERATED)
    work.counters[COUNT.FACTORED] = 0
    status = factor_penalised(system, work, matrix, work.scratch)
    if status != OK:
        return status
    pose_velocities(system, work, p, integral, 0.0 if basic else first, 0.0 if basic else second)
    if work.options[FORM] == PRINTED:
        recur(system, work, matrix, work.scratch, most, accuracy)
    else:
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
    carried=momenta.CARRIED,
    tangents=True,
    room=room,
    singular_failure="its momenta do not tell the motions apart that meet there: only equal explicit "
    "steps pass",
    passes_with=frozenset({"explicit", "fixed step"}),
    options=(
        *feedback_options(xi=1.0, omega=10.0),
        *penalty_options(1e5),
        Option("accuracy", ACCURACY, 1e-13, "Relative change of the velocities that ends the iteration"),
        Option(
            "passes",
            PASSES,
            ITERATED,
            "Most passes: 1 is the penalty method, 0 goes on until velocities stay",
        ),
        Option(
            "form", FORM, 0.0, "Form", choices=("extended", "basic, stiff", "extended, recursion as printed")
        ),
    ),
)
