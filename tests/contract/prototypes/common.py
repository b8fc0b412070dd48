"""What the prototypes share: one linear solve for accelerations, and numbers of freedoms."""

from engine.calls import call_constraints, call_factor, call_forces, call_solve
from engine.kernel import inlined
from engine.linsolve.base import apply_mass
from engine.linsolve.nullspace import decompose
from engine.linsolve.rows import add_row, dense_rows
from engine.packing import open_system, open_work
from engine.problems import (
    C_EVALUATIONS,
    RV_GAMMA,
    RV_LAMBDA,
    RV_SOLVE,
    S_NQ,
    V_A,
    V_FREE,
    V_Q,
    Array,
    Packed,
    Room,
    System,
    Work,
)
from engine.system.equations import motion_powers

DEPENDENT = 1e-8  # of the largest pivot
H_RANK, H_STEP = 0, 1  # Work.history


@inlined
def acceleration(packed: Packed, t: float, q: Array, v: Array) -> int:
    """a, λ and powers at a consistent state, left in the work arrays."""
    system, work = open_system(packed), open_work(packed)
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    status = call_factor(packed)
    if status == 0:
        for c in range(v.shape[0]):
            work.vectors[V_FREE, c] = work.vectors[V_Q, c]
        for r in range(system.rows.shape[0]):
            work.row[r, RV_SOLVE] = work.row[r, RV_GAMMA]
        status = call_solve(packed, 1)
        for c in range(v.shape[0]):
            work.vectors[V_A, c] = work.vectors[V_FREE, c]
        for r in range(system.rows.shape[0]):
            work.row[r, RV_LAMBDA] = work.row[r, RV_SOLVE]
        motion_powers(system, work)
    work.counters[C_EVALUATIONS] += 1
    return int(status)


@inlined
def find_rank(packed: Packed, n: int) -> None:
    """Count the independent rows at a consistent pose; the number stays until the next jump."""
    system, work = open_system(packed), open_work(packed)
    matrix, m, rank = work.dense[0], system.rows.shape[0], 0
    dense_rows(system, work.grad, n, matrix)
    decompose(matrix, m, n, min(m, n), work.scratch[0], work.pivots[0])
    for i in range(min(m, n)):
        if abs(matrix[i, i]) > DEPENDENT * abs(matrix[0, 0]):
            rank += 1
    work.history[H_RANK] = rank


@inlined
def unbalance(system: System, work: Work, a: Array, with_reactions: bool, out: Array) -> None:
    """out = M a − Q, or M a − Q − Jᵀλ."""
    apply_mass(system, a, out)
    for c in range(a.shape[0]):
        out[c] -= work.vectors[V_Q, c]
    if with_reactions:
        for r in range(system.rows.shape[0]):
            add_row(system, work.grad, r, -work.row[r, RV_LAMBDA], out)


def largest(system: System) -> int:
    return max(int(system.sizes[S_NQ]), len(system.rows))


def room(system: System) -> Room:
    return Room(matrices=3, vectors=13, order=largest(system))
