"""Hamilton's canonical equations with multipliers [Celej 2018, §5.2].

    M v = p + Jᵀσ,   J v = f' − 2ξω Φ − ω² ∫Φ,        p' = Q − J'ᵀσ

Constraints are differentiated once only. Accelerations and reactions λ = σ' are for the report, by the same
factor. State vector y = (q, p, ∫Φ, w).
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import call_constraints, call_factor, call_forces, call_solve
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, Room, System
from engine.solvers.formulations import common, momenta
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import OK
from engine.solvers.formulations.momenta import SIGMA, VECTORS, V, fill_rate, keep_velocities, open_state
from engine.solvers.linsolve.base import near_singular
from engine.solvers.linsolve.momenta import (
    feedback_options,
    gains,
    keep_accelerations,
    pose_accelerations,
    pose_velocities,
)

REFINEMENTS = 3  # near singular configurations


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    n, m, state = system.sizes[SIZE.NV], system.rows.shape[0], open_state(system, y)
    q, p, integral = state.q, state.p, state.integral
    v, sigma, info = work.scratch[V][:n], work.scratch[SIGMA][:m], work.diagonal[DIAGONAL.INFO]
    first, second = gains(work)

    # velocities and σ from the momenta
    call_constraints(packed, t, q, v)
    status = call_factor(packed)
    work.counters[COUNT.FACTORED] = status == OK
    if status != OK:
        return int(status)
    refinements = REFINEMENTS if near_singular(info) else 0
    pose_velocities(system, work, p, integral, first, second)
    status = call_solve(packed, refinements)
    keep_velocities(system, work, v, sigma)

    # with them forces; accelerations and reactions by the same factor
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    pose_accelerations(system, work, first, second)
    status = max(int(status), int(call_solve(packed, refinements)))
    work.counters[COUNT.NEAR_SINGULAR] += near_singular(info)
    keep_accelerations(system, work)
    return max(status, fill_rate(packed, t, q, v, sigma, dy))


def room(system: System) -> Room:
    return Room(vectors=VECTORS, order=common.order(system))


KIND = FormulationKind(
    name="canonical",
    title="Canonical equations",
    summary="Hamilton's momenta instead of velocities; constraints are differentiated once only.",
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
    options=feedback_options(xi=1.0, omega=10.0),
)
