"""Projection: after every step positions and velocities are brought back to the constraints.

The corrections are orthogonal in the metric of the mass:

    M δ = Jᵀμ,  J δ = −Φ,  q ← q ⊕ δ   repeated until Φ vanishes;    M δv = Jᵀμ,  J δv = −Φ'

The factor of the last stage, taken next to the new state, serves for all corrections; only residuals are
evaluated anew. If that converges slowly (large step, singular configuration) the matrix is factored again.

Next to a singular configuration the rows fix the velocity along a vanishing direction only through
differences of small numbers: an error δ of the position becomes an error δ/σ of the velocity. There the step
is left as the scheme gave it, and the projection takes up again a few steps later, unless the violation
grows beyond `SINGULAR_VIOLATION`.

Re-imposition does the same, but only when a violation has passed a threshold [Antón 2015, §3.5.3].
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_solve
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, StepStatus, System, Work
from engine.compiled.states import open_motion
from engine.maths.arrays import copy
from engine.solvers.linsolve.base import near_singular
from engine.solvers.linsolve.rows import largest_violation
from engine.solvers.stabilisation.base import StabilisationKind, no_feedback
from engine.system.equations.kinematics import normalise, resolution, retract

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
TOLERANCE, LIMIT, THRESHOLD = SLOT.STABILISATION, SLOT.STABILISATION + 1, SLOT.STABILISATION + 2
WEAK = 1e-5  # smallest pivot, over its usual size, below which a pose counts as near-singular
SINGULAR_VIOLATION = 1e-7  # violation, over the size of the row, that is tolerated there
ROUNDING = 1e-10  # violation, over the size of the row, that is accepted when it shrinks no more
CONTRACTION_LIMIT = 0.1  # a correction that leaves more than this share calls for a fresh factor


@inlined
def _correct(packed: Packed, system: System, work: Work, column: int) -> None:
    """VECTOR.FREE = the mass-orthogonal correction of a column of the rows."""
    if system.sizes[SIZE.MASSLESS] > 0:
        # the penalties of that solver hide the masses at any other pose than that of the factor
        call_factor(packed)
    work.vectors[VECTOR.FREE][:] = 0.0
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.SOLVE] = -work.row[r, column]
    call_solve(packed, 1 if work.diagonal[DIAGONAL.INFO, PIVOT.RAISED] > 0.0 else 0)


@inlined
def is_near_singular(info: Array) -> bool:
    """Whether the last factor of the linear solver belongs to a pose next to a singular one."""
    return bool(
        info[PIVOT.WORST] < WEAK * info[PIVOT.USUAL]
        or info[PIVOT.RAISED] > 0.0
        or info[PIVOT.LEFT_OUT] > info[PIVOT.FEWEST]
    )


@inlined
def speed(v: Array) -> float:
    """Largest velocity: rates cannot vanish better than it is rounded."""
    largest = 0.0
    for c in range(v.shape[0]):
        largest = max(largest, abs(v[c]))
    return largest


@kernel
def project(packed: Packed, t: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_motion(system, y)
    q, v = state.q, state.v
    normalise(system.bodies, q)
    if system.rows.shape[0] == 0:
        return OK
    tolerance, limit, info = work.options[TOLERANCE], int(work.options[LIMIT]), work.diagonal[DIAGONAL.INFO]
    call_constraints(packed, t, q, v)

    # nothing to do yet?
    size, allowed = largest_violation(system, work, ROW_VALUE.PHI), work.options[THRESHOLD]
    if size <= allowed and largest_violation(system, work, ROW_VALUE.RATE) <= allowed:
        work.counters[COUNT.FRESH] = 1
        return OK

    # positions
    if work.counters[COUNT.FACTORED] == 0:
        # the formulation has a linear algebra of its own
        status = call_factor(packed)
        if status != OK:
            return int(status)
        if system.sizes[SIZE.MASSLESS] > 0:
            # that solver learns only by solving how near the pose is
            copy(work.vectors[VECTOR.Q], work.vectors[VECTOR.FREE])
            for r in range(system.rows.shape[0]):
                work.row[r, ROW_VALUE.SOLVE] = work.row[r, ROW_VALUE.GAMMA]
            call_solve(packed, 0)
        near_singular(info)
    if is_near_singular(info) and size <= SINGULAR_VIOLATION:
        work.counters[COUNT.FRESH] = 1
        return OK
    tolerance = max(tolerance, resolution(q))
    for _ in range(limit):
        if size <= tolerance:
            break
        _correct(packed, system, work, ROW_VALUE.PHI)
        retract(system.bodies, q, work.vectors[VECTOR.FREE], q)
        call_constraints(packed, t, q, v)
        work.counters[COUNT.ITERATIONS] += 1
        before, size = size, largest_violation(system, work, ROW_VALUE.PHI)
        if size > CONTRACTION_LIMIT * before:
            if size <= ROUNDING:
                break  # as small as rounding lets it be
            call_factor(packed)
    if not size <= max(tolerance, ROUNDING):
        return NOT_CONVERGED

    # velocities: linear in the correction, so one pass is enough but for the age of the factor
    size = largest_violation(system, work, ROW_VALUE.RATE)
    for _ in range(limit):
        if size <= tolerance:
            break
        _correct(packed, system, work, ROW_VALUE.RATE)
        for c in range(v.shape[0]):
            v[c] += work.vectors[VECTOR.FREE, c]
        call_constraints(packed, t, q, v)
        before, size = size, largest_violation(system, work, ROW_VALUE.RATE)
        if size > CONTRACTION_LIMIT * before:
            if size <= ROUNDING * max(1.0, speed(v)):
                break
            call_factor(packed)
    if not size <= max(tolerance, ROUNDING * max(1.0, speed(v))):
        return NOT_CONVERGED
    work.counters[COUNT.FRESH] = 1
    return OK


OPTIONS = (
    Option("tolerance", TOLERANCE, 1e-13, "Violation that is left, over the size of the row"),
    Option("iterations", LIMIT, 20.0, "Largest number of corrections"),
)
KIND = StabilisationKind(
    name="projection",
    title="Projection of positions and velocities",
    summary="Both levels hold to rounding after every step, orthogonally to the mass matrix.",
    feedback=no_feedback,
    project=project,
    layouts=frozenset({"qv"}),
    options=OPTIONS,
)
REIMPOSITION = StabilisationKind(
    name="reimposition",
    title="Re-imposition of the constraints",
    summary="Projects like projection, but only when a violation has passed the threshold.",
    feedback=no_feedback,
    project=project,
    layouts=frozenset({"qv"}),
    options=(*OPTIONS, Option("threshold", THRESHOLD, 1e-6, "Violation over the size of the row")),
    singular_failure="what is left below the threshold opens a gap between the motions that meet there",
)
