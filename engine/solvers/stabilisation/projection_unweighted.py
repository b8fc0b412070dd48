"""Projection by the shortest way in the coordinates, whatever the bodies weigh:

    δ = Jᵀμ,  J δ = −Φ,  q ← q ⊕ δ   repeated until Φ vanishes;      δv = Jᵀμ,  J δv = −Φ'

A metre counts as much as a radian. Newton's method with the pseudo-inverse of J takes this way; `projection`
has M in the place of the unit matrix, and does the least it can to the motion [Blajer 2002]. Solved as

    (1 + JᵀWJ) δ = −JᵀW Φ,   with W of every row 1e6 over J Jᵀ,

and passes with the same factor that take out what W leaves: dependent rows do no harm.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.dispatch import call_constraints
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Room, System, Work
from engine.compiled.states import open_motion
from engine.solvers.linsolve import saddle, velocities
from engine.solvers.linsolve.rows import add_row, largest_violation, row_times
from engine.solvers.stabilisation.base import OK, StabilisationKind, no_feedback
from engine.solvers.stabilisation.projection import (
    CONTRACTION_LIMIT,
    LIMIT,
    NOT_CONVERGED,
    OPTIONS,
    ROUNDING,
    SINGULAR_VIOLATION,
    TOLERANCE,
    is_near_singular,
    speed,
)
from engine.system.equations.kinematics import normalise, resolution, retract


@kernel
def _factor(system: System, work: Work) -> int:
    """1 + JᵀWJ at the present gradients."""
    which = work.factors.shape[0] - 1
    matrix, grad = work.factors[which], work.grad
    matrix[:] = 0.0
    for b in range(system.bodies.shape[0] - 1):
        block = system.velocity_blocks[b]
        for c in range(system.bodies[b, BODY.NV]):
            matrix[block[BLOCK.START] + c * (block[BLOCK.ROW_STEP] + 1)] = 1.0
            work.ordered[block[BLOCK.ROW_VELOCITY] + c] = 1.0
    saddle.set_row_weights(system, work, saddle.STIFFNESS, work.ordered)
    for r in range(system.rows.shape[0]):
        velocities.add_row_product(system, matrix, r, work.row[r, ROW_VALUE.WEIGHT], grad, grad, False)
    return velocities.factor(system, work, which)


@inlined
def _correct(system: System, work: Work, column: int) -> None:
    """VECTOR.FREE = the shortest correction of a column of the rows."""
    which, load, total = work.factors.shape[0] - 1, work.vectors[VECTOR.STEP], work.vectors[VECTOR.FREE]
    total[:] = 0.0
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, column]
    for _ in range(saddle.PASSES):
        load[:] = 0.0
        for r in range(system.rows.shape[0]):
            pull = -work.row[r, ROW_VALUE.WEIGHT] * work.row[r, ROW_VALUE.RESIDUAL]
            add_row(system, work.grad, r, pull, load)
        velocities.solve(system, work, which, load)
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.RESIDUAL] += row_times(system, work.grad, r, load)
        for c in range(load.shape[0]):
            total[c] += load[c]


@kernel
def project(packed: Packed, t: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_motion(system, y)
    q, v, total = state.q, state.v, work.vectors[VECTOR.FREE]
    normalise(system.bodies, q)
    if system.rows.shape[0] == 0:
        return OK
    tolerance, limit = max(work.options[TOLERANCE], resolution(q)), int(work.options[LIMIT])
    call_constraints(packed, t, q, v)
    work.counters[COUNT.FRESH] = 1
    size = largest_violation(system, work, ROW_VALUE.PHI)
    if is_near_singular(work.diagonal[DIAGONAL.INFO]) and size <= SINGULAR_VIOLATION:
        return OK
    status = _factor(system, work)
    for _ in range(limit):
        if status != OK:
            return int(status)
        if size <= tolerance:
            break
        _correct(system, work, ROW_VALUE.PHI)
        retract(system.bodies, q, total, q)
        call_constraints(packed, t, q, v)
        work.counters[COUNT.ITERATIONS] += 1
        before, size = size, largest_violation(system, work, ROW_VALUE.PHI)
        if size > CONTRACTION_LIMIT * before:
            if size <= ROUNDING:
                break
            status = _factor(system, work)
    if not size <= max(tolerance, ROUNDING):
        return NOT_CONVERGED

    size = largest_violation(system, work, ROW_VALUE.RATE)
    for _ in range(limit):
        if status != OK:
            return int(status)
        if size <= tolerance:
            break
        _correct(system, work, ROW_VALUE.RATE)
        for c in range(v.shape[0]):
            v[c] += total[c]
        call_constraints(packed, t, q, v)
        before, size = size, largest_violation(system, work, ROW_VALUE.RATE)
        if size > CONTRACTION_LIMIT * before:
            if size <= ROUNDING * max(1.0, speed(v)):
                break
            status = _factor(system, work)
    if not size <= max(tolerance, ROUNDING * max(1.0, speed(v))):
        return NOT_CONVERGED
    return OK


def room(system: System) -> Room:
    return Room(factors=1)


KIND = StabilisationKind(
    name="projection_unweighted",
    title="Projection without masses",
    summary="Both levels hold to rounding after every step, by the shortest way in metres and radians.",
    feedback=no_feedback,
    project=project,
    layouts=frozenset({"qv"}),
    options=OPTIONS,
    room=room,
    singular_failure="without masses nothing says which of the motions that meet there goes on",
)
