"""Symbolic factorisation of a symmetric matrix, once per pattern: where the factor has entries, in blocks.

Lines with the same neighbours (the rows of one joint, the velocities of one body) form one *supernode*: they
are ordered as one vertex and factored as one dense panel. The panel of supernode k holds its s rows of
U = D Lᵀ over the columns where they have entries, its own s first:

    values[start[k] + i * width[k] + c]    row i of the supernode, c-th of its columns

Eliminating it changes the panels of the supernodes in whose rows those columns stand. Where, is written down
here, so that the numeric factorisation has nothing to search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.maths.sparse.counts import factor_columns
from engine.maths.sparse.orderings import ORDERINGS, Hints
from engine.maths.sparse.pattern import Ints, Pattern

# columns of `Symbolic.nodes`
FIRST: Final = 0  # place of the first row in the new order
SIZE: Final = 1  # rows
WIDTH: Final = 2  # columns of the panel
START: Final = 3  # of its values
LIST: Final = 4  # of its columns, in `Symbolic.columns`
UPDATE: Final = 5  # of its updates; the next supernode's ends them
NODE_COLUMNS: Final = 6
# columns of `Symbolic.updates`: columns BEGIN … END − 1 of the panel are rows of supernode TARGET, in whose
# panel its columns from BEGIN on have the places that begin at PLACES, in `Symbolic.places`
TARGET: Final = 0
BEGIN: Final = 1
END: Final = 2
PLACES: Final = 3
UPDATE_COLUMNS: Final = 4


@dataclass(frozen=True)
class Symbolic:
    """Structure of the factor."""

    order: Ints  # the line that comes i-th
    position: Ints  # where a line comes
    nodes: Ints  # (supernodes + 1, NODE_COLUMNS); the last row ends START and UPDATE
    columns: Ints  # of all panels, in the new order
    updates: Ints  # (…, UPDATE_COLUMNS)
    places: Ints
    multiplications: int  # of one numeric factorisation

    @property
    def stored(self) -> int:
        """Numbers in the panels."""
        return int(self.nodes[-1, START])

    def places_of(self, rows: Ints, columns: Ints) -> Ints:
        """Where entries of the matrix go among the values; raises ValueError for one outside the pattern."""
        i, j = self.position[rows], self.position[columns]
        i, j = np.minimum(i, j), np.maximum(i, j)
        nodes = self.nodes[:-1]
        node = np.searchsorted(nodes[:, FIRST], i, side="right") - 1
        # the lists of all panels, one after the other, ascend when the number of the panel is put in front
        n = len(self.order)
        lists = np.repeat(np.arange(len(nodes)), nodes[:, WIDTH]) * n + self.columns
        wanted = node * n + j
        at = np.minimum(np.searchsorted(lists, wanted), len(lists) - 1)
        if not np.array_equal(lists[at], wanted):
            raise ValueError("the matrix has an entry outside the pattern that was analysed")
        within = at - nodes[node, LIST]
        return np.asarray(
            nodes[node, START] + (i - nodes[node, FIRST]) * nodes[node, WIDTH] + within, np.int64
        )


def analyse(pattern: Pattern, ordering: str = "approximate_minimum_degree") -> Symbolic:
    """The factor of a symmetric matrix with this pattern, with a full diagonal, in a symmetric ordering."""
    return analyse_groups(*_compressed(pattern), ordering)


def analyse_groups(
    groups: Sequence[Sequence[int]], compressed: Pattern, ordering: str = "approximate_minimum_degree"
) -> Symbolic:
    """The same for lines that are grouped already; the pattern is that among the groups."""
    block_order = ORDERINGS[ordering].order(compressed, Hints()).rows
    below = factor_columns(compressed, block_order)
    members = [groups[int(k)] for k in block_order]
    sizes = np.array([len(group) for group in members], np.int64)
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    order = np.array([line for group in members for line in group], np.int64)
    position = np.empty_like(order)
    position[order] = np.arange(len(order))

    nodes = np.zeros((len(members) + 1, NODE_COLUMNS), np.int64)
    columns: list[int] = []
    updates: list[tuple[int, int, int, int]] = []
    places: list[int] = []
    start = multiplications = 0
    offsets = [_offsets(k, below[k], sizes) for k in range(len(members))]
    for k, (rows, size) in enumerate(zip(below, sizes.tolist(), strict=True)):
        width = size + int(sizes[rows].sum())
        nodes[k] = first[k], size, width, start, len(columns), len(updates)
        for t in (k, *rows):
            columns += range(int(first[t]), int(first[t + 1]))
        begin = size
        for a, t in enumerate(rows):
            end = begin + int(sizes[t])
            updates.append((t, begin, end, len(places)))
            for u in rows[a:]:
                places += range(offsets[t][u], offsets[t][u] + int(sizes[u]))
            begin = end
        start += size * width
        multiplications += sum(r * (r + 3) // 2 for r in range(width - size, width))
    nodes[-1] = len(order), 0, 0, start, len(columns), len(updates)
    return Symbolic(
        order,
        position,
        nodes,
        np.array(columns, np.int64),
        np.array(updates, np.int64).reshape(-1, UPDATE_COLUMNS),
        np.array(places, np.int64),
        multiplications,
    )


def _offsets(k: int, rows: list[int], sizes: Ints) -> dict[int, int]:
    """Where each supernode begins among the columns of panel k."""
    found, at = {}, 0
    for t in (k, *rows):
        found[t] = at
        at += int(sizes[t])
    return found


def _compressed(pattern: Pattern) -> tuple[list[list[int]], Pattern]:
    """Groups of lines with the same neighbours (themselves included), and the pattern among the groups."""
    graph = pattern.neighbours()
    found: dict[tuple[int, ...], list[int]] = {}
    for i, near in enumerate(graph):
        found.setdefault(tuple(sorted((*near, i))), []).append(i)
    groups = list(found.values())
    of_line = {i: k for k, group in enumerate(groups) for i in group}
    rows = [{of_line[j] for j in near} for near in found]
    return groups, Pattern.of_rows(rows, len(groups))
