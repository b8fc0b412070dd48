"""Which entries elimination leaves behind, in a given order: the factor's pattern, entry by entry.

Symmetric: row i of L has the vertices on the paths of the elimination tree from the entries of row i up to i
[Davis 2006, chapter 4]; found in time proportional to the entries of L. General: row after row, as
elimination goes; a pivot that is structurally zero is exchanged with the next row that has an entry.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.kernel import kernel
from engine.maths.sparse.orderings.base import Reordering
from engine.maths.sparse.pattern import Ints, Pattern


@dataclass(frozen=True)
class Eliminated:
    """The factor, by place in the new order. Entry k of the factor is (rows[k], columns[k]).

    `right` and `below`: entries of every pivot's row of U right of the diagonal, and of its column of L.
    A symmetric factor has its lower triangle alone, and `right` equals `below`.
    """

    right: Ints
    below: Ints
    rows: Ints
    columns: Ints
    pivots: int  # how many were found; fewer than columns for a matrix that is structurally singular


def symmetric_elimination(pattern: Pattern, order: Ints, *, entries: bool = True) -> Eliminated:
    """Of a symmetric matrix; without `entries` only the counts are found, whatever the fill."""
    n = len(order)
    starts, columns = _lower(pattern, order)
    parent, mark, counts = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.zeros(n, np.int64)
    _tree(starts, columns, parent, mark)
    _row_counts(starts, columns, parent, mark, counts)
    nothing = np.zeros(0, np.int64)
    if not entries:
        return Eliminated(counts, counts, nothing, nothing, n)
    stored = int(counts.sum())
    rows, cols = np.empty(stored, np.int64), np.empty(stored, np.int64)
    _row_entries(starts, columns, parent, mark, rows, cols)
    diagonal = np.arange(n)
    return Eliminated(counts, counts, np.append(rows, diagonal), np.append(cols, diagonal), n)


def _lower(pattern: Pattern, order: Ints) -> tuple[Ints, Ints]:
    """Entries below the diagonal in the new order, row by row; a_ij counts where either it or a_ji may be."""
    n = len(order)
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    i = place[np.repeat(np.arange(n), np.diff(pattern.starts))]
    j = place[pattern.columns]
    low, high = np.minimum(i, j), np.maximum(i, j)
    keys = np.unique((high * n + low)[low < high]) if n else np.zeros(0, np.int64)
    starts = np.searchsorted(keys, np.arange(n + 1) * n)
    return starts.astype(np.int64), keys % n if n else keys


@kernel
def _tree(starts: Ints, columns: Ints, parent: Ints, ancestor: Ints) -> None:
    """Elimination tree, with shortcuts to the highest known ancestor on the way."""
    for i in range(parent.shape[0]):
        for p in range(starts[i], starts[i + 1]):
            k = columns[p]
            while k != -1 and k < i:
                above = ancestor[k]
                ancestor[k] = i
                if above == -1:
                    parent[k] = i
                k = above
    for i in range(parent.shape[0]):
        ancestor[i] = -1


@kernel
def _row_counts(starts: Ints, columns: Ints, parent: Ints, mark: Ints, counts: Ints) -> None:
    for i in range(parent.shape[0]):
        mark[i] = i
        for p in range(starts[i], starts[i + 1]):
            k = columns[p]
            while mark[k] != i:
                mark[k] = i
                counts[k] += 1
                k = parent[k]


@kernel
def _row_entries(
    starts: Ints, columns: Ints, parent: Ints, mark: Ints, out_rows: Ints, out_columns: Ints
) -> None:
    at = 0
    for i in range(parent.shape[0]):
        mark[i] = -1
    for i in range(parent.shape[0]):
        mark[i] = i
        for p in range(starts[i], starts[i + 1]):
            k = columns[p]
            while mark[k] != i:
                mark[k] = i
                out_rows[at], out_columns[at] = i, k
                at += 1
                k = parent[k]


def general_elimination(pattern: Pattern, reordering: Reordering) -> Eliminated:
    """Of any matrix; rows without a pivot stay where they are, columns without one are passed over.

    Rows keep their place among the entries even when they are exchanged.
    """
    permuted = pattern.permuted(reordering.rows, reordering.columns)
    rows = permuted.sets()
    holders = [set(permuted.transposed().row(c).tolist()) for c in range(permuted.shape[1])]
    place = list(range(len(rows)))  # where a row comes; changes when pivots are exchanged
    at = list(range(len(rows)))  # the row that comes there
    right, below = [], []
    front = 0
    for c in range(permuted.shape[1]):
        left = sorted(holders[c], key=place.__getitem__)
        if not left:
            continue
        pivot, targets = left[0], left[1:]
        # exchange the pivot with the row whose turn it is
        other = at[front]
        at[front], at[place[pivot]] = pivot, other
        place[other], place[pivot] = place[pivot], front
        front += 1
        ahead = {k for k in rows[pivot] if k > c}
        for i in targets:
            for k in ahead - rows[i]:
                holders[k].add(i)
            rows[i] |= ahead
        for k in rows[pivot]:
            if k >= c:
                holders[k].discard(pivot)
        right.append(len(ahead))
        below.append(len(targets))
    # what a row has left of its own pivot belongs to L, the rest to U: together the row itself
    found = [(i, k) for i, row in enumerate(rows) for k in row]
    entries = np.array(found, np.int64).reshape(-1, 2)
    return Eliminated(
        np.array(right, np.int64), np.array(below, np.int64), entries[:, 0], entries[:, 1], len(right)
    )
