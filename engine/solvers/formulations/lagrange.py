"""Lagrange multipliers: accelerations and reactions together, at every evaluation.

    M a = Q + Jᵀλ,   J a = γ            (index 1; [Flores 2012, eq. 141], with the sign of λ changed)

State vector y = (q, v, w): coordinates, velocities, and the work integrals w' = power.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.dispatch import call_accelerate, call_factor, call_solve
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed
from engine.compiled.states import motion_size, open_motion
from engine.solvers.formulations import common
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import OK, conclude, fill_rate, prepare
from engine.solvers.linsolve.base import keep_motion, load_motion, near_singular

REFINEMENTS = 3  # near singular configurations


@inlined
def acceleration(packed: Packed, t: float, q: Array, v: Array) -> int:
    """Accelerations and multipliers at (t, q, v), left in VECTOR.A and ROW_VALUE.LAMBDA."""
    system, work = open_system(packed), open_work(packed)
    prepare(packed, t, q, v)
    status = call_factor(packed)
    work.counters[COUNT.FACTORED] = status == OK
    if status != OK:
        return int(status)
    info = work.diagonal[DIAGONAL.INFO]
    if near_singular(info):
        load_motion(system, work)
        status = call_solve(packed, REFINEMENTS)
        keep_motion(system, work)
    else:
        status = call_accelerate(packed)
    work.counters[COUNT.NEAR_SINGULAR] += near_singular(info)  # a solver may find out only now
    return max(int(status), conclude(packed))


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    state = open_motion(open_system(packed), y)
    status = acceleration(packed, t, state.q, state.v)
    fill_rate(packed, state.q, state.v, dy)
    return status


KIND = FormulationKind(
    name="lagrange",
    title="Lagrange multipliers",
    summary="Accelerations and reactions from one saddle-point system; the reference formulation.",
    layout="qv",
    size=motion_size,
    reactions=True,
    rate=rate,
    start=common.start,
    report=common.report,
)
