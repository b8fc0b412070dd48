"""Where a matrix may have entries, in every configuration: row by row, columns ascending."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Pattern:
    """Columns of row i: `columns[starts[i]:starts[i + 1]]`."""

    shape: tuple[int, int]
    starts: Ints
    columns: Ints

    @classmethod
    def of_rows(cls, rows: Sequence[Iterable[int]], width: int) -> Pattern:
        """From the columns of every row, in any order."""
        lists = [sorted(set(row)) for row in rows]
        starts = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(row) for row in lists], out=starts[1:])
        return cls((len(lists), width), starts, np.array([c for row in lists for c in row], np.int64))

    @classmethod
    def of_matrix(cls, matrix: Any) -> Pattern:
        """From the entries of a dense or a sparse matrix that are not zero."""
        compressed = scipy.sparse.csr_array(matrix, copy=True)
        compressed.eliminate_zeros()
        compressed.sum_duplicates()
        compressed.sort_indices()
        shape = (int(compressed.shape[0]), int(compressed.shape[1]))
        return cls(shape, compressed.indptr.astype(np.int64), compressed.indices.astype(np.int64))

    @property
    def entries(self) -> int:
        return len(self.columns)

    def row(self, i: int) -> Ints:
        return self.columns[self.starts[i] : self.starts[i + 1]]

    def sets(self) -> list[set[int]]:
        """Columns of every row, as sets that may be changed."""
        columns = self.columns.tolist()
        return [set(columns[a:b]) for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)]

    def matrix(self) -> Any:
        """The pattern as a matrix of ones, in compressed rows."""
        ones = np.ones(self.entries, np.int64)
        return scipy.sparse.csr_array((ones, self.columns, self.starts), shape=self.shape)

    def dense(self) -> NDArray[np.bool_]:
        out = np.zeros(self.shape, dtype=bool)
        out[self._rows, self.columns] = True
        return out

    def transposed(self) -> Pattern:
        order = np.argsort(self.columns, kind="stable")
        starts = np.zeros(self.shape[1] + 1, np.int64)
        np.cumsum(np.bincount(self.columns, minlength=self.shape[1]), out=starts[1:])
        return Pattern((self.shape[1], self.shape[0]), starts, self._rows[order])

    @property
    def _rows(self) -> Ints:
        """The row of every entry."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.starts))

    def permuted(self, rows: Ints, columns: Ints) -> Pattern:
        """Row i of the result is row `rows[i]`, its column j is column `columns[j]`."""
        place = np.empty(self.shape[1], np.int64)
        place[columns] = np.arange(self.shape[1])
        return Pattern.of_rows([place[self.row(int(r))].tolist() for r in rows], self.shape[1])

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> Pattern:
        """The rows and columns with these numbers, in this order."""
        place = {c: i for i, c in enumerate(columns)}
        found = [[place[c] for c in self.row(r).tolist() if c in place] for r in rows]
        return Pattern.of_rows(found, len(columns))

    def normal(self) -> Pattern:
        """AᵀA, with a full diagonal."""
        return self.transposed().complement()

    def complement(self) -> Pattern:
        """AAᵀ, with a full diagonal."""
        n, holders = self.shape[0], self.transposed()
        met = np.diff(holders.starts)[self.columns]
        if met.sum() >= n * n:  # as many meetings as places
            return self._crowded_complement(holders)
        # rows i and j meet in column c: all pairs, by number, each once
        begin = holders.starts[self.columns] - np.cumsum(met) + met
        j = holders.columns[np.repeat(begin, met) + np.arange(met.sum())]
        pairs = np.unique(np.concatenate([np.repeat(self._rows, met) * n + j, np.arange(n) * (n + 1)]))
        starts = np.searchsorted(pairs, np.arange(n + 1) * n)
        return Pattern((n, n), starts, pairs % n if n else pairs)

    def _crowded_complement(self, holders: Pattern) -> Pattern:
        """The same, place by place."""
        found = np.eye(self.shape[0], dtype=bool)
        for column in range(self.shape[1]):
            rows = holders.row(column)
            found[rows[:, None], rows] = True
        starts = np.zeros(len(found) + 1, np.int64)
        np.cumsum(found.sum(axis=1), out=starts[1:])
        return Pattern(found.shape, starts, np.nonzero(found)[1])

    def neighbours(self) -> list[set[int]]:
        """Graph of a square pattern: i and j are neighbours when a_ij or a_ji may differ from zero, i ≠ j."""
        if self.shape[0] != self.shape[1]:
            raise ValueError(f"a pattern of {self.shape[0]} × {self.shape[1]} has no graph; take A Aᵀ or AᵀA")
        found = self.sets()
        for i, row in enumerate(self.sets()):
            for j in row:
                found[j].add(i)
        for i, row in enumerate(found):
            row.discard(i)
        return found
