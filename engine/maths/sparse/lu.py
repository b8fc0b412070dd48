"""Numeric factorisation A = L U of a general matrix whose pattern is symmetric, on a structure found before.

The structure is that of `symbolic.py`. The rows of U stand in the panels, and behind all panels, in as many
numbers again, the columns of L: entry (c, i) of the factor at the place of (i, c) in the panel. A single
panel is a dense matrix; it needs no second half. Pivots are sought among the rows of one supernode, which is
enough where the blocks of the diagonal have inverses, as those of bodies have in every iteration matrix; a
vanishing pivot ends the factorisation. Compiled, in place, without allocation.
"""

from __future__ import annotations

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints
from engine.maths.sparse.symbolic import (
    BEGIN,
    END,
    FIRST,
    LIST,
    PLACES,
    SIZE,
    START,
    TARGET,
    UPDATE,
    WIDTH,
    Symbolic,
)

FACTORED = -1  # result of `factor` that went well


def values_length(symbolic: Symbolic) -> int:
    """How many numbers a general matrix of this structure takes."""
    return symbolic.stored * (1 if len(symbolic.nodes) <= 2 else 2)


@fast_kernel
def factor(nodes: Ints, updates: Ints, places: Ints, values: Array, pivots: Ints, line: Array) -> int:
    """L and U in place of the matrix, its rows exchanged as `pivots` says; `line` is scratch, one per line.

    Returns `FACTORED`, or the place, in the new order, of a pivot that vanishes or is not a number.
    """
    count = nodes.shape[0] - 1
    lower = nodes[count, START]
    for k in range(count):
        first, size, width, start = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH], nodes[k, START]
        under = lower + start
        # rows of the panel among each other, with partial pivoting
        for i in range(size):
            best, largest = i, abs(values[start + i * width + i])
            for j in range(i + 1, size):
                if abs(values[start + j * width + i]) > largest:
                    best, largest = j, abs(values[start + j * width + i])
            pivots[first + i] = best
            if not largest > 0.0:
                return int(first + i)
            row = start + i * width
            if best != i:
                other = start + best * width
                for c in range(width):
                    values[row + c], values[other + c] = values[other + c], values[row + c]
            reciprocal = 1.0 / values[row + i]
            for j in range(i + 1, size):
                other = start + j * width
                k_j = values[other + i] * reciprocal
                values[other + i] = k_j
                if k_j != 0.0:
                    for c in range(i + 1, width):
                        values[other + c] -= k_j * values[row + c]
        if width == size:
            continue
        # columns of L below the panel
        for i in range(size):
            row = under + i * width
            for j in range(i):
                k_j, other = values[start + j * width + i], under + j * width
                if k_j != 0.0:
                    for c in range(size, width):
                        values[row + c] -= k_j * values[other + c]
            reciprocal = 1.0 / values[start + i * width + i]
            for c in range(size, width):
                values[row + c] *= reciprocal
        # panels of later supernodes: rows of U, then columns of L beyond the block of the diagonal
        for u in range(nodes[k, UPDATE], nodes[k + 1, UPDATE]):
            target, begin, end = updates[u, TARGET], updates[u, BEGIN], updates[u, END]
            there, row_width, at = nodes[target, START], nodes[target, WIDTH], updates[u, PLACES] - begin
            for j in range(begin, end):
                row = there + places[at + j] * row_width
                _combine(values, start, under, width, size, j, begin, width, line)
                for c in range(begin, width):
                    values[row + places[at + c]] -= line[c]
                _combine(values, under, start, width, size, j, end, width, line)
                for c in range(end, width):
                    values[lower + row + places[at + c]] -= line[c]
    return FACTORED


@fast_kernel
def _combine(
    values: Array, rows: int, factors: int, width: int, size: int, j: int, begin: int, end: int, line: Array
) -> None:
    """line[c] = Σ_i factors[i, j] rows[i, c] over the rows of one panel."""
    for c in range(begin, end):
        line[c] = 0.0
    for i in range(size):
        k, row = values[factors + i * width + j], rows + i * width
        if k != 0.0:
            for c in range(begin, end):
                line[c] += k * values[row + c]


@fast_kernel
def solve(nodes: Ints, columns: Ints, values: Array, pivots: Ints, x: Array) -> None:
    """x ← A⁻¹ x in the new order, with the factor of `factor`."""
    count = nodes.shape[0] - 1
    lower = nodes[count, START]
    for k in range(count):
        first, size, width = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH]
        start, at = nodes[k, START], nodes[k, LIST]
        for i in range(size):
            best = first + pivots[first + i]
            x[first + i], x[best] = x[best], x[first + i]
        for i in range(size):
            row, total = start + i * width, x[first + i]
            for c in range(i):
                total -= values[row + c] * x[first + c]
            x[first + i] = total
            below = lower + row
            if total != 0.0:
                for c in range(size, width):
                    x[columns[at + c]] -= values[below + c] * total
    for back in range(count):
        k = count - 1 - back
        first, size, width = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH]
        start, at = nodes[k, START], nodes[k, LIST]
        for up in range(size):
            i = size - 1 - up
            row, total = start + i * width, x[first + i]
            for c in range(i + 1, size):
                total -= values[row + c] * x[first + c]
            for c in range(size, width):
                total -= values[row + c] * x[columns[at + c]]
            x[first + i] = total / values[row + i]
