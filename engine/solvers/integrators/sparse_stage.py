"""The matrix of a stage as a saddle-point problem over the velocities, for y = (q, v, w).

Eliminating accelerations and multipliers makes ∂f/∂y full: through the constraints every acceleration depends
on the whole state. Kept as unknowns they leave the pattern of the bodies that rows and forces couple. With
displacements d of the coordinates, the gap (ρ, r) of positions and velocities and

    d − g δv = ρ,    δv − g δa = r,    M δa = K d + D δv + Jᵀδλ,    J δa + A_q d + A_v δv = 0,

A_q = ∂(J a − γ)/∂q and A_v = −∂γ/∂v, the corrections follow from

    (M − g D − g² K) δv − g Jᵀδλ = M r + g K ρ,    (J + g A_v + g² A_q) δv = J r − g A_q ρ.

What is left out costs iterations, not accuracy, since gaps come from the rate itself: how ω turns d (of the
order of g ω), what a stabilisation feeds back, and powers, on which nothing depends: w follows one iteration
later. So does what one pass of `saddle.solve` leaves of the rows, less than an iteration does; only near
singular configurations is it more. There all passes are made, with rows as hard as rounding allows.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System
from engine.solvers.integrators.stage_rows import GAP, SHIFTED
from engine.solvers.linsolve import saddle, velocities
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.long_chains import HARD
from engine.solvers.linsolve.rows import row_times

FACTORS = 1  # the last of `Work.factors`
CLEAR = 1e-2  # smallest pivot of the rows, over its usual size, above which one pass is enough
WEIGHT = ROW_VALUE.METRIC_WEIGHT  # of the rows; formulations have the other column


@kernel
def factor(packed: Packed, t: float, weight: float, y: Array, first: int) -> int:
    """The saddle-point matrix at y, where the rate was evaluated last."""
    system, work = open_system(packed), open_work(packed)
    call_tangents(packed, t, work.vectors[VECTOR.A])
    which = work.factors.shape[0] - 1
    matrix, stiffness, damping = work.factors[which], work.stiffness, work.damping
    matrix[:] = 0.0
    for i in range(stiffness.shape[0]):
        matrix[i] = -weight * (damping[i] + weight * stiffness[i])
    velocities.add_mass(system, 1.0, matrix)
    tangent, grad = work.tangent, work.grad
    for k in range(grad.shape[0]):
        for c in range(grad.shape[1]):
            tangent[TAN.ACTING, k, c] = grad[k, c]
            slope = tangent[TAN.ACC_V, k, c] + weight * tangent[TAN.ACC_Q, k, c]
            tangent[TAN.HELD, k, c] = grad[k, c] + weight * slope
    hard = saddle.STIFFNESS if _is_clear(work.diagonal[DIAGONAL.INFO]) else HARD
    return saddle.factor(system, work, which, WEIGHT, hard)


@kernel
def solve(packed: Packed, weight: float, y: Array, first: int) -> None:
    """The gap becomes the correction of (q, v, w), in the row GAP."""
    system, work = open_system(packed), open_work(packed)
    nq, nv = system.sizes[SIZE.NQ], system.sizes[SIZE.NV]
    gap, scratch = work.stages[first + GAP], work.stages[first + SHIFTED]
    gap_q, gap_v = gap[:nq], gap[nq : nq + nv]
    shift, x = scratch[:nv], scratch[nq : nq + nv]
    _displacements(system, y, gap_q, shift)
    apply_mass(system, gap_v, x)
    for c in range(nv):
        shift[c] *= -weight
    velocities.subtract_product(system, work.stiffness, shift, x)
    for r in range(system.rows.shape[0]):
        moved = row_times(system, work.tangent[TAN.ACC_Q], r, shift)
        work.row[r, ROW_VALUE.RESIDUAL] = -moved - row_times(system, work.tangent[TAN.ACTING], r, gap_v)
        work.row[r, ROW_VALUE.SOLVE] = 0.0
    passes = 1 if _is_clear(work.diagonal[DIAGONAL.INFO]) else saddle.PASSES
    saddle.solve(system, work, work.factors.shape[0] - 1, math.inf, x, passes, WEIGHT)
    for c in range(nv):
        gap_v[c] = x[c]
        x[c] = weight * x[c] - shift[c] / weight
    _coordinates(system, y, x, gap_q)


@inlined
def _is_clear(info: Array) -> bool:
    """Whether the last evaluation was far from a singular configuration; False where nobody noted it."""
    return bool(
        info[PIVOT.WORST] > CLEAR * info[PIVOT.USUAL] > 0.0
        and info[PIVOT.RAISED] == 0.0
        and info[PIVOT.LEFT_OUT] <= info[PIVOT.FEWEST]
    )


@inlined
def _displacements(system: System, y: Array, gap: Array, out: Array) -> None:
    """Change of coordinates as displacement: of a quaternion 2 q̄ ⊗ δq/|q|², whose vector is the rotation.

    The scalar is left in the first place of the quaternion: it changes its length only.
    """
    for b in range(system.bodies.shape[0] - 1):
        at, to = system.bodies[b, BODY.Q], system.bodies[b, BODY.V]
        for c in range(3):
            out[to + c] = gap[at + c]
        if system.bodies[b, BODY.PLANAR] == 0:
            w, x, y_, z = y[at + 3], y[at + 4], y[at + 5], y[at + 6]
            e, f, g, h = gap[at + 3], gap[at + 4], gap[at + 5], gap[at + 6]
            k = 1.0 / (w * w + x * x + y_ * y_ + z * z)
            out[to + 3] = 2.0 * k * (w * f - e * x - (y_ * h - z * g))
            out[to + 4] = 2.0 * k * (w * g - e * y_ - (z * f - x * h))
            out[to + 5] = 2.0 * k * (w * h - e * z - (x * g - y_ * f))
            gap[at + 3] = k * (w * e + x * f + y_ * g + z * h)


@inlined
def _coordinates(system: System, y: Array, move: Array, out: Array) -> None:
    """The inverse: δq = q ⊗ (s, d/2), with s in the first place of the quaternion."""
    for b in range(system.bodies.shape[0] - 1):
        at, to = system.bodies[b, BODY.Q], system.bodies[b, BODY.V]
        for c in range(3):
            out[at + c] = move[to + c]
        if system.bodies[b, BODY.PLANAR] == 0:
            w, x, y_, z = y[at + 3], y[at + 4], y[at + 5], y[at + 6]
            s, a, c_, d = out[at + 3], 0.5 * move[to + 3], 0.5 * move[to + 4], 0.5 * move[to + 5]
            out[at + 3] = w * s - x * a - y_ * c_ - z * d
            out[at + 4] = w * a + x * s + y_ * d - z * c_
            out[at + 5] = w * c_ + y_ * s + z * a - x * d
            out[at + 6] = w * d + z * s + x * c_ - y_ * a
