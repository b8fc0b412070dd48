"""Block triangular form: a transversal on the diagonal, then the strong components one after the other.

[Antón 2015, section 4.3] [Duff 1981] [Tarjan 1972] Only diagonal blocks are factored. What no transversal
reaches (redundant rows, columns without an equation) goes to the bottom and to the border.
"""

from __future__ import annotations

from engine.maths.sparse.matching import strong_components, transversal
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, bordered
from engine.maths.sparse.pattern import Pattern

Block = tuple[list[int], list[int]]  # rows and columns, paired along the diagonal


def order(pattern: Pattern, hints: Hints) -> Reordering:
    blocks, border, bottom = irreducible_blocks(pattern, hints)
    return bordered(blocks, border, bottom)


def irreducible_blocks(pattern: Pattern, hints: Hints) -> tuple[list[Block], list[int], list[int]]:
    """The diagonal blocks in order, the columns of the border, the rows at the bottom."""
    rows = [r for r in range(pattern.shape[0]) if r not in hints.bottom]
    columns = [c for c in range(pattern.shape[1]) if c not in hints.border]
    pairs = [(rows[r], columns[c]) for r, c in transversal(pattern.part(rows, columns))]
    of_column = {c: k for k, (_, c) in enumerate(pairs)}
    edges = [[of_column[c] for c in pattern.row(r).tolist() if c in of_column] for r, _ in pairs]
    blocks: list[Block] = [
        ([pairs[k][0] for k in part], [pairs[k][1] for k in part]) for part in strong_components(edges)
    ]
    placed_rows, placed = {r for r, _ in pairs}, {c for _, c in pairs}
    border = [c for c in range(pattern.shape[1]) if c not in placed]
    return blocks, border, [r for r in range(pattern.shape[0]) if r not in placed_rows]


KIND = OrderingKind("block_triangular", "Block triangular form", symmetric=False, order=order)
