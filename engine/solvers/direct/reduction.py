"""Linear algebra of null-space methods in hat velocities (`embedding.py`): N, its use, least-norm solutions.

One factorisation of J C⁻¹ at a pose, kept in `Work.dense`, gives N for coordinates and for forces, P for the
rows, and multipliers. The pose that is looked at is that of `factor`; matrices, vectors and options of
`newmark_nullspace.py` are named here.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed
from engine.maths.arrays import copy
from engine.maths.orientations import QUATERNION
from engine.solvers.direct.embedding import from_tangent, to_tangent, turn_rates, unscale, unscale_force
from engine.solvers.direct.frequency import largest_frequency
from engine.solvers.direct.newton import factor_dense_rows, residual, residual_change
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.nullspace import (
    apply_orthogonal,
    apply_orthogonal_transposed,
    least_norm,
    multipliers,
)
from engine.solvers.linsolve.rows import dense_rows, row_times
from engine.system.equations.charts import to_chart

MIDDLE, MONITOR, ORIENTATION = range(SLOT.DIRECT + 2, SLOT.DIRECT + 5)  # places in Work.options
# matrices: J here and at the middle, the iteration matrix of the degrees of freedom; mass and stiffness of
# the monitor
HERE, MID, REDUCED, FREE_MASS, FREE_STIFFNESS, SPARE = range(6)
MATRICES = 6
# vectors: old state, its parts of the rule, increments (particular and of one degree of freedom), scratch
OLD_Q, OLD, Z_Q, Z_V, SCALE, SCALE_MID = range(6)
STEP_Q, STEP_V, STEP_A, DQ, DV, DA, RESULT, LOAD, SHIFT, HAT, CHANGE_A = range(6, 17)
MID_Q, GAP, RATES, RATE, CHART, OLD_V = range(17, 23)
VECTORS = 23


@kernel
def set_chart(packed: Packed, q: Array) -> None:
    """Coordinates of the pose that is looked at now: all hat velocities are those of it."""
    system, work = open_system(packed), open_work(packed)
    to_chart(int(work.options[ORIENTATION]), system.bodies, q, work.scratch[CHART])


@inlined
def to_velocities(packed: Packed, x: Array) -> None:
    unscale(
        int(open_work(packed).options[ORIENTATION]),
        open_system(packed).bodies,
        open_work(packed).scratch[CHART],
        x,
    )


@inlined
def to_hat_force(packed: Packed, x: Array) -> None:
    unscale_force(
        int(open_work(packed).options[ORIENTATION]),
        open_system(packed).bodies,
        open_work(packed).scratch[CHART],
        x,
    )


@kernel
def factor(packed: Packed, which: int, scale: int, q: Array) -> float:
    """Null space of the present gradients in hat velocities."""
    system, work = open_system(packed), open_work(packed)
    n, matrix = system.sizes[SIZE.NV], work.dense[which]
    dense_rows(system, work.grad, n, matrix)
    set_chart(packed, q)
    for r in range(system.rows.shape[0]):
        to_hat_force(packed, matrix[r])
    return factor_dense_rows(system, work, n, matrix, work.scratch[scale], work.pivots[which])


@kernel
def project_to_null_space(matrix: Array, n: int, rank: int, scale: Array, begin: int, x: Array) -> None:
    """x ← N Nᵀ x in hat velocities; N has the places from `begin` on."""
    apply_orthogonal_transposed(matrix, n, rank, scale, x)
    for c in range(begin):
        x[c] = 0.0
    apply_orthogonal(matrix, n, rank, scale, x)


@kernel
def null_space_column(packed: Packed, rank: int, j: int, out: Array) -> None:
    """Column j of N, as velocities."""
    n, work = out.shape[0], open_work(packed)
    for c in range(n):
        out[c] = 0.0
    out[rank + j] = 1.0
    apply_orthogonal(work.dense[HERE], n, rank, work.scratch[SCALE], out)
    to_velocities(packed, out)


@kernel
def reduce_force(packed: Packed, rank: int, force: Array) -> None:
    """force ← Nᵀ force, from place `rank` on."""
    work = open_work(packed)
    to_hat_force(packed, force)
    apply_orthogonal_transposed(work.dense[HERE], force.shape[0], rank, work.scratch[SCALE], force)


@kernel
def project_rule_residual(packed: Packed, rank: int, begin: int, q: Array, x: Array, out: Array) -> None:
    """out = N Nᵀ x for a vector of the coordinates' space, as velocities.

    With N_m of the middle, N (N_mᵀ N)⁻¹ N_mᵀ x is wanted: the matrix in between is orthogonal but for h².
    """
    work, bodies = open_work(packed), open_system(packed).bodies
    nq, n, s, dense, kind = q.shape[0], out.shape[0], work.scratch, work.dense, int(work.options[ORIENTATION])
    if work.options[MIDDLE] != 0.0:
        mid_q, lifted = s[MID_Q][:nq], s[HAT][:nq]
        to_tangent(kind, bodies, mid_q, x, out)
        project_to_null_space(dense[MID], n, rank, s[SCALE_MID], begin, out)
        from_tangent(kind, bodies, mid_q, out, lifted)
        to_tangent(kind, bodies, q, lifted, out)
    else:
        to_tangent(kind, bodies, q, x, out)
    project_to_null_space(dense[HERE], n, rank, s[SCALE], begin, out)
    to_velocities(packed, out)


@kernel
def add_rotation_terms(packed: Packed, rank: int, dq: Array, dv: Array, da: Array) -> None:
    """Add to dv and da the null-space part of what turning the bodies by dq does to the rule."""
    work, bodies = open_work(packed), open_system(packed).bodies
    if bodies[0, BODY.PLANAR] == 0:
        n, s, kind = dv.shape[0], work.scratch, int(work.options[ORIENTATION])
        change_v, change_a = s[HAT][:n], s[CHANGE_A][:n]
        turn_rates(kind, bodies, s[CHART], s[RATE], dq, dv, s[OLD], change_v, change_a)
        project_to_null_space(work.dense[HERE], n, rank, s[SCALE], rank, change_v)
        to_velocities(packed, change_v)
        for c in range(n):
            dv[c] += change_v[c]
        if kind != QUATERNION:
            project_to_null_space(work.dense[HERE], n, rank, s[SCALE], rank, change_a)
            to_velocities(packed, change_a)
            for c in range(n):
                da[c] += change_a[c]


@kernel
def solve_rows(packed: Packed, rank: int, out: Array) -> None:
    """out += P times the residuals of the rows."""
    n, work = out.shape[0], open_work(packed)
    shift, scale = work.scratch[SHIFT][:n], work.scratch[SCALE]
    least_norm(work.dense[HERE], n, rank, scale, work.pivots[HERE], work.row, ROW_VALUE.RESIDUAL, shift)
    to_velocities(packed, shift)
    for c in range(n):
        out[c] += shift[c]


@kernel
def close_rate_rows(packed: Packed, known: bool, dq: Array, dv: Array, da: Array) -> None:
    """dv −= P(Φ' + R δq) and da −= P(J a − γ + A δq + B δv); Φ' and J a − γ only if they are known."""
    system, work = open_system(packed), open_work(packed)
    rank, tangent = system.sizes[SIZE.RANK], work.tangent
    for r in range(system.rows.shape[0]):
        gap = row_times(system, tangent[TAN.RATE_Q], r, dq)
        work.row[r, ROW_VALUE.RESIDUAL] = -gap - (work.row[r, ROW_VALUE.RATE] if known else 0.0)
    solve_rows(packed, rank, dv)
    for r in range(system.rows.shape[0]):
        gap = row_times(system, tangent[TAN.ACC_Q], r, dq) + row_times(system, tangent[TAN.ACC_V], r, dv)
        if known:
            gap += row_times(system, work.grad, r, work.vectors[VECTOR.A]) - work.row[r, ROW_VALUE.GAMMA]
        work.row[r, ROW_VALUE.RESIDUAL] = -gap
    solve_rows(packed, rank, da)


@kernel
def reduced_change(packed: Packed, dq: Array, dv: Array, da: Array, out: Array) -> None:
    """out = Nᵀ(M δa − D δv − K δq), from place `rank` on."""
    system, work = open_system(packed), open_work(packed)
    n = out.shape[0]
    residual_change(system, work, n, dq, dv, da, out)
    reduce_force(packed, system.sizes[SIZE.RANK], out)


@kernel
def reactions(packed: Packed, a: Array) -> None:
    """λ from M a − Q = Jᵀλ, as far as it can be; leaves a in its place among the work arrays."""
    system, work = open_system(packed), open_work(packed)
    m, n, rank, s = system.rows.shape[0], a.shape[0], system.sizes[SIZE.RANK], work.scratch
    load = s[LOAD][:n]
    copy(a, work.vectors[VECTOR.A])
    residual(system, work, a, False, load)
    to_hat_force(packed, load)
    multipliers(work.dense[HERE], m, n, rank, s[SCALE], work.pivots[HERE], load, work.row, ROW_VALUE.LAMBDA)


@kernel
def natural_frequency(packed: Packed) -> float:
    """Largest natural frequency of the reduced equations, with the tangents and the factor at hand."""
    system, work = open_system(packed), open_work(packed)
    n, rank, s = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], work.scratch
    dq, dv, da, load = s[DQ][:n], s[DV][:n], s[DA][:n], s[LOAD][:n]
    mass, stiffness = work.dense[FREE_MASS], work.dense[FREE_STIFFNESS]
    for j in range(n - rank):
        null_space_column(packed, rank, j, dq)
        apply_mass(system, dq, load)
        reduce_force(packed, rank, load)
        for i in range(n - rank):
            mass[i, j] = load[rank + i]
        dv[:] = 0.0
        da[:] = 0.0
        close_rate_rows(packed, False, dq, dv, da)
        reduced_change(packed, dq, dv, da, load)
        for i in range(n - rank):
            stiffness[i, j] = load[rank + i]
    return float(
        largest_frequency(mass, stiffness, work.dense[SPARE], work.pivots[FREE_MASS], s[SHIFT], n - rank)
    )
