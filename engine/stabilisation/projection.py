"""Projection: after every step positions and velocities are brought back to the constraints, orthogonally to the mass.

    M δ = Jᵀμ,  J δ = −Φ,  q ← q ⊕ δ   repeated until Φ vanishes;    M δv = Jᵀμ,  J δv = −Φ'

The factor of the last stage, taken next to the new state, serves for all corrections; only residuals are evaluated
anew. If that converges slowly (large step, singular pose) the matrix is factored again.
"""

from engine.calls import call_constraints, call_factor, call_solve
from engine.kernel import inlined, kernel
from engine.packing import open_system, open_work
from engine.problems import (
    C_GUILTY,
    C_ITERATIONS,
    LD_INFO,
    O_STABILISATION,
    RR_SCALE,
    RV_PHI,
    RV_RATE,
    RV_SOLVE,
    S_NQ,
    S_NV,
    V_FREE,
    Array,
    Option,
    Packed,
    StepStatus,
    System,
    Work,
)
from engine.stabilisation.base import StabilisationKind, no_feedback
from engine.system.kinematics import normalise, retract

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
TOLERANCE, LIMIT = O_STABILISATION, O_STABILISATION + 1
SLOW = 0.1  # a correction that leaves more than this share calls for a fresh factor


@inlined
def _largest(system: System, work: Work, column: int, velocity: bool) -> float:
    """Largest violation over its scale; remembers the row."""
    worst = 0.0
    for r in range(system.rows.shape[0]):
        value = abs(work.row[r, column]) / system.row_reals[r, RR_SCALE]
        if not value <= worst:
            worst = value
            work.counters[C_GUILTY] = r
    return worst


@inlined
def _correct(packed: Packed, system: System, work: Work, column: int) -> None:
    """V_FREE = the mass-orthogonal correction of a column of the rows."""
    work.vectors[V_FREE][:] = 0.0
    for r in range(system.rows.shape[0]):
        work.row[r, RV_SOLVE] = -work.row[r, column]
    call_solve(packed, 1 if work.diagonal[LD_INFO, 1] > 0.0 else 0)


@kernel
def settle(packed: Packed, t: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[S_NQ], system.sizes[S_NV]
    q, v = y[:nq], y[nq : nq + nv]
    normalise(system.bodies, q)
    if system.rows.shape[0] == 0:
        return OK
    tolerance, limit = work.options[TOLERANCE], int(work.options[LIMIT])
    call_constraints(packed, t, q, v)

    # positions
    size = _largest(system, work, RV_PHI, False)
    for _ in range(limit):
        if size <= tolerance:
            break
        _correct(packed, system, work, RV_PHI)
        retract(system.bodies, q, work.vectors[V_FREE], q)
        call_constraints(packed, t, q, v)
        work.counters[C_ITERATIONS] += 1
        before, size = size, _largest(system, work, RV_PHI, False)
        if size > SLOW * before and size > tolerance:
            call_factor(packed)
    if not size <= tolerance:
        return NOT_CONVERGED

    # velocities: linear, so one pass and one check
    size = _largest(system, work, RV_RATE, True)
    for _ in range(limit):
        if size <= tolerance:
            break
        _correct(packed, system, work, RV_RATE)
        for c in range(nv):
            v[c] += work.vectors[V_FREE, c]
        call_constraints(packed, t, q, v)
        before, size = size, _largest(system, work, RV_RATE, True)
        if size > SLOW * before and size > tolerance:
            call_factor(packed)
    if not size <= tolerance:
        return NOT_CONVERGED
    return OK


KIND = StabilisationKind(
    name="projection",
    title="Projection of positions and velocities",
    summary="Both levels hold to rounding after every step, orthogonally to the mass matrix.",
    feedback=no_feedback,
    settle=settle,
    layouts=frozenset({"qv"}),
    options=(
        Option("tolerance", TOLERANCE, 1e-10, "Violation that is left, over the size of the row"),
        Option("iterations", LIMIT, 20.0, "Largest number of corrections"),
    ),
)
