"""Sizes of rows and columns of J, so that metres and radians compare, and subspaces found with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import scipy

from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.layout import Array
from engine.system.compiling.mechanism import Mechanism

LARGE: Final = 150  # velocities: singular values of more take longer than sparse factors
RANK = 1e-8  # singular values below this share of the largest count as zero, on the constraints


@dataclass(frozen=True)
class Scales:
    """Characteristic length, and the size of every row and of every velocity coordinate."""

    length: float
    row: Array  # (m,)
    column: Array  # (nv,): metres for translations, 1 for rotations

    def coordinate(self, unit: str) -> float:
        """What a coordinate in this unit, m or rad, is divided by."""
        return 1.0 if unit == "rad" else self.length

    def jacobian(self, J: Array) -> Array:
        """J without units."""
        return np.asarray(J / self.row[:, None] * self.column)

    def sparse_jacobian(self, J: Any) -> Any:
        """The same in compressed rows."""
        lengths = np.diff(J.indptr)
        data = J.data / np.repeat(self.row, lengths) * self.column[J.indices]
        return scipy.sparse.csr_array((data, J.indices, J.indptr), shape=J.shape)


def scales_of(mechanism: Mechanism) -> Scales:
    """The sizes of a mechanism; its length is the one by which rows of metres are divided."""
    row = mechanism.system.row_reals[: len(mechanism.rows), ROW_REAL.SCALE].copy()
    lengths = [size for size, info in zip(row, mechanism.rows, strict=True) if info.unit.startswith("m")]
    length = float(lengths[0]) if lengths else 1.0
    body = [length, length, 1.0] if mechanism.planar else [length] * 3 + [1.0] * 3
    return Scales(length, row, np.tile(body, len(mechanism.bodies)))


@dataclass(frozen=True)
class Subspaces:
    """Rank, null space and left null space of a matrix (columns), and its particular solutions."""

    rank: int
    singular: Array
    null: Array
    left_null: Array
    _U: Array
    _Vt: Array

    @property
    def weakest(self) -> Array:
        """The combination of lines that is nearest to vanish among those that count as independent; zero
        where none does."""
        return self._U[:, self.rank - 1] if self.rank else np.zeros(len(self._U))

    def solve(self, b: Array) -> Array:
        """Least squares solution of least norm, for one right-hand side or for columns of them."""
        k = self.rank
        return np.asarray(self._Vt[:k].T @ ((self._U[:, :k].T @ b).T / self.singular[:k]).T)

    def solve_transposed(self, b: Array) -> Array:
        """The same for the transposed matrix."""
        k = self.rank
        return np.asarray(self._U[:, :k] @ ((self._Vt[:k] @ b).T / self.singular[:k]).T)


def subspaces(A: Array, *, tolerance: float = RANK) -> Subspaces:
    """By singular values; those below the tolerance times the largest count as zero."""
    if 0 in A.shape:
        return Subspaces(
            0, np.zeros(0), np.eye(A.shape[1]), np.eye(A.shape[0]), np.eye(A.shape[0]), np.eye(A.shape[1])
        )
    U, singular, Vt = np.linalg.svd(A)
    rank = int(np.sum(singular > tolerance * singular[0]))
    return Subspaces(rank, singular, Vt[rank:].T, U[:, rank:], U, Vt)
