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

from engine.compiled.kernel import fast_kernel, inlined_fast
from engine.compiled.layout import Array, Ints
from engine.maths.arrays import index
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


@inlined_fast
def _subtract(values: Array, to: int, k: float, row: int, count: int) -> None:
    """A stretch of `count` numbers from `to` on, less k times that from `row` on."""
    target, source = index(to), index(row)
    for c in range(index(0), index(count)):
        values[target + c] -= k * values[source + c]


@inlined_fast
def _exchange(values: Array, first: int, second: int, count: int) -> None:
    """Two stretches of `count` numbers change places."""
    one, other = index(first), index(second)
    for c in range(index(0), index(count)):
        values[one + c], values[other + c] = values[other + c], values[one + c]


@inlined_fast
def _scale(values: Array, row: int, k: float, count: int) -> None:
    """A stretch of `count` numbers, times k."""
    at = index(row)
    for c in range(index(0), index(count)):
        values[at + c] *= k


@inlined_fast
def _take(values: Array, to: int, line: Array, begin: int, count: int) -> None:
    """A stretch of `count` numbers from `to` on, less that of the line from `begin` on."""
    target, source = index(to), index(begin)
    for c in range(index(0), index(count)):
        values[target + c] -= line[source + c]


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
                _exchange(values, row, other, width)
            reciprocal = 1.0 / values[row + i]
            for j in range(i + 1, size):
                other = start + j * width
                k_j = values[other + i] * reciprocal
                values[other + i] = k_j
                if k_j != 0.0:
                    _subtract(values, other + i + 1, k_j, row + i + 1, width - i - 1)
        if width == size:
            continue
        # columns of L below the panel
        for i in range(size):
            row = under + i * width
            for j in range(i):
                k_j, other = values[start + j * width + i], under + j * width
                if k_j != 0.0:
                    _subtract(values, row + size, k_j, other + size, width - size)
            _scale(values, row + size, 1.0 / values[start + i * width + i], width - size)
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
                    _take(values, to, line, own, stages * behind - own)
                if end == width:
                    continue
                _combine(values, under, start, width, size, j, end, width, line)
                for other_u in range(u + 1, last):
                    own = updates[other_u, BEGIN]
                    to, own, behind = row + stages * places[at + own], stages * own, updates[other_u, END]
                    _take(values, lower + to, line, own, stages * behind - own)
    return FACTORED


@fast_kernel
def _combine(
    values: Array, rows: int, factors: int, width: int, size: int, j: int, begin: int, end: int, line: Array
) -> None:
    """line[c] = Σ_i factors[i, j] rows[i, c] over the rows of one panel, three at a time."""
    done, first, last = size % 3, index(begin), index(end)
    for c in range(first, last):
        line[c] = 0.0
    for i in range(done):
        k, row = values[factors + i * width + j], index(rows + i * width)
        for c in range(first, last):
            line[c] += k * values[row + c]
    while done < size:
        at, row = factors + done * width + j, index(rows + done * width)
        second, third = row + index(width), row + index(2 * width)
        k, k_second, k_third = values[at], values[at + width], values[at + 2 * width]
        for c in range(first, last):
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
        for i in range(index(first), index(first + size)):
            best = index(first + pivots[i])
            x[i], x[best] = x[best], x[i]
        own, row = index(first), index(start)
        for i in range(index(0), index(size)):
            total = x[own + i]
            for c in range(index(0), i):
                total -= values[row + c] * x[own + c]
            x[own + i] = total
            row += index(width)
        for u in range(nodes[k, UPDATE], nodes[k + 1, UPDATE]):
            to, begin = index(stages * nodes[updates[u, TARGET], FIRST]), stages * updates[u, BEGIN]
            columns, i, below = index(stages * updates[u, END] - begin), size % 3, lower + start + begin
            for j in range(i):
                row = index(below + j * width)
                for c in range(index(0), columns):
                    x[to + c] -= values[row + c] * x[first + j]
            while i < size:  # three at a time
                row, x_first, x_second, x_third = (
                    index(below + i * width),
                    x[first + i],
                    x[first + i + 1],
                    x[first + i + 2],
                )
                second, third = row + index(width), row + index(2 * width)
                for c in range(index(0), columns):
                    x[to + c] -= (
                        x_first * values[row + c]
                        + x_second * values[second + c]
                        + x_third * values[third + c]
                    )
                i += 3
    for back in range(count):
        k = count - 1 - back
        first, size, width = stages * nodes[k, FIRST], stages * nodes[k, SIZE], stages * nodes[k, WIDTH]
        start = square * nodes[k, START]
        for u in range(nodes[k, UPDATE], nodes[k + 1, UPDATE]):
            to, begin = index(stages * nodes[updates[u, TARGET], FIRST]), stages * updates[u, BEGIN]
            columns, i, right = index(stages * updates[u, END] - begin), size % 3, start + begin
            for j in range(i):
                row = index(right + j * width)
                for c in range(index(0), columns):
                    x[first + j] -= values[row + c] * x[to + c]
            while i < size:
                row, total, total_second, total_third = index(right + i * width), 0.0, 0.0, 0.0
                second, third = row + index(width), row + index(2 * width)
                for c in range(index(0), columns):
                    total += values[row + c] * x[to + c]
                    total_second += values[second + c] * x[to + c]
                    total_third += values[third + c] * x[to + c]
                x[first + i] -= total
                x[first + i + 1] -= total_second
                x[first + i + 2] -= total_third
                i += 3
        own, row, columns = index(first), index(start + size * width), index(size)
        for up in range(index(0), index(size)):
            i = columns - up - index(1)
            row -= index(width)
            total = x[own + i]
            for c in range(i + index(1), columns):
                total -= values[row + c] * x[own + c]
            x[own + i] = total / values[row + i]
