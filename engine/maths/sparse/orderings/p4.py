"""P⁴, the partitioned preassigned pivot procedure: block triangular form, then P³ inside each block.

[Antón 2015, section 4.4] [Hellerman 1972]
"""

from __future__ import annotations

from engine.maths.sparse.active import Active
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, bordered
from engine.maths.sparse.orderings.block_triangular import Block, irreducible_blocks
from engine.maths.sparse.orderings.p3 import preassigned
from engine.maths.sparse.pattern import Pattern


def order(pattern: Pattern, hints: Hints) -> Reordering:
    blocks, border, bottom = irreducible_blocks(pattern, hints)
    placed: list[Block] = []
    spikes: list[int] = []
    at = 0
    for rows, columns in blocks:
        part = pattern.part(rows, columns)
        # an irreducible block is square and has a transversal, so nothing of it stays without a place
        pairs, rising, _, _ = preassigned(Active.of(part), part)
        placed.append(([rows[r] for r, _ in pairs], [columns[c] for _, c in pairs]))
        spikes += [at + k for k, (_, c) in enumerate(pairs) if c in rising]
        at += len(pairs)
    return bordered(placed, border, bottom, spikes=spikes)


KIND = OrderingKind("p4", "P⁴, preassigned pivots in blocks", symmetric=False, order=order)
