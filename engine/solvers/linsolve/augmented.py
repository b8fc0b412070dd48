"""Solver for mechanisms with massless parts: the augmented matrix of the velocities, and its iteration."""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.kernel import kernel
from engine.compiled.layout import Packed, StepStatus
from engine.solvers.linsolve.base import SolverKind, keep_motion, load_motion
from engine.solvers.linsolve.long_chains import harder
from engine.solvers.linsolve.penalised import (
    LONG,
    MULTIPLIER_TOLERANCE,
    factor_penalised,
    iterate,
    set_row_weights,
)

OK = int(StepStatus.OK)
STIFFNESS = 1e6  # weight of a row against the mass that it moves
ITERATIONS = 60
SINGULAR_PASSES = 10  # passes: more of them mean that μ has nearly vanished, a pose near a singular one


@kernel
def factor(packed: Packed) -> int:
    system, work = open_system(packed), open_work(packed)
    set_row_weights(system, work, harder(system, STIFFNESS, LONG))
    status = factor_penalised(system, work, work.matrix, work.diagonal)
    work.diagonal[DIAGONAL.INFO, PIVOT.LEFT_OUT] = 0.0  # dependent rows do not show here
    return status


@kernel
def solve(packed: Packed, refinements: int) -> int:
    """The iteration is a refinement of its own."""
    system, work = open_system(packed), open_work(packed)
    passes = iterate(system, work, work.matrix, work.diagonal, ITERATIONS, MULTIPLIER_TOLERANCE)
    work.diagonal[DIAGONAL.INFO, PIVOT.RAISED] = passes > SINGULAR_PASSES
    return OK


@kernel
def accelerate(packed: Packed) -> int:
    """As `solve`, from Q and γ to a and λ in their places."""
    system, work = open_system(packed), open_work(packed)
    load_motion(system, work)
    status = solve(packed, 0)
    keep_motion(system, work)
    return int(status)


KIND = SolverKind("augmented", factor, solve, accelerate, by_rows=False)
