"""Penalty and augmented Lagrangian, index 1: constraints as stiff inertia, no multipliers among the unknowns.

    penalty                 (M + Jᵀ ρ J) a = Q + Jᵀ ρ γ,                   λ = ρ (γ − J a)
    augmented Lagrangian    the same, with λ added and corrected until J a = γ  [Antón 2015, §3.5.4]

ρ of a row is `penalty` times the mass that it moves, over the square of its gradient: a plain number serves
metres and radians. γ holds the feedback of the stabilisation, 2Ωμ Φ′ + Ω² Φ in the sources. Rows that repeat
each other share the load. The two kinds differ only in the number of passes of one iteration.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed, Room, System
from engine.compiled.states import motion_size, open_motion
from engine.maths.arrays import copy
from engine.solvers.formulations import common
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import OK, conclude, fill_rate, prepare
from engine.solvers.linsolve.long_chains import harder
from engine.solvers.linsolve.penalised import LONG, factor_penalised, iterate, set_row_weights

PENALTY, PASSES, TOLERANCE = SLOT.FORMULATION, SLOT.FORMULATION + 1, SLOT.FORMULATION + 2
ONE_PASS, MAX_PASSES = 1.0, 60.0


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    m, state, matrix = system.rows.shape[0], open_motion(system, y), work.factors[0]
    q, v = state.q, state.v
    prepare(packed, t, q, v)
    penalty, most = work.options[PENALTY], int(work.options[PASSES])
    set_row_weights(system, work, penalty if most == 1 else harder(system, penalty, LONG))
    status = factor_penalised(system, work, matrix, work.scratch)
    if status != OK:
        return status
    copy(work.vectors[VECTOR.Q], work.vectors[VECTOR.FREE])
    for r in range(m):
        work.row[r, ROW_VALUE.SOLVE] = work.row[r, ROW_VALUE.GAMMA]
    iterate(system, work, matrix, work.scratch, most, work.options[TOLERANCE])
    copy(work.vectors[VECTOR.FREE], work.vectors[VECTOR.A])
    for r in range(m):
        work.row[r, ROW_VALUE.LAMBDA] = work.row[r, ROW_VALUE.SOLVE]
    status = conclude(packed)
    fill_rate(packed, q, v, dy)
    return status


def room(system: System) -> Room:
    return Room(factors=1, vectors=DIAGONAL.COLUMNS, order=max(common.order(system), PIVOT.COLUMNS))


PENALTY_KIND = FormulationKind(
    name="penalty",
    title="Penalty",
    summary="Constraints as stiff inertia; the error of the accelerations falls as 1/penalty.",
    layout="qv",
    size=motion_size,
    rate=rate,
    start=common.start,
    report=common.report,
    room=room,
    singular_failure="penalties let the joints give way there",
    passes_with=frozenset({"explicit", "projection"}),
    options=(Option("penalty", PENALTY, 1e7, "Penalty, over the mass that a row moves", exclusive=True),),
    constants=((PASSES, ONE_PASS),),
)
AUGMENTED_KIND = FormulationKind(
    name="augmented_lagrangian",
    title="Augmented Lagrangian, index 1",
    summary="Penalty with multipliers that are corrected until the accelerations satisfy the constraints.",
    layout="qv",
    size=motion_size,
    reactions=True,
    rate=rate,
    start=common.start,
    report=common.report,
    room=room,
    options=(
        Option("penalty", PENALTY, 1e5, "Penalty, over the mass that a row moves", exclusive=True),
        Option("accuracy", TOLERANCE, 1e-12, "Relative change of the accelerations that ends the iteration"),
    ),
    constants=((PASSES, MAX_PASSES),),
)
