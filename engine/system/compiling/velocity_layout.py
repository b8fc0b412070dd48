"""Where matrices over the velocities have their numbers: stiffness, damping, iteration matrices, factors.

All of them have the pattern of the bodies that a row or a force couples, so they share one layout, that of
their factor (`maths/sparse/lu.py`): adding two of them is adding two vectors. Small mechanisms have one
panel, which is a dense matrix in the natural order.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.layout import Ints
from engine.maths.sparse.lu import values_length
from engine.maths.sparse.pattern import Pattern
from engine.maths.sparse.symbolic import FIRST, START, WIDTH, Symbolic, analyse_groups

# What one supernode and one update of another cost beside their multiplications, in multiplications; measured
# by one factor and three solutions of chains and loops of 2 to 12 bodies, in plane and space, both ways.
NODE_COST, UPDATE_COST = 120, 90
AUTOMATIC, MINIMUM_DEGREE = "automatic", "approximate_minimum_degree"
DENSE, SPARSE, CHEAPEST = "dense", "sparse", "cheapest"  # how matrices over the velocities are stored


def velocity_layout(
    bodies: Ints,
    coordinate_functions: Ints,
    block_bodies: Ints,
    acting: Iterable[int],
    store: str = CHEAPEST,
    ordering: str = AUTOMATIC,
) -> tuple[dict[str, Ints], int]:
    """Arrays of `System` by name, and the multiplications of a symmetric factor.

    Sets the column PAIR of the coordinate functions that act on bodies.
    """
    moving = len(bodies) - 1
    coordinate_functions[:, COORDINATE.PAIR] = -1
    numbers = {(b, b): b for b in range(moving)}  # of the blocks
    pairs: list[int] = []
    for g in sorted(set(acting)):
        begin, count = coordinate_functions[g, [COORDINATE.BLOCK, COORDINATE.BLOCKS]].tolist()
        coordinate_functions[g, COORDINATE.PAIR] = len(pairs)
        own = block_bodies[begin : begin + count].tolist()
        for a in own:
            for b in own:
                inside = a < moving and b < moving
                pairs.append(numbers.setdefault((a, b), len(numbers)) if inside else -1)
    coupled = np.array(list(numbers), np.int64).reshape(-1, 2)
    symbolic = _structure(bodies, coupled, store, ordering)
    arrays = {
        "velocity_nodes": symbolic.nodes,
        "velocity_columns": symbolic.columns,
        "velocity_updates": symbolic.updates,
        "velocity_places": symbolic.places,
        "velocity_order": symbolic.order,
        "velocity_blocks": _blocks(symbolic, bodies[coupled[:, 0], BODY.V], bodies[coupled[:, 1], BODY.V]),
        "pairs": np.array(pairs, np.int64),
    }
    return arrays, symbolic.multiplications


def _structure(bodies: Ints, coupled: Ints, store: str, ordering: str) -> Symbolic:
    """One panel, or one for every body; the cheapest is the one that factors with less work."""
    at, width = bodies[:-1, BODY.V].tolist(), bodies[:-1, BODY.NV].tolist()
    n = sum(width)
    if not at:
        return analyse_groups([], Pattern.of_rows([], 0), "natural")
    dense = analyse_groups([range(n)], Pattern.of_rows([[0]], 1), "natural")
    near: list[list[int]] = [[] for _ in at]
    for a, b in coupled.tolist():
        near[a].append(b)
    lines = [range(first, first + count) for first, count in zip(at, width, strict=True)]
    pattern = Pattern.of_rows(near, len(at))
    sparse = analyse_groups(lines, pattern, MINIMUM_DEGREE if ordering == AUTOMATIC else ordering)
    return {DENSE: dense, SPARSE: sparse, CHEAPEST: min((dense, sparse), key=_cost)}[store]


def _cost(symbolic: Symbolic) -> float:
    nodes, updates = len(symbolic.nodes) - 1, len(symbolic.updates)
    return 2 * symbolic.multiplications + NODE_COST * nodes + UPDATE_COST * updates


def _blocks(symbolic: Symbolic, rows: Ints, columns: Ints) -> Ints:
    """Blocks whose first entries are (rows, columns): a block above the diagonal stands in the panel of its
    rows, one below, transposed, in the second half of the numbers, in the panel of its columns."""
    nodes, i, j = symbolic.nodes, symbolic.position[rows], symbolic.position[columns]
    row_node, column_node = (np.searchsorted(nodes[:-1, FIRST], at, side="right") - 1 for at in (i, j))
    one = np.ones_like(i)
    start, step = symbolic.places_of(rows, columns), nodes[np.minimum(row_node, column_node), WIDTH]
    inside = nodes[row_node, START] + (i - nodes[row_node, FIRST]) * step + (j - nodes[row_node, FIRST])
    below = row_node > column_node
    start = np.where(row_node == column_node, inside, start + np.where(below, symbolic.stored, 0))
    assert start.max(initial=-1) < values_length(symbolic)
    return np.column_stack([rows, columns, start, np.where(below, one, step), np.where(below, step, one)])
