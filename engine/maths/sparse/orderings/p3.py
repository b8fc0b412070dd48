"""P³, the preassigned pivot procedure: nearly triangular, with spikes where columns rise above the diagonal.

[Antón 2015, section 4.4] [Hellerman 1971] Spikes stay near the rows that need them; a pivot of theirs may be
structurally zero.
"""

from __future__ import annotations

from engine.maths.sparse.active import Active
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, bordered
from engine.maths.sparse.pattern import Pattern


def order(pattern: Pattern, hints: Hints) -> Reordering:
    pairs, spikes, border, bottom = preassigned(
        Active.of(pattern, border=hints.border, bottom=hints.bottom), pattern
    )
    block = ([r for r, _ in pairs], [c for _, c in pairs])
    places = [k for k, (_, c) in enumerate(pairs) if c in spikes]
    return bordered(
        [block] if pairs else [],
        border + sorted(hints.border),
        bottom + sorted(hints.bottom),
        spikes=places,
    )


def preassigned(
    active: Active, pattern: Pattern
) -> tuple[list[tuple[int, int]], set[int], list[int], list[int]]:
    """Pairs (row, column) along the diagonal, which columns are spikes, and what stays without a place."""
    front: list[tuple[int, int]] = []
    back: list[tuple[int, int]] = []
    bottom: list[int] = []
    # rows and columns with a single entry need no spike
    while True:
        row = min((r for r, row in active.rows.items() if len(row) == 1), default=None)
        if row is not None:
            (column,) = active.rows[row]
            front.append((row, column))
        else:
            column = min((c for c, rows in active.columns.items() if len(rows) == 1), default=-1)
            if column < 0:
                break
            (row,) = active.columns[column]
            back.append((row, column))
        active.take_rows([row])
        active.take_columns([column])
    bottom += active.empty()
    active.take_rows(active.empty())
    stack: list[int] = []
    while active.least_count():
        least, column = active.least_count(), active.busiest()
        active.take_columns([column])
        stack.append(column)
        if least > 1:
            continue
        # the column itself meets the first row that is empty now, the youngest spikes meet the others
        for row in active.empty():
            if stack:
                front.append((row, stack.pop()))
            else:
                bottom.append(row)
            active.take_rows([row])
    pairs = front + back[::-1]
    place = {r: k for k, (r, _) in enumerate(pairs)}
    holders = pattern.transposed()
    spikes = {
        c for k, (_, c) in enumerate(pairs) if any(place.get(r, k) < k for r in holders.row(c).tolist())
    }
    return pairs, spikes, sorted([*stack, *active.columns]), sorted([*bottom, *active.rows])


KIND = OrderingKind("p3", "P³, preassigned pivots", symmetric=False, order=order)
