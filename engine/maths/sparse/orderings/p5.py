"""P⁵, the precautionary partitioned preassigned pivot procedure: all spikes in the border.

[Antón 2015, section 4.4] [Erisman 1985] As many columns are chosen as the shortest rows have entries; the
rows that they empty form the next diagonal block with those of them that can be matched, the others go to
the border.
"""

from __future__ import annotations

from engine.maths.sparse.active import Active
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, bordered
from engine.maths.sparse.orderings.block_triangular import Block
from engine.maths.sparse.pattern import Pattern


def order(pattern: Pattern, hints: Hints) -> Reordering:
    blocks, border, bottom = torn(pattern, hints)
    return bordered(blocks, border, bottom)


def torn(pattern: Pattern, hints: Hints) -> tuple[list[Block], list[int], list[int]]:
    """Diagonal blocks, border, bottom."""
    active = Active.of(pattern, border=hints.border, bottom=hints.bottom)
    blocks: list[Block] = []
    border, bottom = sorted(hints.border), sorted(hints.bottom)
    while active.rows and active.columns:
        bottom += active.empty()
        active.take_rows(active.empty())
        trial, chosen = active.copy(), list[int]()
        for _ in range(active.least_count()):
            chosen.append(trial.busiest())
            trial.take_columns(chosen[-1:])
        emptied = trial.empty()
        pairs = _matched({r: active.rows[r] for r in emptied}, chosen[::-1])
        if pairs:
            blocks.append(([r for r, _ in pairs], [c for _, c in pairs]))
        rows, columns = {r for r, _ in pairs}, {c for _, c in pairs}
        border += [c for c in chosen if c not in columns]
        bottom += [r for r in emptied if r not in rows]
        active.take_rows(emptied)
        active.take_columns(chosen)
    return blocks, border + sorted(active.columns), bottom + sorted(active.rows)


def _matched(rows: dict[int, set[int]], columns: list[int]) -> list[tuple[int, int]]:
    """A largest matching, columns in this order of preference; pairs (row, column)."""
    of_row: dict[int, int] = {}

    def placed(column: int, seen: set[int]) -> bool:
        for r in sorted(rows):
            if column in rows[r] and r not in seen:
                seen.add(r)
                if r not in of_row or placed(of_row[r], seen):
                    of_row[r] = column
                    return True
        return False

    for column in columns:
        placed(column, set())
    return sorted(of_row.items())


KIND = OrderingKind("p5", "P⁵, spikes in the border", symmetric=False, order=order)
