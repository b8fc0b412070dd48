"""What lines that a factorisation left out repeat: the vanishing combination of lines that each one ends.

A = L D Lᵀ with D_d = 0 gives zᵀA = 0 for Lᵀz = e_d. Line d has coefficient 1, lines that come later and
other lines that were left out have none: each dependency is in as few lines as the choice of left-out ones
allows. A line gets its coefficient from those above it in the elimination tree [Davis 2006, chapter 4], so
the tree is followed down from d for as long as there is something to pass on: the dependency of one loop
among hundreds costs as much as that loop.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.symbolic import FIRST, LIST, SIZE, START, TARGET, UPDATE, WIDTH

NOTHING = 1e-12  # a coefficient below this, beside the 1 of the line itself, is rounding


@fast_kernel
def combine(
    nodes: Ints,
    columns: Ints,
    values: Array,
    inverse: Array,
    begins: Ints,
    children: Ints,
    root: int,
    line: int,
    x: Array,
    visited: Ints,
) -> int:
    """x ← L⁻ᵀ e_line, zero before; returns how many supernodes were visited, the first ones of `visited`.

    children[begins[k]:begins[k + 1]] are those of supernode k; `root` is that of the line.
    """
    x[line], visited[0] = 1.0, root
    met, done = 1, 0
    while done < met:
        k = visited[done]
        done += 1
        first, size, width = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH]
        start, at = nodes[k, START], nodes[k, LIST]
        for up in range(size):
            i = size - 1 - up
            if first + i < line:
                row, total = start + i * width, 0.0
                for c in range(i + 1, width):
                    total -= values[row + c] * x[columns[at + c]]
                x[first + i] = total * inverse[first + i]
        largest = 0.0
        for c in range(width):
            largest = max(largest, abs(x[columns[at + c]]))
        if largest > NOTHING:
            for c in range(begins[k], begins[k + 1]):
                visited[met] = children[c]
                met += 1
    return met


def dependencies(factor: SparseFactor) -> Iterator[tuple[int, Ints, Array]]:
    """Line that was left out, lines that take part in its dependency, and their coefficients."""
    symbolic = factor.symbolic
    nodes, (values, inverse) = symbolic.nodes, factor.panels
    begins, children = _tree(nodes, symbolic.updates)
    x, visited = np.zeros(len(symbolic.order)), np.zeros(len(nodes), np.int64)
    for line in np.flatnonzero(inverse == 0.0).tolist():
        root = int(np.searchsorted(nodes[:-1, FIRST], line, side="right")) - 1
        met = combine(nodes, symbolic.columns, values, inverse, begins, children, root, line, x, visited)
        spans = nodes[visited[:met]][:, [FIRST, SIZE]].tolist()
        places = np.array([i for first, size in spans for i in range(first, first + size)], np.int64)
        taking_part = places[np.abs(x[places]) > NOTHING]
        yield int(symbolic.order[line]), symbolic.order[taking_part], x[taking_part]
        x[places] = 0.0


def _tree(nodes: Ints, updates: Ints) -> tuple[Ints, Ints]:
    """Children of all supernodes in the elimination tree, one list after the other, and where each begins."""
    found: list[list[int]] = [[] for _ in nodes[:-1]]
    for k, (begin, end) in enumerate(itertools.pairwise(nodes[:, UPDATE].tolist())):
        if begin < end:
            found[int(updates[begin, TARGET])].append(k)
    begins = np.zeros(len(found) + 1, np.int64)
    np.cumsum([len(children) for children in found], out=begins[1:])
    return begins, np.array([k for children in found for k in children], np.int64)
