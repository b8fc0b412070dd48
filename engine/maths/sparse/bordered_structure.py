"""Where the numbers of a bordered block triangular form stand, found once per pattern and reordering.

    ⎡ T  B ⎤   T lower block triangular, B border columns, [C A] bottom rows
    ⎣ C  A ⎦   Y = T⁻¹B,  S = A − C Y                                        [Antón 2015, eqs. 3.56–3.58]

Most border columns reach few blocks: Y is stored with the columns alone that a block can have. A spike that
stands inside T (P³, P⁴) goes to the border, and its row to the bottom, so that T is triangular.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.maths.sparse.orderings.base import Reordering
from engine.maths.sparse.pattern import Ints, Pattern

# columns of `Bordered.blocks`
FIRST: Final = 0  # place of the first row and column
SIZE: Final = 1
FACTOR: Final = 2  # where its factor begins
WIDTH: Final = 3  # border columns that reach it
LIST: Final = 4  # where their numbers begin, in `reached`
SOLUTION: Final = 5  # where its part of Y begins: SIZE rows of WIDTH
BLOCK_COLUMNS: Final = 6


class Bordered(NamedTuple):
    """Structure of one matrix in bordered form. Places count rows and columns in the new order."""

    rows: Ints  # the row that comes i-th
    columns: Ints
    starts: Ints  # of the entries of every row
    lefts: (
        Ints  # where entries left of the block of the diagonal end; of a bottom row, those left of the border
    )
    places: Ints  # column of every entry
    source: Ints  # which entry of the pattern it is
    blocks: Ints  # (blocks + 1, BLOCK_COLUMNS); the last row ends FACTOR, LIST and SOLUTION
    block_of: Ints  # of every place in T
    reached: Ints  # border columns that reach a block, ascending, block after block
    # of every entry left of its block: where the places of the other block's border columns begin; of one in
    # the border: its place among the columns that reach its block
    spread: Ints
    targets: Ints  # those places

    @property
    def order(self) -> int:
        """Of T."""
        return len(self.block_of)

    @property
    def border(self) -> int:
        return len(self.columns) - self.order

    @property
    def bottom(self) -> int:
        return len(self.rows) - self.order


def without_spikes(reordering: Reordering) -> Reordering:
    """The same with spikes in the border and their rows at the bottom; what is left of T has no blocks."""
    if not reordering.spikes:
        return reordering
    order, spikes = reordering.triangular, set(reordering.spikes)
    keep = [k for k in range(order) if k not in spikes]
    out = [k for k in range(order) if k in spikes]
    return Reordering(
        np.concatenate([reordering.rows[keep], reordering.rows[out], reordering.rows[order:]]),
        np.concatenate([reordering.columns[keep], reordering.columns[out], reordering.columns[order:]]),
        (1,) * len(keep),
    )


def bordered_structure(pattern: Pattern, reordering: Reordering) -> Bordered:
    """Raises ValueError for a matrix with fewer rows than columns, which has no single solution."""
    if pattern.shape[0] < pattern.shape[1]:
        raise ValueError(f"{pattern.shape[0]} equations do not fix {pattern.shape[1]} unknowns")
    form = without_spikes(reordering)
    rows, columns, order = form.rows, form.columns, form.triangular
    place = np.empty(pattern.shape[1], np.int64)
    place[columns] = np.arange(len(columns))
    starts, places, source = [0], [], []
    for r in rows.tolist():
        begin, end = int(pattern.starts[r]), int(pattern.starts[r + 1])
        line = sorted((int(place[pattern.columns[k]]), k) for k in range(begin, end))
        places += [p for p, _ in line]
        source += [k for _, k in line]
        starts.append(len(places))
    first = np.concatenate([[0], np.cumsum(form.blocks)]).astype(np.int64)
    block_of = np.repeat(np.arange(len(form.blocks)), np.array(form.blocks, np.int64))

    # which border columns reach a block: its own, and those of the blocks it depends on
    reach: list[list[int]] = []
    offset = {}  # (block, block it depends on) → where the places begin
    targets: list[int] = []
    spread = np.full(len(places), -1, np.int64)
    for b, size in enumerate(form.blocks):
        inside = range(starts[first[b]], starts[first[b] + size])
        own = {places[k] - order for k in inside if places[k] >= order}
        before = sorted({int(block_of[places[k]]) for k in inside if places[k] < first[b]})
        reach.append(sorted(own.union(*(reach[a] for a in before))))
        number = {c: i for i, c in enumerate(reach[b])}
        for a in before:
            offset[b, a] = len(targets)
            targets += [number[c] for c in reach[a]]
        for k in inside:
            if places[k] < first[b]:
                spread[k] = offset[b, int(block_of[places[k]])]
            elif places[k] >= order:
                spread[k] = number[places[k] - order]
    begins = np.append(first[block_of], np.full(len(rows) - order, order)).tolist()
    lefts = [
        starts[i] + sum(p < begins[i] for p in places[starts[i] : starts[i + 1]]) for i in range(len(rows))
    ]
    blocks = np.zeros((len(form.blocks) + 1, BLOCK_COLUMNS), np.int64)
    factor = listed = solution = 0
    for b, size in enumerate(form.blocks):
        blocks[b] = first[b], size, factor, len(reach[b]), listed, solution
        factor, listed, solution = (
            factor + size * size,
            listed + len(reach[b]),
            solution + size * len(reach[b]),
        )
    blocks[-1] = order, 0, factor, 0, listed, solution
    return Bordered(
        rows,
        columns,
        np.array(starts, np.int64),
        np.array(lefts, np.int64),
        np.array(places, np.int64),
        np.array(source, np.int64),
        blocks,
        block_of.astype(np.int64),
        np.array([c for part in reach for c in part], np.int64),
        spread,
        np.array(targets, np.int64),
    )
