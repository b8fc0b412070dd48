"""Systems in bordered block triangular form: `bordered_kernels.py` for Python, with the ways out.

Of a block that is singular at the present values, or whose last pivot is mere rounding, the dependent columns
go to the border and the rows without a pivot to the bottom (the source joins it with the next block, which
leaves the determinant zero); what is singular as a whole is solved by least squares.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray

from engine.compiled.layout import Array, Ints
from engine.maths.sparse.bordered_kernels import (
    FACTORED,
    GROWTH,
    BorderedNumbers,
    factor_checked,
    solve,
    solve_transposed,
)
from engine.maths.sparse.bordered_structure import FACTOR, SOLUTION, bordered_structure, without_spikes
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, bordered
from engine.maths.sparse.pattern import Pattern

REFINEMENTS = 3  # of solutions where Y has grown above `GROWTH`
DEPENDENT = 1e-9  # share of the largest entry of a torn block: pivots that are kept stay regular for a while


def torn(reordering: Reordering, values: NDArray[np.float64]) -> Reordering:
    """The same without what is dependent in the diagonal blocks at these values, by pivoted QR."""
    blocks: list[tuple[list[int], list[int]]] = []
    border, bottom = [], []
    at = 0
    for size in reordering.blocks:
        rows, columns = reordering.rows[at : at + size], reordering.columns[at : at + size]
        at += size
        block = values[np.ix_(rows, columns)]
        _, R, order = scipy.linalg.qr(block, mode="economic", pivoting=True)
        rank = int((np.abs(np.diag(R)) > DEPENDENT * max(np.abs(block).max(), np.finfo(float).tiny)).sum())
        kept = columns[order[:rank]]
        if 0 < rank < size:
            lines = scipy.linalg.qr(values[np.ix_(rows, kept)].T, mode="r", pivoting=True)[1][:rank]
        else:
            lines = np.arange(rank)
        chosen = [int(r) for r in rows[lines]]
        if rank:
            blocks.append((chosen, [int(c) for c in (kept if rank < size else columns)]))
        border += [int(c) for c in columns if rank < size and c not in kept]
        bottom += [int(r) for r in rows if int(r) not in chosen]
    border += reordering.columns[at:].tolist()
    bottom += reordering.rows[at:].tolist()
    return bordered(blocks, border, bottom)


class BorderedFactor:
    """Solves systems of one pattern, one after the other, as an ordering of rows and columns has it.

    Values are given row by row, as the pattern lists its entries.
    """

    def __init__(self, pattern: Pattern, ordering: OrderingKind, hints: Hints | None = None) -> None:
        self.pattern, self.ordering = pattern, ordering
        self._hints = hints or Hints()
        self.tears = 0  # how often blocks had to be torn
        self.dense = 0  # how often least squares had to help
        self._take(ordering.order(pattern, self._hints))

    def _take(self, reordering: Reordering) -> None:
        self.reordering = reordering
        s = self.structure = bordered_structure(self.pattern, reordering)
        ends = s.blocks[-1]
        self.numbers = BorderedNumbers(
            values=np.zeros(self.pattern.entries),
            factors=np.zeros(ends[FACTOR]),
            pivots=np.zeros(len(s.columns), np.int64),
            solution=np.zeros(ends[SOLUTION]),
            complement=np.zeros(s.border * s.bottom),
            growth=np.zeros(1),
        )
        self._least_squares: NDArray[np.float64] | None = None
        self._work = np.zeros(len(s.rows))
        self._known = np.zeros((len(s.rows), 1)), np.zeros(len(s.rows)), np.zeros((len(s.columns), 1))

    @property
    def solves(self) -> bool:
        """Whether the bordered form holds at the present values; otherwise least squares does the work."""
        return self._least_squares is None

    def factor(self, values: Array) -> None:
        """Factor the matrix with these values."""
        self._least_squares = None
        if self._factored(values):
            return
        full = np.zeros(self.pattern.shape)
        full[self._rows_of_entries(), self.pattern.columns] = values
        self.tears += 1
        self._take(torn(without_spikes(self.reordering), full))
        if not self._factored(values):
            self.dense += 1
            self._least_squares = full

    def _rows_of_entries(self) -> Ints:
        return np.repeat(np.arange(self.pattern.shape[0]), np.diff(self.pattern.starts))

    def _factored(self, values: Array) -> bool:
        np.copyto(self.numbers.values, values)
        return bool(factor_checked(self.structure, self.numbers, *self._known) == FACTORED)

    def solve(self, b: Array, out: Array | None = None) -> Array:
        """A x = b for one column or many; more rows than columns must agree with each other."""
        return self._solved(solve, b, self.pattern.shape[1], False, out)

    def solve_transposed(self, g: Array) -> Array:
        """Aᵀ x = g; rows that depend on others get zeros."""
        return self._solved(solve_transposed, g, self.pattern.shape[0], True, None)

    def _solved(
        self, call: Callable[..., None], b: Array, length: int, transposed: bool, out: Array | None
    ) -> Array:
        sides = b if b.ndim == 2 else b.reshape(-1, 1)
        if self._least_squares is not None:
            matrix = self._least_squares.T if transposed else self._least_squares
            found: Array = scipy.linalg.lstsq(matrix, sides)[0]
            return found if b.ndim == 2 else found[:, 0]
        s, wide = self.structure, sides.shape[1]
        if len(self._work) < len(s.rows) * wide:
            self._work = np.empty(len(s.rows) * wide)
        x = np.empty((length, wide)) if out is None else out
        given = np.ascontiguousarray(sides, dtype=float)
        call(s, self.numbers, given, self._work, x)
        if self.numbers.growth[0] > GROWTH:
            pattern = self.pattern
            A = scipy.sparse.csr_array(
                (self.numbers.values, pattern.columns, pattern.starts), shape=pattern.shape
            )
            A = A.T if transposed else A
            step = np.empty_like(x)
            for _ in range(REFINEMENTS):
                call(s, self.numbers, np.ascontiguousarray(given - A @ x), self._work, step)
                x += step
        return x if b.ndim == 2 else x[:, 0]
