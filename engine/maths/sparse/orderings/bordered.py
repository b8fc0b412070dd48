"""The bordered block triangular form of [Antón 2015, section 4.6]: blocks of order 1, 2 and 3.

An open chain gives no border at all; where chains close, columns are torn. The wording of the source leaves
cases open; they are decided as docs/orderings.md explains, so that its published borders come out:
the rows of a block have exactly its columns, and where there is no such block one column is torn.

With values at a typical configuration the pivot rows of a block, and the column to tear, are chosen among
equal ones by pivoted QR: a redundant row that is taken by number can make a block singular in every
configuration.
"""

from __future__ import annotations

import numpy as np
import scipy

from engine.maths.sparse.active import Active
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, bordered
from engine.maths.sparse.orderings.block_triangular import Block
from engine.maths.sparse.pattern import Pattern

MAX_ORDER = 3  # order of a block: a point or a unit vector has three coordinates
WELL_CONDITIONED = 1e8  # condition number below which a block counts as regular


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
        least = active.least_count()
        if not least:
            break
        block = None
        for size in (2, 3) if least == 2 else (least,):
            block = block or _block(active, size, hints)
        if block:
            blocks.append(block)
            active.take_rows(block[0])
            active.take_columns(block[1])
        else:
            column = _torn_column(active, least, hints)
            border.append(column)
            active.take_columns([column])
    return blocks, border + sorted(active.columns), bottom + sorted(active.rows)


def _block(active: Active, size: int, hints: Hints) -> Block | None:
    """Rows with the same columns, as many as these; the most rows first, then the busiest columns."""
    if size > MAX_ORDER:
        return None
    groups: dict[tuple[int, ...], list[int]] = {}
    for r in sorted(active.rows):
        if len(active.rows[r]) == size:
            groups.setdefault(tuple(sorted(active.rows[r])), []).append(r)
    best, found = None, None
    for columns, rows in groups.items():
        if len(rows) < size:
            continue
        chosen = _pivot_rows(rows, columns, hints)
        entries = sum(len(active.columns[c]) for c in columns)
        rank = (_regular(chosen, columns, hints), len(rows), entries, -columns[0])
        if best is None or rank > best:
            best, found = rank, (chosen, list(columns))
    return found


def _pivot_rows(rows: list[int], columns: tuple[int, ...], hints: Hints) -> list[int]:
    if hints.values is None or len(rows) == len(columns):
        return rows[: len(columns)]
    _, pivots = scipy.linalg.qr(hints.values[np.ix_(rows, columns)].T, mode="r", pivoting=True)
    return [rows[k] for k in pivots[: len(columns)]]


def _regular(rows: list[int], columns: tuple[int, ...], hints: Hints) -> bool:
    if hints.values is None:
        return True
    return bool(np.linalg.cond(hints.values[np.ix_(rows, columns)]) < WELL_CONDITIONED)


def _torn_column(active: Active, least: int, hints: Hints) -> int:
    """The column with the most entries in the shortest rows, then in all rows, then the first.

    With values: of the rows that have the same columns as one of its rows, the column they depend on least.
    """
    shortest = sorted(r for r, row in active.rows.items() if len(row) == least)
    tally: dict[int, int] = {}
    for r in shortest:
        for c in active.rows[r]:
            tally[c] = tally.get(c, 0) + 1
    column = max(tally, key=lambda c: (tally[c], len(active.columns[c]), -c))
    if hints.values is None:
        return column
    first = next(r for r in shortest if column in active.rows[r])
    alike = [r for r in shortest if active.rows[r] == active.rows[first]]
    columns = sorted(active.rows[first])
    _, pivots = scipy.linalg.qr(hints.values[np.ix_(alike, columns)], mode="r", pivoting=True)
    return columns[int(pivots[-1])]


KIND = OrderingKind("bordered", "Bordered block triangular form", symmetric=False, order=order)
