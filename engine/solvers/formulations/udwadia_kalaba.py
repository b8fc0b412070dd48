"""The equation of [Udwadia 1992]: constraints bend the free acceleration as little as they can.

    a = a_f + M^(−½) (J M^(−½))⁺ (γ − J a_f),     a_f = M⁻¹ Q

Gauss's principle in closed form: (a − a_f)ᵀ M (a − a_f) is smallest. Any factor M = L Lᵀ serves in place of
the square root, since orthogonal factors drop out; here L is the Cholesky factor of every body's block, so

    B = J L⁻ᵀ,    a = a_f + L⁻ᵀ B⁺ (γ − J a_f),    Bᵀλ = B⁺ (γ − J a_f).

The pseudo-inverse is a Householder factorisation with the number of independent rows fixed.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Room, System
from engine.compiled.states import motion_size, open_motion
from engine.maths.arrays import copy
from engine.solvers.formulations import common
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import conclude, fill_rate, prepare
from engine.solvers.linsolve.base import apply_inverse_mass, note_singular
from engine.solvers.linsolve.nullspace import decompose, least_norm, multipliers
from engine.solvers.linsolve.rows import dense_rows, row_times

# vectors of Work.scratch
SCALE, BEND, COPY = range(3)
NO_INVERSE = "Udwadia-Kalaba needs the inverse of the mass matrix"  # the reason without the body to blame


@inlined
def whiten(system: System, x: Array) -> None:
    """x ← C⁻¹ x, body by body."""
    for b in range(system.bodies.shape[0] - 1):
        at, real = system.bodies[b, BODY.V], system.body_reals[b]
        k = 1.0 / math.sqrt(real[BODY_REAL.MASS])
        x[at] *= k
        x[at + 1] *= k
        if system.bodies[b, BODY.PLANAR]:
            x[at + 2] /= math.sqrt(real[BODY_REAL.INERTIA + 8])
        else:
            x[at + 2] *= k
            c00, c10, c11, c20, c21, c22 = cholesky(real)
            x[at + 3] = x[at + 3] / c00
            x[at + 4] = (x[at + 4] - c10 * x[at + 3]) / c11
            x[at + 5] = (x[at + 5] - c20 * x[at + 3] - c21 * x[at + 4]) / c22


@inlined
def colour(system: System, x: Array) -> None:
    """x ← C⁻ᵀ x, body by body."""
    for b in range(system.bodies.shape[0] - 1):
        at, real = system.bodies[b, BODY.V], system.body_reals[b]
        k = 1.0 / math.sqrt(real[BODY_REAL.MASS])
        x[at] *= k
        x[at + 1] *= k
        if system.bodies[b, BODY.PLANAR]:
            x[at + 2] /= math.sqrt(real[BODY_REAL.INERTIA + 8])
        else:
            x[at + 2] *= k
            c00, c10, c11, c20, c21, c22 = cholesky(real)
            x[at + 5] = x[at + 5] / c22
            x[at + 4] = (x[at + 4] - c21 * x[at + 5]) / c11
            x[at + 3] = (x[at + 3] - c10 * x[at + 4] - c20 * x[at + 5]) / c00


@inlined
def cholesky(real: Array) -> tuple[float, float, float, float, float, float]:
    """L of a body's inertia Θ, L Lᵀ = Θ, row by row."""
    j = real[BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9]
    c00 = math.sqrt(j[0])
    c10, c20 = j[3] / c00, j[6] / c00
    c11 = math.sqrt(j[4] - c10 * c10)
    c21 = (j[7] - c20 * c10) / c11
    return c00, c10, c11, c20, c21, math.sqrt(j[8] - c20 * c20 - c21 * c21)


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    n, rank, m = system.sizes[SIZE.NV], system.sizes[SIZE.RANK], system.rows.shape[0]
    state, a, matrix = open_motion(system, y), work.vectors[VECTOR.A], work.dense[0]
    q, v = state.q, state.v
    scale, order, bend, kept = work.scratch[SCALE], work.pivots[0], work.scratch[BEND][:n], work.scratch[COPY]
    prepare(packed, t, q, v)
    apply_inverse_mass(system, work.vectors[VECTOR.Q], a)
    for r in range(m):
        work.row[r, ROW_VALUE.SOLVE] = work.row[r, ROW_VALUE.GAMMA] - row_times(system, work.grad, r, a)
    dense_rows(system, work.grad, n, matrix)
    for r in range(m):
        whiten(system, matrix[r])
    note_singular(work, decompose(matrix, m, n, rank, scale, order))
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += 2 * m * rank * n
    least_norm(matrix, n, rank, scale, order, work.row, ROW_VALUE.SOLVE, bend)
    copy(bend, kept)
    multipliers(matrix, m, n, rank, scale, order, kept[:n], work.row, ROW_VALUE.LAMBDA)
    colour(system, bend)
    for c in range(n):
        a[c] += bend[c]
    status = conclude(packed)
    fill_rate(packed, q, v, dy)
    return status


def room(system: System) -> Room:
    return Room(matrices=1, vectors=3, order=common.order(system))


def refuses(system: System) -> str:
    if system.sizes[SIZE.MASSLESS]:
        return NO_INVERSE
    return common.too_large(system)


KIND = FormulationKind(
    name="udwadia_kalaba",
    title="Udwadia-Kalaba",
    summary="Gauss's least constraint in closed form: the pseudo-inverse of the constraints over the masses.",
    layout="qv",
    size=motion_size,
    reactions=True,
    rate=rate,
    start=common.start,
    report=common.report,
    room=room,
    ranks=True,
    refuses=refuses,
)
