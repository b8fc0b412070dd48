"""Numeric factorisation A = L D Lᵀ of a symmetric semidefinite matrix on a structure found before.

Compiled, in place, without allocation: `factor` and `solve`. Pivots that fall below a share of their diagonal
belong to lines that depend on earlier ones: they are left out, and the solution has zeros there.
`SparseFactor` is the same for Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints
from engine.maths.arrays import index
from engine.maths.sparse.symbolic import (
    BEGIN,
    END,
    FIRST,
    LIST,
    PLACES,
    SIZE,
    START,
    TARGET,
    UPDATE,
    WIDTH,
    Symbolic,
)


@fast_kernel
def factor(
    nodes: Ints, updates: Ints, places: Ints, values: Array, inverse: Array, share: Array, dependent: float
) -> int:
    """U = D Lᵀ in place of the upper triangle; inverse[i] = 1/D_i, or 0 for a line that is left out.

    share[i]: the pivot over the diagonal that the matrix had there. Returns how many lines are left out.
    """
    count = nodes.shape[0] - 1
    for k in range(count):
        first, width, start = nodes[k, FIRST], nodes[k, WIDTH], nodes[k, START]
        for i in range(nodes[k, SIZE]):
            share[first + i] = values[start + i * width + i]
    left_out = 0
    for k in range(count):
        first, size, width, start = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH], nodes[k, START]
        # rows of the panel among each other
        for i in range(size):
            row = start + i * width
            pivot, diagonal, reciprocal = values[row + i], share[first + i], 0.0
            share[first + i] = pivot / diagonal if diagonal > 0.0 else 0.0
            if pivot > dependent * diagonal:
                reciprocal = 1.0 / pivot
            else:
                left_out += 1
            inverse[first + i] = reciprocal
            for j in range(i + 1, size):
                k_j, other = values[row + j] * reciprocal, start + j * width
                target, source = index(other), index(row)
                for c in range(index(j), index(width)):
                    values[target + c] -= k_j * values[source + c]
        # panels of later supernodes
        for u in range(nodes[k, UPDATE], nodes[k + 1, UPDATE]):
            target, begin, end = updates[u, TARGET], updates[u, BEGIN], updates[u, END]
            there, row_width, at = nodes[target, START], nodes[target, WIDTH], updates[u, PLACES] - begin
            for j in range(begin, end):
                line = there + places[at + j] * row_width  # the j-th column is the row of that place there
                for i in range(size):
                    row = start + i * width
                    k_j = values[row + j] * inverse[first + i]
                    if k_j != 0.0:
                        base, list_, source = index(line), index(at + j), index(row + j)
                        for c in range(index(0), index(width - j)):
                            values[base + index(places[list_ + c])] -= k_j * values[source + c]
    return left_out


@fast_kernel
def solve(nodes: Ints, columns: Ints, values: Array, inverse: Array, x: Array) -> None:
    """x ← A⁻¹ x in the new order, with the factor of `factor`; lines that were left out get zero."""
    count = nodes.shape[0] - 1
    for k in range(count):
        first, size, width = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH]
        start, at = nodes[k, START], nodes[k, LIST]
        for i in range(size):
            row, y = start + i * width, x[first + i] * inverse[first + i]
            if y != 0.0:
                source, list_ = index(row), index(at)
                for c in range(index(i + 1), index(width)):
                    x[index(columns[list_ + c])] -= values[source + c] * y
    for back in range(count):
        k = count - 1 - back
        first, size, width = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH]
        start, at = nodes[k, START], nodes[k, LIST]
        for up in range(size):
            i = size - 1 - up
            row, total = start + i * width, x[first + i]
            source, list_ = index(row), index(at)
            for c in range(index(i + 1), index(width)):
                total -= values[source + c] * x[index(columns[list_ + c])]
            x[first + i] = total * inverse[first + i]


class SparseFactor:
    """Factors matrices of one pattern, one after the other."""

    def __init__(self, symbolic: Symbolic) -> None:
        self.symbolic = symbolic
        n = len(symbolic.order)
        self._values = np.zeros(symbolic.stored)
        self._inverse, self._share = np.zeros(n), np.zeros(n)
        self._entries: tuple[Ints, Ints, Ints] | None = None

    def factor(self, matrix: Any, dependent: float) -> int:
        """Factor a symmetric sparse matrix; returns how many lines depend on others."""
        upper = scipy.sparse.triu(matrix, format="csr")
        if self._entries is None or not (
            np.array_equal(self._entries[0], upper.indptr) and np.array_equal(self._entries[1], upper.indices)
        ):
            rows = np.repeat(np.arange(upper.shape[0]), np.diff(upper.indptr))
            where = self.symbolic.places_of(rows, upper.indices.astype(np.int64))
            self._entries = (upper.indptr.copy(), upper.indices.copy(), where)
        self._values[:] = 0.0
        self._values[self._entries[2]] = upper.data
        self._inverse[:] = 0.0
        s = self.symbolic
        return int(factor(s.nodes, s.updates, s.places, self._values, self._inverse, self._share, dependent))

    @property
    def shares(self) -> Array:
        """Pivots over the diagonals they began with, by line."""
        return np.asarray(self._share[self.symbolic.position])

    @property
    def kept(self) -> Any:
        """Which lines were not left out."""
        return self._inverse[self.symbolic.position] != 0.0

    @property
    def panels(self) -> tuple[Array, Array]:
        """U = D Lᵀ and 1/D (zero for lines that were left out) of the last factorisation, to be read only."""
        return self._values, self._inverse

    def solve(self, b: Array) -> Array:
        """A x = b over the lines that were kept, zeros for the others; b has one column or many."""
        columns = b.reshape(len(b), -1)
        out = np.empty((len(b), columns.shape[1]))
        s = self.symbolic
        for k in range(columns.shape[1]):
            x = np.ascontiguousarray(columns[s.order, k], dtype=float)
            solve(s.nodes, s.columns, self._values, self._inverse, x)
            out[s.order, k] = x
        return out.reshape(b.shape)
