"""Sparse rows A, factored as A Aᵀ: how many are independent, which repeat others, and what they leave free.

A pivot is the squared distance of a row from those before it: it tells dependent rows only where it is
clearly zero or clearly not. Rows in between are *doubtful*. They are taken out of the factor, and what the
others leave of them, where all numbers are small, is decided by its singular values. Doubtful rows are
those of loops near a singular configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from engine.compiled.layout import Array, Ints
from engine.maths.sparse.dependent_lines import dependencies
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.many_sides import solve_many
from engine.maths.sparse.pattern import Pattern
from engine.maths.sparse.symbolic import Symbolic, analyse
from engine.system.assembly.scaling import RANK

DEPENDENT = 1e-13  # share of its diagonal below which a pivot is rounding
CLEAR = 1e-7  # share above which a row is independent for certain
FEW = 4  # sides that are solved one by one
TWICE = 2  # projections: the second takes out what rounding left of the first


class RowFactor:
    """Rank, null space and dependencies of sparse rows; rows of zeros count as dependent.

    `clear`: all pivots tell for certain. `kept`: rows that are independent for certain; `independent`: those
    that are so as far as pivots tell.
    """

    def __init__(self, A: Any, structure: Symbolic | None = None) -> None:
        """`structure`: of A Aᵀ, where it is known already."""
        self._A, self._G = A, (A @ A.T).tocsr()
        self._G.eliminate_zeros()
        self._factor = SparseFactor(structure or analyse(with_diagonal(self._G)))
        self._factor.factor(self._G, DEPENDENT)
        self.independent = np.asarray(self._factor.kept)
        self.finite = bool(np.isfinite(self._factor.shares).all())
        self.clear = self.finite and not self._doubtful.any()
        # what the clear rows leave of the doubtful ones, as columns; of these orthogonal combinations, and
        # the squares of their lengths
        self._rest, self._combinations = np.zeros((A.shape[1], 0)), np.zeros((0, 0))
        self._squares = np.zeros((0, 1))
        if self.finite and not self.clear:
            self._factor.factor(self._G, CLEAR)
            self._decide(np.flatnonzero(self._doubtful))
        self.kept = np.asarray(self._factor.kept)

    @property
    def _doubtful(self) -> Any:
        return (self._factor.shares > DEPENDENT) & (self._factor.shares < CLEAR)

    def _decide(self, rows: Ints) -> None:
        """What the clear rows leave of the doubtful ones."""
        rest = self._less(self._A[rows].toarray().T, self._G[:, rows].toarray())
        for _ in range(1, TWICE):
            rest = self._across(rest)
        # what is left of a doubtful row is below √CLEAR of it, so that squares are exact enough here
        squares, U = np.linalg.eigh(rest.T @ rest)
        more = squares > (RANK * self._size) ** 2
        self._rest, self._combinations, self._squares = rest, U[:, more], squares[more, None]

    @property
    def rank(self) -> int:
        return int(self.kept.sum()) + len(self._squares)

    def vanishing(self, count: int) -> Array:
        """Combinations z with zᵀA = 0, at random: one alone nearly always has a share of each. Columns."""
        z = np.random.default_rng(1).uniform(0.5, 1.0, (len(self.kept), count))
        z[self.kept] = 0.0
        right = self._G @ z
        right[~self.kept] = 0.0
        return np.asarray(z - self._factor.solve(right))

    def dependencies(self) -> Iterator[tuple[int, Ints, Array]]:
        """Of each row that is not kept: the row, those that may take part, and their coefficients."""
        return dependencies(self._factor)

    @cached_property
    def left_null(self) -> Any:
        """All of these as columns z with zᵀA = 0, sparse."""
        places: list[Ints] = []
        shares: list[Array] = []
        for _, lines, coefficients in self.dependencies():
            places.append(lines)
            shares.append(coefficients)
        starts = np.cumsum([0, *(len(lines) for lines in places)])
        entries = (np.concatenate([np.zeros(0), *shares]), np.concatenate([np.zeros(0, np.int64), *places]))
        return scipy.sparse.csc_array((*entries, starts), shape=(self._A.shape[0], len(places)))

    def shortest(self, b: Array) -> Array:
        """The shortest x with A x = b, as far as the kept rows go."""
        return np.asarray(self._A.T @ self._factor.solve(np.where(self.kept, b, 0.0)))

    def multipliers(self, x: Array) -> Array:
        """λ with Aᵀλ = x on the range of Aᵀ, zero for rows that are not kept."""
        return np.asarray(self._factor.solve(np.where(self.kept, self._A @ x, 0.0)))

    def least_multipliers(self, x: Array) -> Array:
        """The shortest λ with Aᵀλ = x on the range of Aᵀ: λ − Z (ZᵀZ)⁻¹Zᵀλ, zᵀA = 0."""
        found = self.multipliers(x)
        found += self.multipliers(x - self._A.T @ found)
        Z = self.left_null
        if not Z.shape[1]:
            return found
        products = (Z.T @ Z).tocsr()
        factor = SparseFactor(analyse(with_diagonal(products)))
        factor.factor(products, DEPENDENT)
        return np.asarray(found - Z @ factor.solve(Z.T @ found))

    @property
    def _size(self) -> float:
        """A bound for the largest singular value: the largest sum of a row of A Aᵀ bounds its eigenvalues."""
        return float(np.sqrt(abs(self._G).sum(axis=1).max(initial=0.0)))

    def tangential(self, x: Array) -> Array:
        """What is left of x, a vector or columns, without its part along the rows: A times it vanishes."""
        left = self._across(x)
        if len(self._squares):
            for _ in range(TWICE):  # the shortest combinations are not quite orthogonal to the longest
                share = self._combinations.T @ (self._rest.T @ left)
                share = share.reshape(len(share), -1) / self._squares
                left = left - (self._rest @ (self._combinations @ share)).reshape(left.shape)
        return left

    def _across(self, x: Array) -> Array:
        return self._less(x, self._A @ x)

    def _less(self, x: Array, right: Array) -> Array:
        """x, a vector or columns, less its part along the rows that are kept, which make `right` of it."""
        right[~self._factor.kept] = 0.0
        many = right.ndim > 1 and right.shape[1] > FEW
        found = solve_many(self._factor, right) if many else self._factor.solve(right)
        part = self._A.T @ found
        return np.asarray(np.subtract(x, part, out=part))


def with_diagonal(matrix: Any) -> Pattern:
    """Pattern of a symmetric matrix; a row of zeros has its diagonal all the same."""
    return Pattern.of_matrix(abs(matrix) + scipy.sparse.eye_array(matrix.shape[0], format="csr"))
