"""The rows of a linkage at a pose, factored: in which ways it can move, and the way back to the constraints.

Small linkages have a pivoted QR of Aᵀ, with a basis of the whole null space N. Large ones have a sparse
factor of A Aᵀ, and of N only what a drag needs: the part that moves the points, P J_pᵀ, P = 1 − Aᵀ(A Aᵀ)⁻¹A.
It has three columns per point, whatever the size, and J_p maps it as it maps all of N. Where N has few
columns they are all there.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.maths.sparse.symbolic import Symbolic
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import RANK

MAX_FULL_BASIS = 12  # degrees of freedom up to which a basis of all of N costs little
MOVING = 1e-9  # share of J_p below which P J_pᵀ is nothing


class TangentSpace(Protocol):
    """What a factor of the rows gives."""

    dof: int
    basis: Array  # orthonormal columns along which points are led

    def shortest(self, r: Array) -> Array:
        """x with A x = −r, the shortest one."""
        ...

    def multipliers(self, x: Array) -> Array:
        """λ with Aᵀλ = −x on the range of Aᵀ."""
        ...

    def holds(self, basis: Array) -> float:
        """Cosine of the largest angle between some directions and the tangent space."""
        ...


class DenseTangentSpace:
    """By a pivoted QR of Aᵀ."""

    def __init__(self, A: Array) -> None:
        self._rows = len(A)
        if A.size:
            self._Q, self._R, self._order = scipy.linalg.qr(A.T, pivoting=True, check_finite=False)
            pivots = np.abs(np.diag(self._R))
            self._rank = int(np.sum(pivots > RANK * pivots[0])) if len(pivots) and pivots[0] > 0.0 else 0
        else:
            self._Q, self._R, self._order = np.eye(A.shape[1]), np.zeros((0, 0)), np.zeros(0, np.int64)
            self._rank = 0
        self.basis = self._Q[:, self._rank :]
        self.dof = int(self.basis.shape[1])

    def shortest(self, r: Array) -> Array:
        k = self._rank
        if not k:
            return np.zeros(len(self._Q))
        wanted = -r[self._order[:k]]
        y = scipy.linalg.solve_triangular(self._R[:k, :k], wanted, trans="T", check_finite=False)
        return np.asarray(self._Q[:, :k] @ y)

    def multipliers(self, x: Array) -> Array:
        k, found = self._rank, np.zeros(self._rows)
        if k:
            y = -(self._Q[:, :k].T @ x)
            found[self._order[:k]] = scipy.linalg.solve_triangular(self._R[:k, :k], y, check_finite=False)
        return found

    def holds(self, basis: Array) -> float:
        return _least(self.basis.T @ basis) if basis.shape[1] == self.dof else 0.0


class SparseTangentSpace:
    """By a sparse factor of A Aᵀ; `points` are ∂p/∂x of all points that are led."""

    def __init__(self, A: Any, points: Array, structure: Symbolic) -> None:
        self._rows = RowFactor(A, structure)
        self.dof = A.shape[1] - self._rows.rank
        size = float(np.max(np.abs(points), initial=0.0))
        wanted = points.T
        if self.dof <= MAX_FULL_BASIS:  # all of N: at a dead centre none of it moves the points
            random = np.random.default_rng(4).normal(size=(A.shape[1], self.dof))
            wanted = np.column_stack([wanted, size * random])
        U, singular, _ = np.linalg.svd(self._rows.tangential(wanted), full_matrices=False)
        self.basis = U[:, : min(int(np.sum(singular > MOVING * size)), self.dof)]

    def shortest(self, r: Array) -> Array:
        return self._rows.shortest(-r)

    def multipliers(self, x: Array) -> Array:
        return -self._rows.multipliers(x)

    def holds(self, basis: Array) -> float:
        return _least(self._rows.tangential(basis))


class NoTangentSpace:
    """Of rows that are not finite: nothing moves."""

    dof = 0

    def __init__(self, columns: int, rows: int) -> None:
        self.basis = np.zeros((columns, 0))
        self._rows = rows

    def shortest(self, r: Array) -> Array:
        return np.zeros(len(self.basis))

    def multipliers(self, x: Array) -> Array:
        return np.zeros(self._rows)

    def holds(self, basis: Array) -> float:
        return 0.0 if basis.shape[1] else 1.0


def _least(A: Array) -> float:
    """Smallest singular value; 1 of nothing."""
    return float(np.linalg.svd(A, compute_uv=False)[-1]) if A.shape[1] else 1.0
