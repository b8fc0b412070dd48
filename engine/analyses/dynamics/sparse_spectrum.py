"""The slowest motions about a state of a large mechanism, without its null space.

With displacements x, changes w of the velocities and multipliers, all in body axes and without units
(`linearise.py` has the letters), the linear motion is a pencil s E u = A u of sparse matrices:

    s x   = w − Pᵀ(Ω×)P x + J_pᵀ μ
    s M w = K x + (D + M Pᵀ(ω× − Ω×)P) w + Jᵀλ
    0     = J w + R x
    0     = J_p x

over rows that do not repeat each other; μ, which vanishes, lets both levels of the position rows hold. Its
finite exponents are those of the motion within the constraints, the rest are infinite. Those nearest to a
shift are found by Arnoldi's method on (A − σE)⁻¹E [Lehoucq 1998], in which infinite ones become zeros: one
sparse factor.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from engine.compiled.layout import Array, Ints
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import Scales, subspaces
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State, balance
from engine.system.small_motions.linearise import Spectrum, exponents_and_vectors
from engine.system.small_motions.turning_axes import cross_blocks, spins, turning_axes

SHIFT = 1e-3  # of the pace of the mechanism: exponents nearest to it are found
FARTHER = 0.3  # of the slowest exponent that is not zero: the shift where there are zeros
NEARLY_ZERO = 1e-4  # of the largest exponent that was found: zeros that come in chains are spread by rounding
ZERO = 1e-7  # of the largest singular value: exponents this small are zero
COUNTS = 1e-9  # of the largest stiffness: smaller ones are rounding
SAME = 1e-6  # share of a displacement that is not in those before it
PAIRS = 2  # exponents per degree of freedom
SPARE = 20  # vectors of Arnoldi's method beyond twice the number that is asked for


def slowest(evaluator: Evaluator, scales: Scales, state: State, count: int) -> Spectrum:
    """The exponents of `count` degrees of freedom, the slowest; the evaluator must be one with tangents."""
    found = balance(evaluator, scales, state)
    axes = turning_axes(evaluator, scales, state, found)
    evaluator.at(state.t, state.q, state.v, state.angles)
    evaluator.forces()
    D_column = scipy.sparse.diags_array(scales.column, format="csr")
    K, D = (D_column @ part @ D_column for part in evaluator.sparse_tangents(found.a, found.multipliers))
    M = D_column @ evaluator.sparse_mass() @ D_column
    J = scales.sparse_jacobian(evaluator.sparse_jacobian)
    R = scales.sparse_jacobian(evaluator.sparse_rate_tangent())
    rows, positions = _independent(evaluator, J)
    free = evaluator.mechanism.nv - len(rows)
    if not free:
        none = np.zeros((evaluator.mechanism.nv, 0))
        return Spectrum(np.zeros(0, complex), none.astype(complex), none, axes.unsteadiness)
    turn = cross_blocks(evaluator.mechanism.planar, axes.omega, len(evaluator.mechanism.bodies))
    turning = axes.P.T @ turn @ axes.P
    spinning = axes.P.T @ (spins(evaluator) - turn) @ axes.P
    n, eye = evaluator.mechanism.nv, scipy.sparse.eye_array(evaluator.mechanism.nv, format="csr")
    A = scipy.sparse.block_array(
        [
            [-turning, eye, None, J[positions].T],
            [K, D + M @ spinning, J[rows].T, None],
            [R[rows], J[rows], None, None],
            [J[positions], None, None, None],
        ],
        format="csc",
    )
    rest = scipy.sparse.csr_array((A.shape[0] - 2 * n, A.shape[0] - 2 * n))
    E = scipy.sparse.block_diag([eye, M, rest], format="csr")
    count = min(PAIRS * count, 2 * n - len(rows) - len(positions))
    shift = SHIFT * _pace(K, M)
    values, vectors = _nearest(A, E, shift, count)
    zero = np.abs(values) <= NEARLY_ZERO * np.max(np.abs(values), initial=0.0)
    if not zero.any():
        return _spectrum(values, vectors[:n], np.zeros((n, 0)), scales, axes.unsteadiness)
    # free translations give zeros in chains, which rounding spreads over a circle: once more from farther
    # away, then in the space of all vectors, which is known better than each of them
    shift = FARTHER * float(np.min(np.abs(values[~zero]))) if not zero.all() else 1.0
    values, vectors = _nearest(A, E, shift, count)
    basis = _distinct(np.column_stack([vectors.real, vectors.imag]), len(values))
    factor = scipy.sparse.linalg.splu((A - shift * E).tocsc())
    inner = shift * np.eye(basis.shape[1]) + np.linalg.inv(basis.T @ factor.solve(E @ basis))
    limit = ZERO * float(np.linalg.norm(inner, 2))
    exponents, parts = exponents_and_vectors(inner, limit)
    still = basis[:n] @ subspaces(inner, tolerance=ZERO).null
    return _spectrum(exponents, basis[:n] @ parts, _distinct(still), scales, axes.unsteadiness)


def _spectrum(exponents: Array, x: Array, still: Array, scales: Scales, unsteadiness: float) -> Spectrum:
    """With displacements in their units, the largest part of each 1."""
    x = x / np.maximum(np.max(np.abs(x), axis=0), np.finfo(float).tiny)
    return Spectrum(exponents, x * scales.column[:, None], still * scales.column[:, None], unsteadiness)


def _independent(evaluator: Evaluator, J: Any) -> tuple[Ints, Ints]:
    """Rows that do not repeat others: of all, and of the position rows alone."""
    of_positions = np.flatnonzero([not row.velocity for row in evaluator.mechanism.rows])
    rows = np.flatnonzero(RowFactor(J, evaluator.row_structure).independent)
    if len(of_positions) == J.shape[0]:
        return rows, rows
    return rows, of_positions[RowFactor(J[of_positions]).independent]


def _pace(K: Any, M: Any) -> float:
    """A frequency of the size of those about [1/s]."""
    stiffness, mass = abs(K.diagonal()), M.diagonal()
    moving = mass > 0.0
    squares = stiffness[moving] / mass[moving]
    squares = squares[squares > COUNTS * np.max(squares, initial=0.0)]
    return float(np.sqrt(np.median(squares))) if len(squares) else 1.0


def _nearest(A: Any, E: Any, shift: float, count: int) -> tuple[Array, Array]:
    """Exponents nearest to the shift, and their vectors."""
    factor = scipy.sparse.linalg.splu((A - shift * E).tocsc())
    size = A.shape[0]
    inverse = scipy.sparse.linalg.LinearOperator((size, size), matvec=lambda u: factor.solve(E @ u))
    begin = factor.solve(E @ np.random.default_rng(6).normal(size=size))
    values, vectors = scipy.sparse.linalg.eigs(
        inverse, count, v0=begin, ncv=min(size - 1, 2 * count + SPARE), which="LM"
    )
    return shift + 1.0 / values, vectors


def _distinct(displacements: Array, most: int | None = None) -> Array:
    """An orthonormal basis of these, of a given size or as large as they are distinct."""
    if not displacements.shape[1]:
        return displacements
    U, singular, _ = np.linalg.svd(displacements, full_matrices=False)
    return np.asarray(U[:, :most] if most is not None else U[:, singular > SAME * singular[0]])
