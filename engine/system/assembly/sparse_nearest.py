"""The solution of sparse rows that is nearest to a given vector, in a metric of blocks.

    min |x − x₀|_W   subject to   A x = c:      x = x₀ + W⁻¹Aᵀλ,   A W⁻¹Aᵀ λ = c − A x₀

Which rows repeat others is decided without the metric, by the pivots of A Aᵀ. A pivot is the squared distance
of a row from those before it: it tells dependent rows only where it is clearly zero or clearly not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.pattern import Pattern
from engine.maths.sparse.symbolic import Symbolic, analyse

DEPENDENT = 1e-13  # share of its diagonal below which a pivot is rounding
CLEAR = 1e-7  # share above which a row is independent for certain; in between singular values must decide
REGULAR = 1e-15  # share of a pivot in the metric below which the factor is worthless
REFINEMENTS = 4


class RowFactor:
    """A Aᵀ of sparse rows, factored: which rows are independent, and which combinations of them vanish."""

    def __init__(self, A: Any, structure: Symbolic | None = None) -> None:
        self._A, self._G = A, (A @ A.T).tocsr()
        self._G.eliminate_zeros()
        self._factor = SparseFactor(structure or analyse(_with_diagonal(self._G)))
        self._factor.factor(self._G, DEPENDENT)
        self.kept = np.asarray(self._factor.kept)
        shares = self._factor.shares
        self.clear = bool(np.isfinite(shares).all() and not ((shares > DEPENDENT) & (shares < CLEAR)).any())

    @property
    def rank(self) -> int:
        return int(self.kept.sum())

    def vanishing(self, count: int) -> Array:
        """Combinations z with zᵀA = 0, at random: one alone nearly always has a share of each. Columns."""
        z = np.random.default_rng(1).uniform(0.5, 1.0, (len(self.kept), count))
        z[self.kept] = 0.0
        right = self._G @ z
        right[~self.kept] = 0.0
        return np.asarray(z - self._factor.solve(right))

    def tangential(self, x: Array) -> Array:
        """What is left of x without its part along the rows: A times it vanishes."""
        right = self._A @ x
        right[~self.kept] = 0.0
        return np.asarray(x - self._A.T @ self._factor.solve(right))


def nearest(A: Any, c: Array, x: Array, weights: Array, enough: float) -> Array | None:
    """x with A x = c to within `enough`; None when that is not clear or not possible.

    `weights` are the positive definite blocks of W, shape (blocks, n, n).
    """
    rows = RowFactor(A)
    if not rows.clear:
        return None
    count, n = weights.shape[:2]
    inverse = scipy.sparse.bsr_array(
        (np.linalg.inv(weights), np.arange(count), np.arange(count + 1)), shape=(count * n, count * n)
    ).tocsr()
    B = A[rows.kept]
    spread = inverse @ B.T
    K = (B @ spread).tocsr()
    K.eliminate_zeros()
    factor = SparseFactor(analyse(_with_diagonal(K)))
    if factor.factor(K, REGULAR):
        return None
    for _ in range(REFINEMENTS):
        x = x + spread @ factor.solve(c[rows.kept] - B @ x)
        if np.max(np.abs(A @ x - c), initial=0.0) <= enough:
            return np.asarray(x)
    return None


def _with_diagonal(matrix: Any) -> Pattern:
    """Pattern of a symmetric matrix; a row of zeros has its diagonal all the same."""
    return Pattern.of_matrix(abs(matrix) + _identity(matrix.shape[0]))


def _identity(n: int) -> Any:
    return scipy.sparse.eye_array(n, format="csr")
