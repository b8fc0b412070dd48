"""The solution of sparse rows that is nearest to a given vector, in a metric of blocks.

    min |x − x₀|_W   subject to   A x = c:      x = x₀ + W⁻¹Aᵀλ,   A W⁻¹Aᵀ λ = c − A x₀

Which rows repeat others is decided without the metric (`row_factor.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.symbolic import analyse
from engine.system.assembly.row_factor import RowFactor, with_diagonal

REGULAR = 1e-15  # share of a pivot in the metric below which the factor is worthless
REFINEMENTS = 4


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
    factor = SparseFactor(analyse(with_diagonal(K)))
    if factor.factor(K, REGULAR):
        return None
    for _ in range(REFINEMENTS):
        x = x + spread @ factor.solve(c[rows.kept] - B @ x)
        if np.max(np.abs(A @ x - c), initial=0.0) <= enough:
            return np.asarray(x)
    return None
