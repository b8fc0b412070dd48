"""Factor and solutions of a symmetric matrix inside an envelope: compiled, in place.

Row i of the upper triangle reaches from column i to column last[i] − 1, and its column c is number
first[i] + c of the matrix. Rows of one joint reach equally far: five of them, four or two, are eliminated
together, so that every line below is read and written once for all of them. Lines are short, a joint or two
long, and the compiler cannot know that two of them do not overlap; so passes along them take four numbers at
a time by hand, all read before the first is written.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np

from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.kernel import inlined_fast
from engine.compiled.layout import Array, Ints
from engine.maths.arrays import index
from engine.solvers.linsolve.rows import ONE, THREE, TWO

# Shares of the diagonal to which a pivot may fall (they are squares of singular values of the scaled rows):
REPEATED: Final = 1e-4  # below: a row that repeated others at the start still does, but for the violation
REGULARISATION: Final = 1e-9  # what pivots near singular configurations are raised by: it bounds multipliers
FOUR, FIVE = cast(int, np.uint64(4)), cast(int, np.uint64(5))


@inlined_fast
def _reciprocal(pivot: float, i: int, diagonals: Array, dependent: float, near: float) -> float:
    """1/pivot, or zero for a row that is left out; keeps the account of DIAGONAL.INFO."""
    diagonal, info = diagonals[DIAGONAL.INVERSE, i], diagonals[DIAGONAL.INFO]
    reciprocal = 1.0 / pivot
    if diagonals[DIAGONAL.MASK, i] != 0.0 and not pivot > REPEATED * diagonal:
        info[PIVOT.LEFT_OUT] += 1.0
        reciprocal = 0.0
    elif not pivot > near * diagonal:
        if not pivot > dependent * diagonal:
            info[PIVOT.LEFT_OUT] += 1.0
            reciprocal = 0.0
        else:
            info[PIVOT.WORST] = min(info[PIVOT.WORST], pivot / diagonal)
            info[PIVOT.RAISED] += 1.0
            reciprocal = 1.0 / (pivot + REGULARISATION * diagonal)
    elif pivot < info[PIVOT.WORST] * diagonal:
        info[PIVOT.WORST] = pivot / diagonal
    diagonals[DIAGONAL.INVERSE, i] = reciprocal
    return reciprocal


@inlined_fast
def _subtract(line: Array, begin: int, end: int, k: float, row: Array) -> None:
    """line −= k row, from column `begin` on."""
    c = begin
    while c + THREE < end:
        a, b = line[c] - k * row[c], line[c + ONE] - k * row[c + ONE]
        d, e = line[c + TWO] - k * row[c + TWO], line[c + THREE] - k * row[c + THREE]
        line[c], line[c + ONE], line[c + TWO], line[c + THREE] = a, b, d, e
        c += FOUR
    while c < end:
        line[c] -= k * row[c]
        c += ONE


@inlined_fast
def _subtract_two(
    line: Array, begin: int, end: int, k: float, row: Array, second: float, second_row: Array
) -> None:
    """The same for two rows at once."""
    c = begin
    while c + THREE < end:
        a = line[c] - k * row[c] - second * second_row[c]
        b = line[c + ONE] - k * row[c + ONE] - second * second_row[c + ONE]
        d = line[c + TWO] - k * row[c + TWO] - second * second_row[c + TWO]
        e = line[c + THREE] - k * row[c + THREE] - second * second_row[c + THREE]
        line[c], line[c + ONE], line[c + TWO], line[c + THREE] = a, b, d, e
        c += FOUR
    while c < end:
        line[c] -= k * row[c] + second * second_row[c]
        c += ONE


@inlined_fast
def _eliminate_four(
    matrix: Array, first: Ints, i: int, end: int, diagonals: Array, dependent: float, near: float
) -> None:
    """Rows i … i + 3, which reach equally far, and what they take from those below."""
    j1, j2, j3, rest = i + ONE, i + TWO, i + THREE, i + FOUR
    r0, r1 = matrix[index(first[i]) :], matrix[index(first[j1]) :]
    r2, r3 = matrix[index(first[j2]) :], matrix[index(first[j3]) :]
    u01, u02, u03 = r0[j1], r0[j2], r0[j3]
    d0 = _reciprocal(r0[i], i, diagonals, dependent, near)
    l1, l2, l3 = u01 * d0, u02 * d0, u03 * d0
    u12, u13 = r1[j2] - l1 * u02, r1[j3] - l1 * u03
    r1[j2], r1[j3] = u12, u13
    d1 = _reciprocal(r1[j1] - l1 * u01, j1, diagonals, dependent, near)
    m2, m3 = u12 * d1, u13 * d1
    u23 = r2[j3] - l2 * u03 - m2 * u13
    r2[j3] = u23
    d2 = _reciprocal(r2[j2] - l2 * u02 - m2 * u12, j2, diagonals, dependent, near)
    n3 = u23 * d2
    d3 = _reciprocal(r3[j3] - l3 * u03 - m3 * u13 - n3 * u23, j3, diagonals, dependent, near)
    c = rest
    while c < end:
        a = r0[c]
        b = r1[c] - l1 * a
        d = r2[c] - l2 * a - m2 * b
        r1[c], r2[c], r3[c] = b, d, r3[c] - l3 * a - m3 * b - n3 * d
        c += ONE
    j = rest
    while j < end:
        line = matrix[index(first[j]) :]
        k0, k1, k2, k3 = r0[j] * d0, r1[j] * d1, r2[j] * d2, r3[j] * d3
        c = j
        while c + THREE < end:
            a = line[c] - k0 * r0[c] - k1 * r1[c] - k2 * r2[c] - k3 * r3[c]
            e = c + ONE
            b = line[e] - k0 * r0[e] - k1 * r1[e] - k2 * r2[e] - k3 * r3[e]
            f = c + TWO
            d = line[f] - k0 * r0[f] - k1 * r1[f] - k2 * r2[f] - k3 * r3[f]
            g = c + THREE
            h = line[g] - k0 * r0[g] - k1 * r1[g] - k2 * r2[g] - k3 * r3[g]
            line[c], line[e], line[f], line[g] = a, b, d, h
            c += FOUR
        while c < end:
            line[c] -= k0 * r0[c] + k1 * r1[c] + k2 * r2[c] + k3 * r3[c]
            c += ONE
        j += ONE


@inlined_fast
def _eliminate_five(
    matrix: Array, first: Ints, i: int, end: int, diagonals: Array, dependent: float, near: float
) -> None:
    """The same for five, the rows of a hinge."""
    j1, j2, j3, j4, rest = i + ONE, i + TWO, i + THREE, i + FOUR, i + FIVE
    r0, r1, r2 = matrix[index(first[i]) :], matrix[index(first[j1]) :], matrix[index(first[j2]) :]
    r3, r4 = matrix[index(first[j3]) :], matrix[index(first[j4]) :]
    u01, u02, u03, u04 = r0[j1], r0[j2], r0[j3], r0[j4]
    d0 = _reciprocal(r0[i], i, diagonals, dependent, near)
    l1, l2, l3, l4 = u01 * d0, u02 * d0, u03 * d0, u04 * d0
    u12, u13, u14 = r1[j2] - l1 * u02, r1[j3] - l1 * u03, r1[j4] - l1 * u04
    r1[j2], r1[j3], r1[j4] = u12, u13, u14
    d1 = _reciprocal(r1[j1] - l1 * u01, j1, diagonals, dependent, near)
    m2, m3, m4 = u12 * d1, u13 * d1, u14 * d1
    u23, u24 = r2[j3] - l2 * u03 - m2 * u13, r2[j4] - l2 * u04 - m2 * u14
    r2[j3], r2[j4] = u23, u24
    d2 = _reciprocal(r2[j2] - l2 * u02 - m2 * u12, j2, diagonals, dependent, near)
    n3, n4 = u23 * d2, u24 * d2
    u34 = r3[j4] - l3 * u04 - m3 * u14 - n3 * u24
    r3[j4] = u34
    d3 = _reciprocal(r3[j3] - l3 * u03 - m3 * u13 - n3 * u23, j3, diagonals, dependent, near)
    o4 = u34 * d3
    d4 = _reciprocal(r4[j4] - l4 * u04 - m4 * u14 - n4 * u24 - o4 * u34, j4, diagonals, dependent, near)
    c = rest
    while c < end:
        a = r0[c]
        b = r1[c] - l1 * a
        d = r2[c] - l2 * a - m2 * b
        e = r3[c] - l3 * a - m3 * b - n3 * d
        r1[c], r2[c], r3[c], r4[c] = b, d, e, r4[c] - l4 * a - m4 * b - n4 * d - o4 * e
        c += ONE
    j = rest
    while j < end:
        line = matrix[index(first[j]) :]
        k0, k1, k2, k3, k4 = r0[j] * d0, r1[j] * d1, r2[j] * d2, r3[j] * d3, r4[j] * d4
        c = j
        while c + THREE < end:
            e, f, g = c + ONE, c + TWO, c + THREE
            a = line[c] - k0 * r0[c] - k1 * r1[c] - k2 * r2[c] - k3 * r3[c] - k4 * r4[c]
            b = line[e] - k0 * r0[e] - k1 * r1[e] - k2 * r2[e] - k3 * r3[e] - k4 * r4[e]
            d = line[f] - k0 * r0[f] - k1 * r1[f] - k2 * r2[f] - k3 * r3[f] - k4 * r4[f]
            h = line[g] - k0 * r0[g] - k1 * r1[g] - k2 * r2[g] - k3 * r3[g] - k4 * r4[g]
            line[c], line[e], line[f], line[g] = a, b, d, h
            c += FOUR
        while c < end:
            line[c] -= k0 * r0[c] + k1 * r1[c] + k2 * r2[c] + k3 * r3[c] + k4 * r4[c]
            c += ONE
        j += ONE


@inlined_fast
def envelope_factor(
    matrix: Array, first: Ints, last: Ints, diagonals: Array, n: int, dependent: float, near: float
) -> None:
    """Factor the matrix in place, U = D Lᵀ but for the diagonal, which is left; 1/D in DIAGONAL.INVERSE.

    Pivots below the share `dependent` of their diagonal are left out, those below `near` are raised a little;
    rows that repeated others at the start are left out already below `REPEATED`. DIAGONAL.INFO: smallest
    ratio of the pivots that are kept to their diagonals; how many are left out or raised.
    """
    inverse, info = diagonals[DIAGONAL.INVERSE], diagonals[DIAGONAL.INFO]
    info[PIVOT.WORST], info[PIVOT.LEFT_OUT], info[PIVOT.RAISED] = 1.0, 0.0, 0.0
    i, size = index(0), index(n)
    while i < size:
        inverse[i] = matrix[index(first[i]) + i]
        i += ONE
    i = index(0)
    while i < size:
        row, end, following = matrix[index(first[i]) :], index(last[i]), i + ONE
        if i + FOUR < end and index(last[i + FOUR]) == end:
            _eliminate_five(matrix, first, i, end, diagonals, dependent, near)
            i += FIVE
        elif i + THREE < end and index(last[i + THREE]) == end:
            _eliminate_four(matrix, first, i, end, diagonals, dependent, near)
            i += FOUR
        elif following < end and index(last[following]) == end:
            reciprocal = _reciprocal(row[i], i, diagonals, dependent, near)
            second_row, k = matrix[index(first[following]) :], row[following] * reciprocal
            _subtract(second_row, following, end, k, row)
            second = _reciprocal(second_row[following], following, diagonals, dependent, near)
            i += TWO
            for j in range(i, end):
                line = matrix[index(first[j]) :]
                _subtract_two(line, j, end, row[j] * reciprocal, row, second_row[j] * second, second_row)
        else:
            reciprocal = _reciprocal(row[i], i, diagonals, dependent, near)
            for j in range(following, end):
                _subtract(matrix[index(first[j]) :], j, end, row[j] * reciprocal, row)
            i = following


@inlined_fast
def _forward_four(matrix: Array, first: Ints, i: int, end: int, inverse: Array, x: Array) -> None:
    """Rows i … i + 3, which reach equally far, are taken out of what is below."""
    j1, j2, j3, c = i + ONE, i + TWO, i + THREE, i + FOUR
    r0, r1 = matrix[index(first[i]) :], matrix[index(first[j1]) :]
    r2, r3 = matrix[index(first[j2]) :], matrix[index(first[j3]) :]
    k0 = x[i] * inverse[i]
    x1 = x[j1] - r0[j1] * k0
    k1 = x1 * inverse[j1]
    x2 = x[j2] - r0[j2] * k0 - r1[j2] * k1
    k2 = x2 * inverse[j2]
    x3 = x[j3] - r0[j3] * k0 - r1[j3] * k1 - r2[j3] * k2
    k3 = x3 * inverse[j3]
    x[j1], x[j2], x[j3] = x1, x2, x3
    while c < end:
        x[c] -= r0[c] * k0 + r1[c] * k1 + r2[c] * k2 + r3[c] * k3
        c += ONE


@inlined_fast
def _forward_five(matrix: Array, first: Ints, i: int, end: int, inverse: Array, x: Array) -> None:
    """The same for five."""
    j1, j2, j3, j4, c = i + ONE, i + TWO, i + THREE, i + FOUR, i + FIVE
    r0, r1, r2 = matrix[index(first[i]) :], matrix[index(first[j1]) :], matrix[index(first[j2]) :]
    r3, r4 = matrix[index(first[j3]) :], matrix[index(first[j4]) :]
    k0 = x[i] * inverse[i]
    x1 = x[j1] - r0[j1] * k0
    k1 = x1 * inverse[j1]
    x2 = x[j2] - r0[j2] * k0 - r1[j2] * k1
    k2 = x2 * inverse[j2]
    x3 = x[j3] - r0[j3] * k0 - r1[j3] * k1 - r2[j3] * k2
    k3 = x3 * inverse[j3]
    x4 = x[j4] - r0[j4] * k0 - r1[j4] * k1 - r2[j4] * k2 - r3[j4] * k3
    k4 = x4 * inverse[j4]
    x[j1], x[j2], x[j3], x[j4] = x1, x2, x3, x4
    while c < end:
        x[c] -= r0[c] * k0 + r1[c] * k1 + r2[c] * k2 + r3[c] * k3 + r4[c] * k4
        c += ONE


@inlined_fast
def _backward_four(matrix: Array, first: Ints, i: int, end: int, inverse: Array, x: Array) -> None:
    """The same rows, once all below are known."""
    j1, j2, j3, c = i + ONE, i + TWO, i + THREE, i + FOUR
    r0, r1 = matrix[index(first[i]) :], matrix[index(first[j1]) :]
    r2, r3 = matrix[index(first[j2]) :], matrix[index(first[j3]) :]
    x0, x1, x2, x3 = x[i], x[j1], x[j2], x[j3]
    while c < end:
        known = x[c]
        x0 -= r0[c] * known
        x1 -= r1[c] * known
        x2 -= r2[c] * known
        x3 -= r3[c] * known
        c += ONE
    x3 *= inverse[j3]
    x2 = (x2 - r2[j3] * x3) * inverse[j2]
    x1 = (x1 - r1[j3] * x3 - r1[j2] * x2) * inverse[j1]
    x0 = (x0 - r0[j3] * x3 - r0[j2] * x2 - r0[j1] * x1) * inverse[i]
    x[i], x[j1], x[j2], x[j3] = x0, x1, x2, x3


@inlined_fast
def _backward_five(matrix: Array, first: Ints, i: int, end: int, inverse: Array, x: Array) -> None:
    """The same for five."""
    j1, j2, j3, j4, c = i + ONE, i + TWO, i + THREE, i + FOUR, i + FIVE
    r0, r1, r2 = matrix[index(first[i]) :], matrix[index(first[j1]) :], matrix[index(first[j2]) :]
    r3, r4 = matrix[index(first[j3]) :], matrix[index(first[j4]) :]
    x0, x1, x2, x3, x4 = x[i], x[j1], x[j2], x[j3], x[j4]
    while c < end:
        known = x[c]
        x0 -= r0[c] * known
        x1 -= r1[c] * known
        x2 -= r2[c] * known
        x3 -= r3[c] * known
        x4 -= r4[c] * known
        c += ONE
    x4 *= inverse[j4]
    x3 = (x3 - r3[j4] * x4) * inverse[j3]
    x2 = (x2 - r2[j4] * x4 - r2[j3] * x3) * inverse[j2]
    x1 = (x1 - r1[j4] * x4 - r1[j3] * x3 - r1[j2] * x2) * inverse[j1]
    x0 = (x0 - r0[j4] * x4 - r0[j3] * x3 - r0[j2] * x2 - r0[j1] * x1) * inverse[i]
    x[i], x[j1], x[j2], x[j3], x[j4] = x0, x1, x2, x3, x4


@inlined_fast
def envelope_solve(matrix: Array, first: Ints, last: Ints, inverse: Array, n: int, x: Array) -> None:
    """Solve in place with the factor of `envelope_factor`; rows that reach equally far go together."""
    i, size = index(0), index(n)
    while i < size:
        row, end, following = matrix[index(first[i]) :], index(last[i]), i + ONE
        if i + FOUR < end and index(last[i + FOUR]) == end:
            _forward_five(matrix, first, i, end, inverse, x)
            i += FIVE
            continue
        if i + THREE < end and index(last[i + THREE]) == end:
            _forward_four(matrix, first, i, end, inverse, x)
            i += FOUR
            continue
        k = x[i] * inverse[i]
        if following < end and index(last[following]) == end:
            x[following] -= row[following] * k
            second_row, second = matrix[index(first[following]) :], x[following] * inverse[following]
            i += TWO
            _subtract_two(x, i, end, k, row, second, second_row)
        else:
            i = following
            _subtract(x, i, end, k, row)
    back = size
    while back > index(0):
        i = back - ONE
        row, end = matrix[index(first[i]) :], index(last[i])
        if i > THREE and index(last[i - FOUR]) == end:
            back = i - FOUR
            _backward_five(matrix, first, back, end, inverse, x)
        elif i > TWO and index(last[i - THREE]) == end:
            back = i - THREE
            _backward_four(matrix, first, back, end, inverse, x)
        elif i > index(0) and index(last[i - ONE]) == end:
            before, total = i - ONE, x[i]
            row_before, total_before, c = matrix[index(first[before]) :], x[before], back
            while c < end:
                total -= row[c] * x[c]
                total_before -= row_before[c] * x[c]
                c += ONE
            x[i] = total * inverse[i]
            x[before] = (total_before - row_before[i] * x[i]) * inverse[before]
            back = before
        else:
            total, c = x[i], back
            while c < end:
                total -= row[c] * x[c]
                c += ONE
            x[i] = total * inverse[i]
            back = i
