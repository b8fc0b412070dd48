"""Damped steps x = −Aᵀ(AAᵀ + μ)⁻¹ r for the rows A of an assembly: full for few velocities, or sparse."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.pattern import Pattern
from engine.maths.sparse.symbolic import Symbolic, analyse

ROUNDING = 1e-14  # share of its diagonal below which a damped pivot is rounding: the row acts through others


class DampedRows(Protocol):
    """The rows at one pose."""

    largest: float  # singular value, or a bound for it

    def slope(self, r: Array) -> float:
        """|Aᵀr|."""
        ...

    def step(self, r: Array, mu: float) -> Array:
        """−Aᵀ(AAᵀ + μ)⁻¹ r."""
        ...


class DenseDampedRows:
    """By singular values: x = Σ σᵢ/(σᵢ² + μ) (uᵢ·(−r)) vᵢ."""

    def __init__(self, A: Array) -> None:
        self._U, self._singular, self._Vt = np.linalg.svd(A, full_matrices=False)
        self.largest = float(self._singular[0])

    def slope(self, r: Array) -> float:
        return float(np.linalg.norm(self._singular * (self._U.T @ r)))

    def step(self, r: Array, mu: float) -> Array:
        return np.asarray(self._Vt.T @ (self._singular / (self._singular**2 + mu) * (self._U.T @ -r)))


class SparseDampedRows:
    """By a sparse factor of AAᵀ + μ; rows that are dependent to rounding are left to the others."""

    def __init__(self, A: Any, structure: Symbolic | None = None) -> None:
        """`structure`: of AAᵀ, where it is known already."""
        self._A = A
        self._G = (A @ A.T).tocsr()
        if structure is None:
            structure = analyse(Pattern.of_matrix(abs(self._G) + self._identity()))
        self._factor = SparseFactor(structure)
        # the largest sum of a row of G bounds its largest eigenvalue
        self.largest = float(np.sqrt(max(abs(self._G).sum(axis=1).max(initial=0.0), 0.0)))

    def _identity(self) -> Any:
        return scipy.sparse.eye_array(self._G.shape[0], format="csr")

    def slope(self, r: Array) -> float:
        return float(np.linalg.norm(self._A.T @ r))

    def step(self, r: Array, mu: float) -> Array:
        damped = (self._G + mu * self._identity()).tocsr()
        damped.eliminate_zeros()
        self._factor.factor(damped, ROUNDING)
        return np.asarray(self._A.T @ self._factor.solve(-r))
