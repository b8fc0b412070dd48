"""The order in which the linear algebra eliminates: chosen once, since the pattern never changes."""

import numpy as np

from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Ints, System
from engine.maths.sparse.orderings import ORDERINGS, Hints, reverse_cuthill_mckee
from engine.maths.sparse.pattern import Pattern
from engine.system.compiling.alike import alike_pairs
from engine.system.compiling.velocity_layout import AUTOMATIC, CHEAPEST, DENSE


def row_order(
    rows: Ints,
    coordinate_functions: Ints,
    block_bodies: Ints,
    bodies: int,
    axes: Ints,
    store: str = CHEAPEST,
    ordering: str = AUTOMATIC,
) -> dict[str, Ints]:
    """Order, envelope and incidence for the complement of the rows: arrays of `System` by name.

    `axes` are those along which gradient blocks push (`alike.py`).

    Rows that share a body are neighbours; the reverse Cuthill-McKee order keeps neighbours close, so that
    the factor fits into a narrow envelope. `store` "dense" makes the envelope full.
    """
    m = len(rows)
    touched = [
        [int(b) for b in _blocks(row, coordinate_functions, block_bodies) if b < bodies] for row in rows
    ]
    pattern = Pattern.of_rows(touched, bodies).complement()
    candidates = [natural(m), cuthill_mckee(pattern)]
    if ordering != AUTOMATIC:
        candidates = [ORDERINGS[ordering].order(pattern, Hints()).rows]
    best = min(candidates, key=lambda order: envelope_cost(pattern, order))
    position = np.empty(m, np.int64)
    position[best] = np.arange(m)
    last = np.full(m, m, np.int64) if store == DENSE else envelope(pattern, best)

    found: list[list[tuple[int, int]]] = [[] for _ in range(bodies)]
    for r, row in enumerate(rows):
        begin, count = coordinate_functions[row[ROW.COORDINATE], : COORDINATE.PAIR]
        for block in range(begin, begin + count):
            if block_bodies[block] < bodies:
                found[block_bodies[block]].append((int(position[r]), int(block)))
    incidence = np.array([pair for group in found for pair in sorted(group)], np.int64).reshape(-1, 2)
    starts = np.concatenate([[0], np.cumsum([len(group) for group in found])]).astype(np.int64)
    lengths = last - np.arange(m)
    row_starts = np.cumsum(lengths) - lengths - np.arange(m)
    alike, alike_starts = alike_pairs(incidence, starts, row_starts, axes)
    return {
        "incidence": incidence,
        "incidence_starts": starts,
        "alike": alike,
        "alike_starts": alike_starts,
        "order": best,
        "row_ends": last,
        "row_starts": row_starts,
    }


def envelope_entries(system: System) -> int:
    """Numbers that the complement of the rows takes in its envelope."""
    return int((system.row_ends - np.arange(len(system.rows))).sum())


def natural(m: int) -> Ints:
    return np.arange(m, dtype=np.int64)


def cuthill_mckee(pattern: Pattern) -> Ints:
    """Reverse Cuthill-McKee order of a symmetric pattern."""
    return reverse_cuthill_mckee.order(pattern, Hints()).rows


def envelope(pattern: Pattern, order: Ints) -> Ints:
    """End of every row of the upper triangle in this order, once elimination has filled it in."""
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    reach = np.maximum.reduceat(position[pattern.columns], pattern.starts[:-1]) if pattern.entries else order
    return _filled(reach[order] + 1)


def _filled(last: Ints) -> Ints:
    """A row reaches as far as those before it that reach beyond it."""
    before = np.maximum.accumulate(last)
    return np.asarray(before, np.int64) if len(last) else last


def envelope_cost(pattern: Pattern, order: Ints) -> float:
    """Multiplications of the factorisation, to leading order."""
    width = envelope(pattern, order) - np.arange(len(order))
    return float((width * width).sum())


def _blocks(row: Ints, coordinate_functions: Ints, block_bodies: Ints) -> Ints:
    """Bodies of the gradient blocks of a row, fixed ones included."""
    begin, count = coordinate_functions[row[ROW.COORDINATE], : COORDINATE.PAIR]
    return block_bodies[begin : begin + count]
