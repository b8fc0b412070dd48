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

Inputs act on it: loads F f on the right-hand side, and motions, whose rows get a deviation e of their own:

    J_p x = e_p d     J w + R x = e_p d' + e_v r     J b + A x + B w = e_p d'' + e_v r'

A motion of positions has d and d' among the states and d'' for its input; one of velocities r and r'.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.compiled.layout import Array
from engine.system.assembly.scaling import Scales, subspaces
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import Balance, State, balance, multipliers_for
from engine.system.small_motions.turning_axes import cross_blocks, spins, turning_axes

ZERO = 1e-12  # of the largest singular value: exponents this small are zero


@dataclass(frozen=True)
class Spectrum:
    """Exponents s of e^{st} and their displacements; `zeros` are displacements that stay as they are."""

    exponents: Array  # complex, (k,), none of them zero
    shapes: Array  # complex, (nv, k), velocity coordinates
    zeros: Array  # (nv, j)
    unsteadiness: float  # what is left of accelerations and their rates in the turning axes, without units


def spectrum(evaluator: Evaluator, scales: Scales, state: State) -> Spectrum:
    """All exponents about a state; the evaluator must be one with tangents."""
    linear = linear_motion(evaluator, scales, state)
    A, displacement = linear.A, linear.x
    largest = float(np.linalg.norm(A, 2)) if A.size else 0.0
    exponents, vectors = exponents_and_vectors(A, ZERO * largest)
    null = subspaces(A, tolerance=ZERO).null if largest else np.eye(len(A))
    zeros = displacement @ null
    moving = np.max(np.abs(zeros / scales.column[:, None]), axis=0, initial=0.0) > ZERO
    return Spectrum(exponents, displacement @ vectors, zeros[:, moving], linear.unsteadiness)


@dataclass(frozen=True)
class Excitation:
    """What acts from outside, one column per input; empty where there are none."""

    loads: Array  # (nv, k): F, generalised force per unit
    positions: Array  # (rows, k): e_p of motions that prescribe positions
    velocities: Array  # (rows, k): e_v of those that prescribe velocities

    @staticmethod
    def none(evaluator: Evaluator) -> Excitation:
        rows = np.zeros((len(evaluator.mechanism.rows), 0))
        return Excitation(np.zeros((evaluator.mechanism.nv, 0)), rows, rows)


@dataclass(frozen=True)
class LinearMotion:
    """s' = A s + B u with s = (z, y, d, d', r) and u = (f, d'', r').

    The rest is what a unit of each s and each u makes of the mechanism, in its own units and body axes.
    """

    A: Array
    B: Array
    x: Array  # (nv, n): displacements
    w: Array  # (nv, n): velocities
    b: Array  # (nv, n + k): accelerations
    multipliers: Array  # (rows, n + k), of least norm
    free: tuple[int, int]  # how many z and y
    unsteadiness: float
    balance: Balance


def linear_motion(
    evaluator: Evaluator, scales: Scales, state: State, acts: Excitation | None = None
) -> LinearMotion:
    """The linear motion about a state; the evaluator must be one with tangents."""
    acts = Excitation.none(evaluator) if acts is None else acts
    found = balance(evaluator, scales, state)
    axes = turning_axes(evaluator, scales, state, found)
    mechanism, column = evaluator.mechanism, scales.column
    evaluator.at(state.t, state.q, state.v, state.angles)
    evaluator.forces()
    K, D = evaluator.tangents(found.a, found.multipliers)
    R, Aq, Av = (scales.jacobian(table) for table in evaluator.row_tangents())
    both = np.outer(column, column)
    K, D, M = K * both, D * both, evaluator.mass_matrix() * both
    J = scales.jacobian(evaluator.jacobian)
    positions = np.array([not row.velocity for row in mechanism.rows], dtype=bool)
    space_p = subspaces(J[positions])
    space = subspaces(J)
    N_p, N = space_p.null, space.null
    F = acts.loads * column[:, None]
    e_p, e_v = acts.positions / scales.row[:, None], acts.velocities / scales.row[:, None]

    # columns: what s and u make of x, w and b
    n, f, loads, p, r = N_p.shape[1], N.shape[1], F.shape[1], e_p.shape[1], e_v.shape[1]
    part = Parts(n, f, p, p, r, loads, p, r)
    z, y, d, d1, rate, load, d2, rate1 = part.units
    states = part.states
    x = N_p @ z + space_p.solve(e_p[positions]) @ d
    slide = -space.solve(R)
    w = slide @ x + N @ y + space.solve(e_p @ d1 + e_v @ rate)
    b = space.solve(e_p @ d2 + e_v @ rate1 - Aq @ x - Av @ w)
    if f:
        b = b + N @ np.linalg.solve(N.T @ M @ N, N.T @ (K @ x + D @ w + F @ load - M @ b))
    held = M @ b - K @ x - D @ w - F @ load  # Jᵀ δλ

    # in the turning axes
    P, spin = axes.P, spins(evaluator)
    turn = cross_blocks(mechanism.planar, axes.omega, len(mechanism.bodies))
    x_rate = P @ w - turn @ P @ x
    w_rate = P @ b + (spin - turn) @ P @ w
    z_rate = (P @ N_p).T @ x_rate
    y_rate = (P @ N).T @ (w_rate - P @ slide @ P.T @ x_rate)
    rates = np.vstack([z_rate, y_rate, d1, d2, rate1])
    return LinearMotion(
        rates[:, :states],
        rates[:, states:],
        x[:, :states] * column[:, None],
        w[:, :states] * column[:, None],
        b * column[:, None],
        multipliers_for(space, scales, held),
        (n, f),
        axes.unsteadiness,
        found,
    )


class Parts:
    """Sizes of the parts of (s, u); `units` takes each of them out of the whole."""

    def __init__(self, *sizes: int) -> None:
        ends = np.cumsum([0, *sizes])
        whole = np.eye(int(ends[-1]))
        self.units = [whole[begin:end] for begin, end in pairwise(ends)]
        self.states = int(ends[5])


def exponents_and_vectors(A: Array, zero: float) -> tuple[Array, Array]:
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
    exponents, inner = exponents_and_vectors(rest.T @ A @ rest, zero)
    vectors = rest @ inner
    return exponents, vectors + Z @ (Z.T @ (A @ vectors)) / exponents
