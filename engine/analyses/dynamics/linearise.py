"""The linear motion about a state: what small deviations do, in the null space of the constraints.

A deviation is a displacement x (q ⊕ x) and a change w of the velocities, both without units:

    position rows   J_p x = 0               x = N_p z
    all rows        J w + R x = 0           w = −J⁺R x + N y,          R = ∂(J v)/∂q
    accelerations   J b + A x + B w = 0     b = −J⁺(A x + B w) + N s,  A = ∂(J a − γ)/∂q, B = −∂γ/∂v
    forces          NᵀM b = Nᵀ(K x + D w)                              K = ∂(Q + Jᵀλ)/∂q, D = ∂Q/∂v

The state (z, y) has one part per degree of freedom of position and one per degree of freedom of velocity;
rolling bodies have more of the former. To be a linear motion with constant coefficients it is written in
axes in which the motion stands still: not those of the bodies, which spin, but common ones that turn with Ω
(zero for a bicycle going straight, the speed of the shaft for a governor). With P from body axes to these
axes:

    (P x)' = P w − Ω × P x,     (P w)' = P b + ω × P w − Ω × P w

where ω × acts on rotations only. Coefficients are constant for a motion that is steady in these axes, bodies
that spin in them being symmetric about their spin. Steady means that accelerations are
a = Ω × v (ω' = Ω × ω for rotations), from which Ω is found, and stay so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analyses.force_balance import Balance, State, balance
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import poses as POSE
from engine.compiled.layout import Array
from engine.maths.rotations import cross_matrix
from engine.system.assembly.scaling import Scales, subspaces
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import rotation

ZERO = 1e-12  # of the largest singular value: exponents this small are zero
TURNING = 1e-9  # of the accelerations about: those that are rounding
SHORTLY = 1e-4  # of the time scale v/a: how far apart states are for the rate of accelerations


@dataclass(frozen=True)
class Spectrum:
    """Exponents s of e^{st} and their displacements; `zeros` are displacements that stay as they are."""

    exponents: Array  # complex, (k,), none of them zero
    shapes: Array  # complex, (nv, k), velocity coordinates
    zeros: Array  # (nv, j)
    unsteadiness: float  # what is left of accelerations and their rates in the turning axes, without units


def spectrum(evaluator: Evaluator, scales: Scales, state: State) -> Spectrum:
    """All exponents about a state; the evaluator must be one with tangents."""
    found = balance(evaluator, scales, state)
    axes = _axes(evaluator, scales, state, found)
    A, displacement = _state_matrix(evaluator, scales, state, found, axes)
    largest = float(np.linalg.norm(A, 2)) if A.size else 0.0
    exponents, vectors = _exponents(A, ZERO * largest)
    null = subspaces(A, tolerance=ZERO).null if largest else np.eye(len(A))
    zeros = displacement @ null
    moving = np.max(np.abs(zeros / scales.column[:, None]), axis=0, initial=0.0) > ZERO
    return Spectrum(exponents, displacement @ vectors, zeros[:, moving], axes.unsteadiness)


def _state_matrix(
    evaluator: Evaluator, scales: Scales, state: State, found: Balance, axes: Axes
) -> tuple[Array, Array]:
    """(z, y)' = A (z, y), and the displacement in body axes per (z, y)."""
    mechanism, column = evaluator.mechanism, scales.column
    evaluator.at(state.t, state.q, state.v, state.angles)
    evaluator.forces()
    K, D = evaluator.tangents(found.a, found.multipliers)
    R, Aq, Av = (scales.jacobian(table) for table in evaluator.row_tangents())
    both = np.outer(column, column)
    K, D, M = K * both, D * both, evaluator.mass_matrix() * both
    J = scales.jacobian(evaluator.jacobian)
    positions = np.array([not row.velocity for row in mechanism.rows], dtype=bool)
    N_p, N = subspaces(J[positions]).null, found.space.null
    solve = found.space.solve(np.eye(len(J)))  # J⁺

    # columns: what z and y make of x, w and b
    n, f = N_p.shape[1], N.shape[1]
    x = np.hstack([N_p, np.zeros((mechanism.nv, f))])
    slide = -solve @ R
    w = slide @ x + np.hstack([np.zeros((mechanism.nv, n)), N])
    b = -solve @ (Aq @ x + Av @ w)
    if f:
        b = b + N @ np.linalg.solve(N.T @ M @ N, N.T @ (K @ x + D @ w - M @ b))

    # in the turning axes
    P, spin = axes.P, _spins(evaluator)
    turn = _cross_blocks(mechanism.planar, axes.omega, len(mechanism.bodies))
    x_rate = P @ w - turn @ P @ x
    w_rate = P @ b + (spin - turn) @ P @ w
    z_rate = (P @ N_p).T @ x_rate
    y_rate = (P @ N).T @ (w_rate - P @ slide @ P.T @ x_rate)
    return np.vstack([z_rate, y_rate]), x * column[:, None]


@dataclass(frozen=True)
class Axes:
    """Common axes in which the motion stands still, if it is steady."""

    P: Array  # from body axes, block diagonal and orthogonal
    omega: Array  # Ω in the world, (3,)
    unsteadiness: float


def _axes(evaluator: Evaluator, scales: Scales, state: State, found: Balance) -> Axes:
    """Ω from a = Ω × v. A motion that is steady for more than an instant has a' = Ω × a as well."""
    mechanism, nb = evaluator.mechanism, len(evaluator.mechanism.bodies)
    planar = mechanism.planar
    P = _to_world(evaluator)
    v, a = P @ (state.v / scales.column), P @ (found.a / scales.column)
    gravity = evaluator.system.body_reals[:nb, BODY_REAL.GRAVITY : BODY_REAL.GRAVITY + 3]
    about = max(
        float(np.max(np.abs(gravity), initial=0.0)) / scales.length,
        float(np.max(np.abs(v), initial=0.0)) ** 2,
    )
    if not np.any(v):
        return Axes(P, np.zeros(3), float(np.max(np.abs(a), initial=0.0)) / about if about else 0.0)
    units = np.eye(3)[2:] if planar else np.eye(3)
    columns = np.array([_cross_blocks(planar, e, nb) @ v for e in units]).T
    omega = np.zeros(3)
    if np.max(np.abs(a), initial=0.0) > TURNING * about:
        omega = units.T @ np.linalg.lstsq(columns, a, rcond=None)[0]
    turn = _cross_blocks(planar, omega, nb)
    jerk = _jerk(evaluator, scales, state, found, SHORTLY / np.sqrt(about))
    left = float(np.max(np.abs(a - turn @ v))) / about
    return Axes(P, omega, max(left, float(np.max(np.abs(jerk - turn @ a))) / about**1.5))


def _jerk(evaluator: Evaluator, scales: Scales, state: State, found: Balance, tau: float) -> Array:
    """Rate of the accelerations in the world, from the states just before and just after."""
    sides = []
    for h in (-tau, tau):
        q = evaluator.retract(state.q, h * state.v + 0.5 * h * h * found.a)
        near = balance(evaluator, scales, State(state.t + h, q, state.v + h * found.a, state.angles))
        sides.append(_to_world(evaluator) @ (near.a / scales.column))
    return (sides[1] - sides[0]) / (2.0 * tau)


def _to_world(evaluator: Evaluator) -> Array:
    """P: rotations from the axes of each body to those of the world; displacements are there already."""
    mechanism = evaluator.mechanism
    P = np.eye(mechanism.nv)
    if not mechanism.planar:
        for b in range(len(mechanism.bodies)):
            at = slice(6 * b + 3, 6 * b + 6)
            P[at, at] = rotation(evaluator.work.pose, b)
    return P


def _cross_blocks(planar: bool, omega: Array, bodies: int) -> Array:
    """Ω × for the displacement and the rotation of every body."""
    if not planar:
        return np.asarray(np.kron(np.eye(2 * bodies), cross_matrix(omega)))
    block = np.zeros((3, 3))
    block[:2, :2] = cross_matrix(omega)[:2, :2]
    return np.asarray(np.kron(np.eye(bodies), block))


def _spins(evaluator: Evaluator) -> Array:
    """ω × for the rotation of every body, each with its own ω, in the world."""
    mechanism = evaluator.mechanism
    out = np.zeros((mechanism.nv, mechanism.nv))
    if not mechanism.planar:
        for b in range(len(mechanism.bodies)):
            pose = evaluator.work.pose
            w_W = rotation(pose, b) @ pose[b, POSE.W : POSE.W + 3]
            out[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = cross_matrix(w_W)
    return out


def _exponents(A: Array, zero: float) -> tuple[Array, Array]:
    """Eigenvalues other than zero, with vectors.

    Free translations and cyclic coordinates give zero eigenvalues in chains, which rounding would spread
    over a circle of radius √ε. So directions that A maps to zero are taken out first, again and again:
    in the basis [Z | rest], A = [0 B; 0 C], the others are those of C, with vectors Z B y/s + rest y.
    """
    if not A.size:
        return np.zeros(0, complex), np.zeros((len(A), 0), complex)
    _, singular, Vt = np.linalg.svd(A)
    rank = int(np.sum(singular > zero))
    if rank == len(A):
        exponents, vectors = np.linalg.eig(A)
        return exponents.astype(complex), vectors.astype(complex)
    rest, Z = Vt[:rank].T, Vt[rank:].T
    exponents, inner = _exponents(rest.T @ A @ rest, zero)
    vectors = rest @ inner
    return exponents, vectors + Z @ (Z.T @ (A @ vectors)) / exponents
