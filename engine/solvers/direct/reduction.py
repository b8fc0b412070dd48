"""Linear algebra of null-space methods in hat velocities (`embedding.py`): N, its use, least-norm solutions.

Small mechanisms have N as a basis: one factorisation of J C⁻¹ at a pose, kept in `Work.dense`, gives N for
coordinates and for forces, P for the rows, and multipliers. Large ones do without. The projection is

    N Nᵀ x = x − P J x,      P g:  CᵀC x = Jᵀμ,  J x = g,

a saddle-point problem with a metric that is block diagonal (`linsolve/saddle.py`), and a force whose Nᵀ
vanishes is Jᵀλ: so are the degrees of freedom, with the iteration matrix in place of the metric.

The pose that is looked at is that of `factor`; matrices, vectors and options of `newmark_nullspace.py` are
named here.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_factor, call_solve
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.maths.arrays import copy
from engine.maths.orientations import QUATERNION
from engine.solvers.direct.embedding import (
    add_metric,
    from_tangent,
    to_tangent,
    turn_rates,
    unscale,
    unscale_force,
)
from engine.solvers.direct.frequency import largest_frequency
from engine.solvers.direct.newmark_rule import BETA, GAMMA
from engine.solvers.direct.newton import OK, factor_dense_rows, lu, residual, residual_change
from engine.solvers.linsolve import nullspace, saddle, velocities
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.lu import lu_solve
from engine.solvers.linsolve.nullspace import (
    apply_orthogonal,
    apply_orthogonal_transposed,
    least_norm,
    multipliers,
)
from engine.solvers.linsolve.rows import dense_rows, row_times
from engine.solvers.linsolve.saddle import largest
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
STEP, CORRECTION, MODE = 23, 24, 25  # of the degrees of freedom; the shape with the largest frequency
VECTORS = 26
# matrices over the velocities: the metric, the iteration matrix
METRIC, ITERATION = range(2)
FACTORS = 2
METRIC_PASSES = 2  # what is left of a gap is below 1e-10 of it
# corrections to what the iteration matrix gives: it does not know that rows turn
MAX_CORRECTIONS, CORRECTION_TOLERANCE = 6, 1e-4
# of the power iteration, from scratch and from the shape of the last step
FIRST_POWERS, POWERS, POWER_TOLERANCE = 40, 2, 1e-4


@inlined
def has_basis(system: System, work: Work) -> bool:
    """Whether N is a matrix: also with rows of velocities, and where N belongs to the middle of the step."""
    return bool(
        nullspace.has_basis(system) or system.sizes[SIZE.VELOCITY_ROWS] > 0 or work.options[MIDDLE] != 0.0
    )


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
    set_chart(packed, q)
    if not has_basis(system, work):
        metric = work.factors[METRIC]
        for i in range(metric.shape[0]):
            metric[i] = 0.0
        add_metric(int(work.options[ORIENTATION]), system, work.scratch[CHART], metric)
        saddle.hold_gradients(work)
        saddle.factor(system, work, METRIC, ROW_VALUE.METRIC_WEIGHT)
        return 1.0
    n, matrix = system.sizes[SIZE.NV], work.dense[which]
    dense_rows(system, work.grad, n, matrix)
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
def project_velocities(packed: Packed, begin: int, x: Array) -> None:
    """x ← N Nᵀ x: hat velocities on entry, velocities on return."""
    system, work = open_system(packed), open_work(packed)
    n, rank, s = x.shape[0], system.sizes[SIZE.RANK], work.scratch
    if has_basis(system, work):
        project_to_null_space(work.dense[HERE], n, rank, s[SCALE], begin, x)
        to_velocities(packed, x)
        return
    to_velocities(packed, x)
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.RESIDUAL] = -row_times(system, work.grad, r, x)
    solve_rows(packed, rank, x)


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
    project_velocities(packed, begin, out)


@kernel
def add_rotation_terms(packed: Packed, rank: int, dq: Array, dv: Array, da: Array) -> None:
    """Add to dv and da the null-space part of what turning the bodies by dq does to the rule."""
    work, bodies = open_work(packed), open_system(packed).bodies
    if bodies[0, BODY.PLANAR] == 0:
        n, s, kind = dv.shape[0], work.scratch, int(work.options[ORIENTATION])
        change_v, change_a = s[HAT][:n], s[CHANGE_A][:n]
        turn_rates(kind, bodies, s[CHART], s[RATE], dq, dv, s[OLD], change_v, change_a)
        project_velocities(packed, rank, change_v)
        for c in range(n):
            dv[c] += change_v[c]
        if kind != QUATERNION:
            project_velocities(packed, rank, change_a)
            for c in range(n):
                da[c] += change_a[c]


@kernel
def solve_rows(packed: Packed, rank: int, out: Array) -> None:
    """out += P times the residuals of the rows."""
    n, system, work = out.shape[0], open_system(packed), open_work(packed)
    shift, scale = work.scratch[SHIFT][:n], work.scratch[SCALE]
    if not has_basis(system, work):
        for c in range(n):
            shift[c] = 0.0
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.RESIDUAL] *= -1.0
        saddle.solve(system, work, METRIC, 0.0, shift, METRIC_PASSES, ROW_VALUE.METRIC_WEIGHT)
        for c in range(n):
            out[c] += shift[c]
        return
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
def reactions(packed: Packed, a: Array) -> None:
    """λ from M a − Q = Jᵀλ, as far as it can be; leaves a in its place among the work arrays."""
    system, work = open_system(packed), open_work(packed)
    m, n, rank, s = system.rows.shape[0], a.shape[0], system.sizes[SIZE.RANK], work.scratch
    load, column = s[LOAD][:n], ROW_VALUE.LAMBDA
    copy(a, work.vectors[VECTOR.A])
    residual(system, work, a, False, load)
    if has_basis(system, work):
        to_hat_force(packed, load)
        multipliers(work.dense[HERE], m, n, rank, s[SCALE], work.pivots[HERE], load, work.row, column)
        return
    for r in range(m):
        work.row[r, ROW_VALUE.RESIDUAL] = work.row[r, ROW_VALUE.SOLVE] = 0.0
    saddle.solve(system, work, METRIC, 0.0, load, METRIC_PASSES, ROW_VALUE.METRIC_WEIGHT)
    for r in range(m):
        work.row[r, column] = -work.row[r, ROW_VALUE.SOLVE]


# degrees of freedom


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


@inlined
def _follow(packed: Packed, h: float) -> None:
    """DQ and DV that go with the accelerations N u in DA by the rule, and what the rows ask of all three."""
    system, work = open_system(packed), open_work(packed)
    n, s = system.sizes[SIZE.NV], work.scratch
    beta, gamma = work.options[BETA], work.options[GAMMA]
    dq, dv, da = s[DQ][:n], s[DV][:n], s[DA][:n]
    for c in range(n):
        dq[c], dv[c] = h * h * beta * da[c], h * gamma * da[c]
    add_rotation_terms(packed, system.sizes[SIZE.RANK], dq, dv, da)
    close_rate_rows(packed, False, dq, dv, da)


@kernel
def solve_degrees(packed: Packed, h: float) -> int:
    """DQ, DV, DA along the degrees of freedom, whose force M δa − D δv − K δq is RESULT but for reactions."""
    system, work = open_system(packed), open_work(packed)
    if has_basis(system, work):
        return _solve_columns(packed, h)
    n, s, matrix = system.sizes[SIZE.NV], work.scratch, work.factors[ITERATION]
    dq, dv, da, wanted = s[DQ][:n], s[DV][:n], s[DA][:n], s[RESULT][:n]
    move, correction, found = s[STEP][:n], s[CORRECTION][:n], s[LOAD][:n]
    c_v, c_q = h * work.options[GAMMA], h * h * work.options[BETA]
    for i in range(matrix.shape[0]):
        matrix[i] = -c_v * work.damping[i] - c_q * work.stiffness[i]
    velocities.add_mass(system, 1.0, matrix)
    status = saddle.factor(system, work, ITERATION)
    if status != OK:
        return int(status)
    copy(wanted, correction)
    for c in range(n):
        move[c] = 0.0
    for _ in range(MAX_CORRECTIONS):
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.RESIDUAL] = 0.0
        saddle.solve(system, work, ITERATION, 0.0, correction)
        for c in range(n):
            move[c] += correction[c]
        copy(move, da)
        _follow(packed, h)
        if largest(correction) <= CORRECTION_TOLERANCE * largest(move):
            break
        residual_change(system, work, dq, dv, da, found)
        for c in range(n):
            correction[c] = wanted[c] - found[c]
    return OK


@kernel
def _solve_columns(packed: Packed, h: float) -> int:
    """The same with the matrix of the degrees of freedom, one column each."""
    system, work = open_system(packed), open_work(packed)
    n, rank, s, reduced = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], work.scratch, work.dense[REDUCED]
    dq, dv, da, result, load = s[DQ][:n], s[DV][:n], s[DA][:n], s[RESULT][:n], s[LOAD][:n]
    free = n - rank
    reduce_force(packed, rank, result)
    for j in range(free):
        null_space_column(packed, rank, j, da)
        _follow(packed, h)
        residual_change(system, work, dq, dv, da, load)
        reduce_force(packed, rank, load)
        for i in range(free):
            reduced[i, j] = load[rank + i]
    status = lu(work, reduced, work.pivots[REDUCED], free)
    if status != OK:
        return status
    lu_solve(reduced, work.pivots[REDUCED], free, result[rank:])
    for c in range(n):
        da[c] = result[c] if c >= rank else 0.0
    apply_orthogonal(work.dense[HERE], n, rank, s[SCALE], da)
    to_velocities(packed, da)
    _follow(packed, h)
    return OK


@kernel
def natural_frequency(packed: Packed) -> float:
    """Largest natural frequency of the reduced equations, with the tangents and the factor at hand."""
    system, work = open_system(packed), open_work(packed)
    if not has_basis(system, work):
        return _frequency_by_powers(packed)
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
        residual_change(system, work, dq, dv, da, load)
        reduce_force(packed, rank, load)
        for i in range(n - rank):
            stiffness[i, j] = load[rank + i]
    return float(
        largest_frequency(mass, stiffness, work.dense[SPARE], work.pivots[FREE_MASS], s[SHIFT], n - rank)
    )


@kernel
def _frequency_by_powers(packed: Packed) -> float:
    """The same by M⁻¹K, applied again and again to the shape that the last step has left."""
    system, work = open_system(packed), open_work(packed)
    n, s, shape = system.sizes[SIZE.NV], work.scratch, work.scratch[MODE]
    dq, dv, da, force = s[DQ][:n], s[DV][:n], s[DA][:n], work.vectors[VECTOR.FREE]
    if call_factor(packed) != OK:
        return 0.0
    size, square, most = largest(shape[:n]), 0.0, POWERS
    if size == 0.0:
        most = FIRST_POWERS
        for c in range(n):
            shape[c] = math.sin(1.0 + c)  # no shape of a mechanism is orthogonal to it
        size = 1.0
    for _ in range(most):
        for c in range(n):
            dq[c], dv[c], da[c] = shape[c] / size, 0.0, 0.0
        close_rate_rows(packed, False, dq, dv, da)
        residual_change(system, work, dq, dv, da, force)
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.SOLVE] = 0.0
        call_solve(packed, 0)
        copy(force, shape)
        before, square, size = square, largest(force), largest(force)
        if not size > 0.0 or not math.isfinite(size):
            shape[:] = 0.0
            return 0.0
        if abs(square - before) <= POWER_TOLERANCE * square:
            break
    return math.sqrt(square)
