"""Numeric factorisation A = L U of a general matrix whose pattern is symmetric, on a structure found before.

The structure is that of `symbolic.py`. The rows of U stand in the panels, and behind all panels, in as many
numbers again, the columns of L: entry (c, i) of the factor at the place of (i, c) in the panel. A single
panel is a dense matrix; it needs no second half. Pivots are sought among the rows of one supernode, which is
enough where the blocks of the diagonal have inverses, as those of bodies have in every iteration matrix; a
vanishing pivot ends the factorisation. Compiled, in place, without allocation.

Several *stages* may share one structure: each line of it then stands for as many lines, those of one
supernode stage after stage, and all sizes and places of the structure are multiplied.
"""

from __future__ import annotations

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints
from engine.maths.sparse.symbolic import (
    BEGIN,
    END,
    FIRST,
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
def factor(
    nodes: Ints, updates: Ints, places: Ints, values: Array, pivots: Ints, line: Array, stages: int = 1
) -> int:
    """L and U in place of the matrix, its rows exchanged as `pivots` says; `line` is scratch, one per line.

    Returns `FACTORED`, or the place, in the new order, of a pivot that vanishes or is not a number.
    """
    count, square = nodes.shape[0] - 1, stages * stages
    lower = square * nodes[count, START]
    for k in range(count):
        first, size, width = stages * nodes[k, FIRST], stages * nodes[k, SIZE], stages * nodes[k, WIDTH]
        start = square * nodes[k, START]
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
        # panels of later supernodes: rows of U, then columns of L beyond the block of the diagonal; the
        # columns of one supernode stand together there as they do here
        last = nodes[k + 1, UPDATE]
        for u in range(nodes[k, UPDATE], last):
            target, begin, end = updates[u, TARGET], stages * updates[u, BEGIN], stages * updates[u, END]
            row_width, at = stages * nodes[target, WIDTH], updates[u, PLACES] - updates[u, BEGIN]
            there = square * nodes[target, START] + stages * places[at + updates[u, BEGIN]] * row_width
            for j in range(begin, end):
                row = there + (j - begin) * row_width
                _combine(values, start, under, width, size, j, begin, width, line)
                for other_u in range(u, last):
                    own = updates[other_u, BEGIN]
                    to, own, behind = row + stages * places[at + own], stages * own, updates[other_u, END]
                    for c in range(stages * behind - own):
                        values[to + c] -= line[own + c]
                if end == width:
                    continue
                _combine(values, under, start, width, size, j, end, width, line)
                for other_u in range(u + 1, last):
                    own = updates[other_u, BEGIN]
                    to, own, behind = row + stages * places[at + own], stages * own, updates[other_u, END]
                    to += lower
                    for c in range(stages * behind - own):
                        values[to + c] -= line[own + c]
    return FACTORED


@fast_kernel
def _combine(
    values: Array, rows: int, factors: int, width: int, size: int, j: int, begin: int, end: int, line: Array
) -> None:
    """line[c] = Σ_i factors[i, j] rows[i, c] over the rows of one panel, three at a time."""
    done = size % 3
    for c in range(begin, end):
        line[c] = 0.0
    for i in range(done):
        k, row = values[factors + i * width + j], rows + i * width
        for c in range(begin, end):
            line[c] += k * values[row + c]
    while done < size:
        at, row = factors + done * width + j, rows + done * width
        second, third = row + width, row + 2 * width
        k, k_second, k_third = values[at], values[at + width], values[at + 2 * width]
        for c in range(begin, end):
            line[c] += k * values[row + c] + k_second * values[second + c] + k_third * values[third + c]
        done += 3


@fast_kernel
def solve(nodes: Ints, updates: Ints, values: Array, pivots: Ints, x: Array, stages: int = 1) -> None:
    """x ← A⁻¹ x in the new order, with the factor of `factor`."""
    count, square = nodes.shape[0] - 1, stages * stages
    lower = square * nodes[count, START]
    for k in range(count):
        first, size, width = stages * nodes[k, FIRST], stages * nodes[k, SIZE], stages * nodes[k, WIDTH]
        start = square * nodes[k, START]
        for i in range(size):
            best = first + pivots[first + i]
            x[first + i], x[best] = x[best], x[first + i]
        for i in range(size):
            row, total = start + i * width, x[first + i]
            for c in range(i):
                total -= values[row + c] * x[first + c]
            x[first + i] = total
        for u in range(nodes[k, UPDATE], nodes[k + 1, UPDATE]):
            to, begin = stages * nodes[updates[u, TARGET], FIRST], stages * updates[u, BEGIN]
            columns, i, below = stages * updates[u, END] - begin, size % 3, lower + start + begin
            for j in range(i):
                for c in range(columns):
                    x[to + c] -= values[below + j * width + c] * x[first + j]
            while i < size:  # three at a time
                row, k, k_second, k_third = (
                    below + i * width,
                    x[first + i],
                    x[first + i + 1],
                    x[first + i + 2],
                )
                second, third = row + width, row + 2 * width
                for c in range(columns):
                    x[to + c] -= (
                        k * values[row + c] + k_second * values[second + c] + k_third * values[third + c]
                    )
                i += 3
    for back in range(count):
        k = count - 1 - back
        first, size, width = stages * nodes[k, FIRST], stages * nodes[k, SIZE], stages * nodes[k, WIDTH]
        start = square * nodes[k, START]
        for u in range(nodes[k, UPDATE], nodes[k + 1, UPDATE]):
            to, begin = stages * nodes[updates[u, TARGET], FIRST], stages * updates[u, BEGIN]
            columns, i, right = stages * updates[u, END] - begin, size % 3, start + begin
            for j in range(i):
                for c in range(columns):
                    x[first + j] -= values[right + j * width + c] * x[to + c]
            while i < size:
                row = right + i * width
                second, third, total, total_second, total_third = row + width, row + 2 * width, 0.0, 0.0, 0.0
                for c in range(columns):
                    total += values[row + c] * x[to + c]
                    total_second += values[second + c] * x[to + c]
                    total_third += values[third + c] * x[to + c]
                x[first + i] -= total
                x[first + i + 1] -= total_second
                x[first + i + 2] -= total_third
                i += 3
        for up in range(size):
            i = size - 1 - up
            row, total = start + i * width, x[first + i]
            for c in range(i + 1, size):
                total -= values[row + c] * x[first + c]
            x[first + i] = total / values[row + i]
