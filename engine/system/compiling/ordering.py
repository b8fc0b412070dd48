"""The order in which the linear algebra eliminates: chosen once, since the pattern never changes."""

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array, Ints


def row_order(rows: Ints, coordinate_functions: Ints, block_bodies: Ints, bodies: int) -> tuple[Ints, Ints]:
    """For the complement of the rows: (order, envelope ends, incidence starts), and the incidence.

    Rows that share a body are neighbours; the reverse Cuthill-McKee order keeps neighbours close, so that
    the factor fits into a narrow envelope.
    """
    m = len(rows)
    touching: list[list[int]] = [[] for _ in range(bodies)]
    for r in range(m):
        begin, count = coordinate_functions[rows[r, ROW.COORDINATE]]
        for block in range(begin, begin + count):
            if block_bodies[block] < bodies:
                touching[block_bodies[block]].append(r)
    pattern = np.eye(m, dtype=bool)
    for group in touching:
        pattern[np.ix_(group, group)] = True
    best = min((natural(m), cuthill_mckee(pattern)), key=lambda order: envelope_cost(pattern, order))
    position = np.empty(m, np.int64)
    position[best] = np.arange(m)
    last = envelope(pattern[np.ix_(best, best)])

    incidence: list[tuple[int, int]] = []
    starts = [0]
    for b in range(bodies):
        found = []
        for r in set(touching[b]):
            begin, count = coordinate_functions[rows[r, ROW.COORDINATE]]
            found += [(int(position[r]), int(k)) for k in range(begin, begin + count) if block_bodies[k] == b]
        incidence += sorted(found)
        starts.append(len(incidence))
    order = np.concatenate([best, last, np.array(starts, np.int64)]).astype(np.int64)
    return order, np.array(incidence, np.int64).reshape(-1, 2)


def velocity_order(
    rows: Ints, coordinate_functions: Ints, block_bodies: Ints, bodies: Ints, nv: int
) -> tuple[Ints, Ints]:
    """For the augmented matrix of the velocities, in their natural order: (rows, envelope ends)."""
    pattern = np.zeros((nv, nv), dtype=bool)
    nb = len(bodies) - 1

    def columns(body: int) -> list[int]:
        return (
            list(range(bodies[body, BODY.V], bodies[body, BODY.V] + bodies[body, BODY.NV]))
            if body < nb
            else []
        )

    for b in range(nb):
        pattern[np.ix_(columns(b), columns(b))] = True
    for row in rows:
        begin, count = coordinate_functions[row[ROW.COORDINATE]]
        used = [c for block in range(begin, begin + count) for c in columns(int(block_bodies[block]))]
        pattern[np.ix_(used, used)] = True
    order = np.concatenate([np.arange(len(rows)), envelope(pattern)]).astype(np.int64)
    return order, np.zeros((0, 2), np.int64)


def natural(m: int) -> Ints:
    return np.arange(m, dtype=np.int64)


def cuthill_mckee(pattern: Array) -> Ints:
    """Reverse Cuthill-McKee order of a symmetric pattern."""
    if len(pattern) == 0:
        return natural(0)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    return np.asarray(reverse_cuthill_mckee(csr_array(pattern), symmetric_mode=True), np.int64)


def envelope(pattern: Array) -> Ints:
    """End of every row of the upper triangle once elimination has filled it in."""
    n = len(pattern)
    last = np.array([n - int(np.argmax(row[::-1])) for row in pattern], np.int64)
    for i in range(n):
        last[i + 1 : last[i]] = np.maximum(last[i + 1 : last[i]], last[i])
    return last


def envelope_cost(pattern: Array, order: Ints) -> float:
    """Multiplications of the factorisation, to leading order."""
    width = envelope(pattern[np.ix_(order, order)]) - np.arange(len(order))
    return float((width * width).sum())
