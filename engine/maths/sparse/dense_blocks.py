"""Factors and solutions with small dense blocks inside longer arrays: compiled, in place.

A block lies row by row from a place on; a vector of right-hand sides is a line of `width` numbers per row.
"""

from __future__ import annotations

from typing import Final

from engine.compiled.kernel import fast_kernel, inlined_fast
from engine.compiled.lanes import lanes_at, put_lanes, spread, times
from engine.compiled.lanes import subtract_product as less
from engine.compiled.layout import Array, Ints
from engine.maths.arrays import index

SINGULAR: Final = 1e-12  # a pivot below this share of the largest entry of its block


@inlined_fast
def _eliminate_three(matrix: Array, at: int, pivots: Ints, first: int) -> bool:
    """The same for a block of order 3, most of those of points and vectors, in registers."""
    m = index(at)
    a0, a1, a2 = matrix[m], matrix[m + index(1)], matrix[m + index(2)]
    b0, b1, b2 = matrix[m + index(3)], matrix[m + index(4)], matrix[m + index(5)]
    c0, c1, c2 = matrix[m + index(6)], matrix[m + index(7)], matrix[m + index(8)]
    least = SINGULAR * max(
        max(max(abs(a0), abs(a1)), max(abs(a2), abs(b0))),
        max(max(abs(b1), abs(b2)), max(abs(c0), max(abs(c1), abs(c2)))),
    )
    best = 0
    if abs(b0) > abs(a0):
        best, a0, a1, a2, b0, b1, b2 = 1, b0, b1, b2, a0, a1, a2
    if abs(c0) > abs(a0):
        # the first row goes where the pivot came from: back to its place if the second was taken before
        if best == 1:
            b0, b1, b2, a0, a1, a2 = a0, a1, a2, b0, b1, b2
        best, a0, a1, a2, c0, c1, c2 = 2, c0, c1, c2, a0, a1, a2
    if not abs(a0) > least:
        return False
    pivots[first] = best
    r0 = 1.0 / a0
    b0, c0 = b0 * r0, c0 * r0
    b1, b2, c1, c2 = b1 - b0 * a1, b2 - b0 * a2, c1 - c0 * a1, c2 - c0 * a2
    best = 1
    if abs(c1) > abs(b1):
        best, b0, b1, b2, c0, c1, c2 = 2, c0, c1, c2, b0, b1, b2
    if not abs(b1) > least:
        return False
    pivots[first + 1] = best
    r1 = 1.0 / b1
    c1 *= r1
    c2 -= c1 * b2
    if not abs(c2) > least:
        return False
    pivots[first + 2] = 2
    matrix[m], matrix[m + index(1)], matrix[m + index(2)] = r0, a1, a2
    matrix[m + index(3)], matrix[m + index(4)], matrix[m + index(5)] = b0, r1, b2
    matrix[m + index(6)], matrix[m + index(7)], matrix[m + index(8)] = c0, c1, 1.0 / c2
    return True


@fast_kernel
def eliminate(matrix: Array, at: int, rows: int, columns: int, pivots: Ints, first: int) -> bool:
    """LU with partial pivoting of a dense matrix of at least as many rows as columns, row by row at `at`.

    The diagonal of U is inverted.
    """
    if columns == 3 and rows == 3:
        return _eliminate_three(matrix, at, pivots, first)
    largest = 0.0
    for k in range(at, at + rows * columns):
        largest = max(largest, abs(matrix[k]))
    for k in range(columns):
        best, size = k, abs(matrix[at + k * columns + k])
        for i in range(k + 1, rows):
            if abs(matrix[at + i * columns + k]) > size:
                best, size = i, abs(matrix[at + i * columns + k])
        if not size > SINGULAR * largest:
            return False
        pivots[first + k] = best
        row, other = at + k * columns, at + best * columns
        if best != k:
            for c in range(columns):
                matrix[row + c], matrix[other + c] = matrix[other + c], matrix[row + c]
        reciprocal = 1.0 / matrix[row + k]
        matrix[row + k] = reciprocal
        for i in range(k + 1, rows):
            line = at + i * columns
            f = matrix[line + k] * reciprocal
            matrix[line + k] = f
            for c in range(k + 1, columns):
                matrix[line + c] -= f * matrix[row + c]
    return True


@inlined_fast
def subtract_line(x: Array, to: int, value: float, other: int, width: int) -> None:
    """A line of x less `value` times another."""
    i, j, c, end = index(to), index(other), index(0), index(width)
    if index(3) < end:
        share = spread(value)
        while c + index(3) < end:
            put_lanes(x, i + c, less(lanes_at(x, i + c), share, lanes_at(x, j + c)))
            c += index(4)
    while c < end:
        x[i + c] -= value * x[j + c]
        c += index(1)


@fast_kernel
def substitute(
    matrix: Array, at: int, n: int, pivots: Ints, first: int, x: Array, start: int, width: int
) -> None:
    """The first n of the lines of x that begin at `start` become the solution for the factor of an n × n.

    Blocks of order 1 to 3, nearly all of them, are solved column by column in registers.
    """
    if n == 1:
        f = matrix[at]
        for c in range(start, start + width):
            x[c] *= f
        return
    if n == 2:
        swap, m = pivots[first] == 1, at
        for c in range(start, start + width):
            a, b = x[c], x[c + width]
            if swap:
                a, b = b, a
            b = (b - matrix[m + 2] * a) * matrix[m + 3]
            x[c + width] = b
            x[c] = (a - matrix[m + 1] * b) * matrix[m]
        return
    if n == 3:
        o0, o1, o2 = start, start + width, start + 2 * width
        if pivots[first] == 1:
            o0, o1 = o1, o0
        elif pivots[first] == 2:
            o0, o2 = o2, o0
        if pivots[first + 1] == 2:
            o1, o2 = o2, o1
        m = at
        l10, l20, l21 = matrix[m + 3], matrix[m + 6], matrix[m + 7]
        u01, u02, u12 = matrix[m + 1], matrix[m + 2], matrix[m + 5]
        r0, r1, r2 = matrix[m], matrix[m + 4], matrix[m + 8]
        i0, i1, i2, end, c = index(o0), index(o1), index(o2), index(width), index(0)
        t0, one = index(start), index(1)
        t1, t2 = t0 + end, t0 + end + end
        if index(3) < end:
            l10s, l20s, l21s, u01s = spread(l10), spread(l20), spread(l21), spread(u01)
            u02s, u12s, r0s, r1s, r2s = spread(u02), spread(u12), spread(r0), spread(r1), spread(r2)
            while c + index(3) < end:  # four at a time, all read before the first is written
                e, f, g = lanes_at(x, i0 + c), lanes_at(x, i1 + c), lanes_at(x, i2 + c)
                f = less(f, l10s, e)
                g = times(less(less(g, l20s, e), l21s, f), r2s)
                f = times(less(f, u12s, g), r1s)
                put_lanes(x, t0 + c, times(less(less(e, u01s, f), u02s, g), r0s))
                put_lanes(x, t1 + c, f)
                put_lanes(x, t2 + c, g)
                c += index(4)
        while c < end:
            a = x[i0 + c]
            b = x[i1 + c] - l10 * a
            d = (x[i2 + c] - l20 * a - l21 * b) * r2
            b = (b - u12 * d) * r1
            x[t0 + c], x[t1 + c], x[t2 + c] = (a - u01 * b - u02 * d) * r0, b, d
            c += one
        return
    substitute_any(matrix, at, n, pivots, first, x, start, width)


@fast_kernel
def substitute_any(
    matrix: Array, at: int, n: int, pivots: Ints, first: int, x: Array, start: int, width: int
) -> None:
    """The same for any n, and for the factor of a matrix with more rows than columns: exchanges reach beyond
    the first n lines of x, which alone are solved for."""
    for k in range(n):
        best = pivots[first + k]
        if best != k:
            a, b = start + k * width, start + best * width
            for c in range(width):
                x[a + c], x[b + c] = x[b + c], x[a + c]
    for k in range(n):
        for j in range(k):
            f = matrix[at + k * n + j]
            if f != 0.0:
                subtract_line(x, start + k * width, f, start + j * width, width)
    for back in range(n):
        k = n - 1 - back
        for j in range(k + 1, n):
            f = matrix[at + k * n + j]
            if f != 0.0:
                subtract_line(x, start + k * width, f, start + j * width, width)
        reciprocal = matrix[at + k * n + k]
        for c in range(width):
            x[start + k * width + c] *= reciprocal


@fast_kernel
def substitute_transposed(
    matrix: Array, at: int, n: int, pivots: Ints, first: int, x: Array, start: int, width: int
) -> None:
    """The same for the transposed matrix, of any n and with any number of rows."""
    for k in range(n):
        reciprocal = matrix[at + k * n + k]
        for c in range(width):
            x[start + k * width + c] *= reciprocal
        for j in range(k + 1, n):
            f = matrix[at + k * n + j]
            if f != 0.0:
                for c in range(width):
                    x[start + j * width + c] -= f * x[start + k * width + c]
    for back in range(n):
        k = n - 1 - back
        for j in range(k):
            f = matrix[at + k * n + j]
            if f != 0.0:
                for c in range(width):
                    x[start + j * width + c] -= f * x[start + k * width + c]
    for back in range(n):
        k = n - 1 - back
        best = pivots[first + k]
        if best != k:
            a, b = start + k * width, start + best * width
            for c in range(width):
                x[a + c], x[b + c] = x[b + c], x[a + c]
