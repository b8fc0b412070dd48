"""Null space: the equations of motion projected onto the motions that the constraints allow.

With N an orthonormal basis of the motions that J allows, J N = 0, and a_p the shortest vector with J a_p = γ:

    a = a_p + N s,    Nᵀ M N s = Nᵀ(Q − M a_p),    and λ from Jᵀλ = M a − Q        [Antón 2015, §3.5.2].

N and a_p come from one Householder factorisation with the number of independent rows fixed, so redundant rows
are left out: their multipliers are zero. M need not have an inverse, NᵀMN must.

Large mechanisms have no basis (`linsolve/nullspace.py`): Nᵀ(M a − Q) = 0 is M a − Q = Jᵀλ, whatever the
basis, and a comes from the factors of that saddle-point problem, at a cost in proportion to the size.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, Room, System
from engine.compiled.states import motion_size, open_motion
from engine.solvers.formulations import common, lagrange
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import OK, conclude, fill_rate, prepare
from engine.solvers.linsolve.base import apply_mass, note_singular
from engine.solvers.linsolve.lu import lu_factor, lu_solve
from engine.solvers.linsolve.nullspace import (
    apply_orthogonal,
    basis_order,
    decompose,
    dot,
    has_basis,
    least_norm,
    multipliers,
)
from engine.solvers.linsolve.rows import dense_rows

# vectors of Work.scratch
SCALE, MOTION, FORCE = range(3)


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    if not has_basis(open_system(packed)):
        return lagrange.rate(packed, t, y, dy)
    system, work = open_system(packed), open_work(packed)
    n, rank, m = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], system.rows.shape[0]
    state, a = open_motion(system, y), work.vectors[VECTOR.A]
    q, v = state.q, state.v
    matrix, order, scale, reduced = work.dense[0], work.pivots[0], work.scratch[SCALE], work.dense[1]
    basis, motion, force, free = work.dense[2], work.scratch[MOTION], work.scratch[FORCE][:n], n - rank
    prepare(packed, t, q, v)
    dense_rows(system, work.grad, n, matrix)
    note_singular(work, decompose(matrix, m, n, rank, scale, order))
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += 2 * m * rank * n + 2 * free * rank * n + free**3 // 3
    least_norm(matrix, n, rank, scale, order, work.row, ROW_VALUE.GAMMA, a)

    # N, one line per degree of freedom, and NᵀMN
    for j in range(free):
        column = basis[j]
        for c in range(n):
            column[c] = 0.0
        column[rank + j] = 1.0
        apply_orthogonal(matrix, n, rank, scale, column)
    for j in range(free):
        apply_mass(system, basis[j], force)
        for i in range(free):
            reduced[i, j] = dot(basis[i], force, n)
    status = lu_factor(reduced, work.pivots[1], free)
    if status != OK:
        return int(status)

    # s from Nᵀ(Q − M a_p), then a = a_p + N s
    apply_mass(system, a, force)
    for c in range(n):
        force[c] = work.vectors[VECTOR.Q, c] - force[c]
    for i in range(free):
        motion[i] = dot(basis[i], force, n)
    lu_solve(reduced, work.pivots[1], free, motion)
    for i in range(free):
        column = basis[i]
        for c in range(n):
            a[c] += motion[i] * column[c]

    # the rows that hold it
    apply_mass(system, a, force)
    for c in range(n):
        force[c] -= work.vectors[VECTOR.Q, c]
    multipliers(matrix, m, n, rank, scale, order, force, work.row, ROW_VALUE.LAMBDA)
    status = conclude(packed)
    fill_rate(packed, q, v, dy)
    return status


def room(system: System) -> Room:
    return Room(matrices=3, vectors=FORCE + 1, order=basis_order(system))


KIND = FormulationKind(
    name="null_space",
    title="Null space of the constraints",
    summary="As many equations as degrees of freedom, in an orthonormal basis of the motions that are "
    "allowed.",
    layout="qv",
    size=motion_size,
    reactions=True,
    rate=rate,
    start=common.start,
    report=common.report,
    room=room,
    ranks=True,
    singular_failure="its null space turns there, and a scheme that chooses its steps turns with it",
    passes_with=frozenset({"fixed step"}),
)
