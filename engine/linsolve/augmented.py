"""Solver for mechanisms with massless parts: the augmented matrix of the velocities, and its iteration."""

from engine.kernel import kernel
from engine.linsolve.base import LARGE, SolverKind, envelope_factor
from engine.linsolve.penalised import ENOUGH, add_penalties, fill_mass, iterate, weigh_rows
from engine.packing import open_system, open_work
from engine.problems import (
    C_FACTORISATIONS,
    C_GUILTY,
    INFO_LEFT_OUT,
    INFO_RAISED,
    LD_INFO,
    Packed,
    StepStatus,
)

OK, NOT_FINITE = int(StepStatus.OK), int(StepStatus.NOT_FINITE)
STIFFNESS = 1e6  # weight of a row against the mass that it moves
ITERATIONS = 60
SLOW = 10  # passes: more of them mean that μ has nearly vanished, a pose near a singular one
MASSLESS = 1e-16  # share of the diagonal below which a pivot is left out; such motions are refused before


@kernel
def factor(packed: Packed) -> int:
    system, work = open_system(packed), open_work(packed)
    m, n, matrix = system.rows.shape[0], work.matrix.shape[0], work.matrix
    weigh_rows(system, work, STIFFNESS)
    fill_mass(system, matrix, n)
    add_penalties(system, work, matrix)
    for i in range(n):
        if not matrix[i, i] < LARGE:
            work.counters[C_GUILTY] = i
            return NOT_FINITE
    info = work.diagonal[LD_INFO]
    envelope_factor(matrix, system.order[m : m + n], work.diagonal, n, MASSLESS, 0.0)
    work.counters[C_FACTORISATIONS] += 1
    info[INFO_LEFT_OUT] = 0.0  # dependent rows do not show here
    return OK


@kernel
def solve(packed: Packed, refinements: int) -> int:
    """The iteration is a refinement of its own."""
    system, work = open_system(packed), open_work(packed)
    m, n = system.rows.shape[0], work.matrix.shape[0]
    passes = iterate(system, work, work.matrix, system.order[m : m + n], work.diagonal, n, ITERATIONS, ENOUGH)
    work.diagonal[LD_INFO, INFO_RAISED] = passes > SLOW
    return OK


KIND = SolverKind("augmented", factor, solve, by_rows=False)
