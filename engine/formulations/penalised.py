"""Penalty and augmented Lagrangian, index 1: constraints as stiff inertia, no multipliers among the unknowns.

    penalty                 (M + Jᵀ ρ J) a = Q + Jᵀ ρ γ,                   λ = ρ (γ − J a)
    augmented Lagrangian    the same, with λ added and corrected until J a = γ  (seed 004, F7 and F8)

ρ of a row is `penalty` times the mass that it moves, over the square of its gradient: a plain number serves
metres and radians. γ holds the feedback of the stabilisation, 2Ωμ Φ′ + Ω² Φ in the sources. Rows that repeat
each other share the load. The two kinds differ only in the number of passes of one iteration.
"""

from engine.formulations import common
from engine.formulations.base import FormulationKind
from engine.formulations.common import conclude, fill_rate, prepare
from engine.kernel import kernel
from engine.linsolve.base import LARGE, envelope_factor
from engine.linsolve.penalised import add_penalties, fill_mass, iterate, weigh_rows
from engine.maths.arrays import copy
from engine.packing import open_system, open_work
from engine.problems import (
    B_NV,
    B_V,
    C_FACTORISATIONS,
    C_GUILTY,
    G_BLOCK,
    G_BLOCKS,
    INFOS,
    LD_COLUMNS,
    O_FORMULATION,
    R_GAUGE,
    RV_GAMMA,
    RV_LAMBDA,
    RV_SOLVE,
    S_NQ,
    S_NV,
    V_A,
    V_FREE,
    V_Q,
    Array,
    Ints,
    Option,
    Packed,
    Room,
    StepStatus,
    System,
)

NOT_FINITE = int(StepStatus.NOT_FINITE)
PENALTY, PASSES, TOLERANCE = O_FORMULATION, O_FORMULATION + 1, O_FORMULATION + 2
ONE_PASS, MOST_PASSES = 1.0, 60.0
MASSLESS = 1e-16  # share of the diagonal below which a pivot is left out


@kernel
def envelope(system: System, last: Ints, n: int) -> None:
    """last[i]: end of row i in the upper triangle of the penalised matrix, in the order of the bodies."""
    for b in range(system.bodies.shape[0] - 1):
        at = system.bodies[b, B_V]
        for c in range(system.bodies[b, B_NV]):
            last[at + c] = at + system.bodies[b, B_NV]
    for r in range(system.rows.shape[0]):
        begin = system.gauges[system.rows[r, R_GAUGE], G_BLOCK]
        end, first, reach = begin + system.gauges[system.rows[r, R_GAUGE], G_BLOCKS], n, 0
        for k in range(begin, end):
            body = system.block_bodies[k]
            at = system.bodies[body, B_V]
            if at >= 0:
                first, reach = min(first, at), max(reach, at + system.bodies[body, B_NV])
        for i in range(first, reach):
            last[i] = max(last[i], reach)
    for i in range(1, n):
        last[i] = max(last[i], last[i - 1])  # fill-in reaches as far as the row above


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, nv, m = system.sizes[S_NQ], system.sizes[S_NV], system.rows.shape[0]
    q, v, matrix, last = y[:nq], y[nq : nq + nv], work.dense[0], work.pivots[0]
    prepare(packed, t, q, v)
    weigh_rows(system, work, work.options[PENALTY])
    fill_mass(system, matrix, nv)
    add_penalties(system, work, matrix)
    for i in range(nv):
        if not matrix[i, i] < LARGE:
            work.counters[C_GUILTY] = i
            return NOT_FINITE
    envelope_factor(matrix, last, work.scratch, nv, MASSLESS, 0.0)
    work.counters[C_FACTORISATIONS] += 1
    copy(work.vectors[V_Q], work.vectors[V_FREE])
    for r in range(m):
        work.row[r, RV_SOLVE] = work.row[r, RV_GAMMA]
    most = int(work.options[PASSES])
    iterate(system, work, matrix, last, work.scratch, nv, most, work.options[TOLERANCE])
    copy(work.vectors[V_FREE], work.vectors[V_A])
    for r in range(m):
        work.row[r, RV_LAMBDA] = work.row[r, RV_SOLVE]
    status = conclude(packed)
    fill_rate(packed, q, v, dy)
    return status


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    envelope(system, work.pivots[0], system.sizes[S_NV])
    return common.start(packed, clock, y)


def room(system: System) -> Room:
    return Room(matrices=1, vectors=LD_COLUMNS, order=max(common.order(system), INFOS))


PENALTY_KIND = FormulationKind(
    name="penalty",
    title="Penalty",
    summary="Constraints as stiff inertia; the error of the accelerations falls as 1/penalty.",
    layout="qv",
    size=common.size,
    rate=rate,
    start=start,
    report=common.report,
    room=room,
    refuses=common.too_large,
    options=(Option("penalty", PENALTY, 1e7, "Penalty, over the mass that a row moves"),),
    constants=((PASSES, ONE_PASS),),
)
AUGMENTED_KIND = FormulationKind(
    name="augmented_lagrangian",
    title="Augmented Lagrangian, index 1",
    summary="Penalty with multipliers that are corrected until the accelerations satisfy the constraints.",
    layout="qv",
    size=common.size,
    rate=rate,
    start=start,
    report=common.report,
    room=room,
    refuses=common.too_large,
    options=(
        Option("penalty", PENALTY, 1e5, "Penalty, over the mass that a row moves"),
        Option("accuracy", TOLERANCE, 1e-12, "Relative change of the accelerations that ends the iteration"),
    ),
    constants=((PASSES, MOST_PASSES),),
)
