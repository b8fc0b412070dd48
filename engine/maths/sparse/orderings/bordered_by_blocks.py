"""Block triangular form first, then the bordered form inside each block of more than three rows.

The source does without the first stage [Antón 2015, section 4.6]. It pays where there are several loops: each
irreducible part has a border of its own, and their small complements do not know each other.
"""

from __future__ import annotations

from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, bordered
from engine.maths.sparse.orderings.block_triangular import Block, irreducible_blocks
from engine.maths.sparse.orderings.bordered import MAX_ORDER, torn
from engine.maths.sparse.pattern import Pattern


def order(pattern: Pattern, hints: Hints) -> Reordering:
    parts, border, bottom = irreducible_blocks(pattern, hints)
    blocks: list[Block] = []
    widths = []
    for rows, columns in parts:
        if len(rows) <= MAX_ORDER:
            blocks.append((rows, columns))
            continue
        values = None if hints.values is None else hints.values[rows][:, columns]
        inner, out, below = torn(pattern.part(rows, columns), Hints(values))
        blocks += [([rows[r] for r in r_block], [columns[c] for c in c_block]) for r_block, c_block in inner]
        border += [columns[c] for c in out]
        bottom += [rows[r] for r in below]
        widths.append(len(out))
    return bordered(blocks, border, bottom, torn=widths)


KIND = OrderingKind(
    "bordered_by_blocks", "Bordered form inside irreducible blocks", symmetric=False, order=order
)
