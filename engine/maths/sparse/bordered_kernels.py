"""Systems in bordered block triangular form, numerically [Antón 2015, eqs. 3.56–3.58]: compiled.

`factor` factors the diagonal blocks with partial pivoting, finds Y = T⁻¹B where it can differ from zero, and
factors S = A − C Y; `solve` and `solve_transposed` take any number of right-hand sides. Redundant mechanisms
have more bottom rows than border columns: pivoting takes the best of them, the others depend on these.
`factor_checked` solves a known system where pivots may be mere rounding: where rows are redundant, a block
that has taken too many of them is singular, and its last pivot is what elimination left of zero.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.compiled.kernel import fast_kernel, inlined_fast
from engine.compiled.lanes import lanes_at, put_lanes, spread
from engine.compiled.lanes import subtract_product as less
from engine.compiled.layout import Array, Ints
from engine.maths.arrays import index
from engine.maths.sparse.bordered_structure import FACTOR, FIRST, LIST, SIZE, SOLUTION, WIDTH, Bordered
from engine.maths.sparse.dense_blocks import (
    eliminate,
    substitute,
    substitute_any,
    substitute_transposed,
    subtract_line,
)

FACTORED: Final = -1  # result of `factor` that went well
DOUBTFUL: Final = -2  # of `factor_checked`: there are pivots, but a known solution does not come back
GROWTH: Final = 1e3  # entries of Y above which pivots are doubted: they were chosen by the pattern
HELD: Final = 1e-8  # share of |A| |x| + |b| up to which a known right-hand side is met
REFINED: Final = 1e-3  # the same where solutions are refined: three times leave 1e-12


class BorderedNumbers(NamedTuple):
    """Numbers of one matrix in bordered form, as `Bordered` places them."""

    values: Array  # of the pattern, row by row
    factors: Array
    pivots: Ints
    solution: Array  # Y
    complement: Array  # S
    growth: Array  # (1,): the largest entry of Y


@fast_kernel
def factor(form: Bordered, numbers: BorderedNumbers) -> int:
    """Everything but the values, from these. Returns `FACTORED`, or the number of a singular block; the
    complement counts as the block after the last."""
    starts, places, source, blocks, block_of = (
        form.starts,
        form.places,
        form.source,
        form.blocks,
        form.block_of,
    )
    reached, spread, targets = form.reached, form.spread, form.targets
    values, factors, pivots = numbers.values, numbers.factors, numbers.pivots
    solution, complement = numbers.solution, numbers.complement
    count, order = blocks.shape[0] - 1, block_of.shape[0]
    rows = starts.shape[0] - 1
    largest = 0.0
    for b in range(count):
        first, size, at = blocks[b, FIRST], blocks[b, SIZE], blocks[b, FACTOR]
        width, y = blocks[b, WIDTH], blocks[b, SOLUTION]
        for k in range(at, at + size * size):
            factors[k] = 0.0
        for k in range(y, y + size * width):
            solution[k] = 0.0
        # diagonal block, own border entries, what comes from the blocks before
        for i in range(size):
            row, factor_row = index(y + i * width), index(at + i * size - first)
            # what is left of the block counts only where border columns reach it
            begin = starts[first + i] if width else form.lefts[first + i]
            for k in range(index(begin), index(starts[first + i + 1])):
                c, value = places[k], values[index(source[k])]
                if c >= order:  # spread is its place among the columns that reach the block
                    solution[row + index(spread[k])] += value
                elif c >= first:
                    factors[factor_row + index(c)] = value
                else:
                    a = index(block_of[index(c)])
                    wide, to = index(blocks[a, WIDTH]), index(spread[k])
                    line = index(blocks[a, SOLUTION] + (c - blocks[a, FIRST]) * blocks[a, WIDTH])
                    for w in range(wide):
                        solution[row + index(targets[to + w])] -= value * solution[line + w]
        if size == 1:  # the most of them
            if factors[at] == 0.0:
                return int(b)
            factors[at] = 1.0 / factors[at]
            for k in range(y, y + width):
                solution[k] *= factors[at]
                largest = max(largest, abs(solution[k]))
            continue
        if not eliminate(factors, at, size, size, pivots, first):
            return int(b)
        if width:
            substitute(factors, at, size, pivots, first, solution, y, width)
            for k in range(y, y + size * width):
                largest = max(largest, abs(solution[k]))
    numbers.growth[0] = largest
    # S = A − C Y
    border = complement.shape[0] // max(1, rows - order) if rows > order else 0
    for k in range(complement.shape[0]):
        complement[k] = 0.0
    for i in range(order, rows):
        s = (i - order) * border
        for k in range(index(starts[i]), index(starts[i + 1])):
            c, value = places[k], values[index(source[k])]
            if c >= order:
                complement[index(s + c - order)] += value
            else:
                a = index(block_of[index(c)])
                wide, listed = index(blocks[a, WIDTH]), index(blocks[a, LIST])
                line = index(blocks[a, SOLUTION] + (c - blocks[a, FIRST]) * blocks[a, WIDTH])
                for w in range(wide):
                    complement[index(s) + index(reached[listed + w])] -= value * solution[line + w]
    if border and not eliminate(complement, 0, rows - order, border, pivots, order):
        return int(count)
    return FACTORED


@inlined_fast
def _reduce(form: Bordered, values: Array, b: Array, work: Array, row: int) -> None:
    """A line of the right-hand side less what the entries left of its block make of the lines before.

    Sixteen sides at a time, or four, whose sums stay in registers.
    """
    places, source, sides, one = form.places, form.source, index(b.shape[1]), index(1)
    begin, end, given = index(form.starts[row]), index(form.lefts[row]), b[index(form.rows[row])]
    at, c = index(row) * sides, index(0)
    four, eight, twelve = index(4), index(8), index(12)
    while c + index(15) < sides:
        p, q = lanes_at(given, c), lanes_at(given, c + four)
        r, s = lanes_at(given, c + eight), lanes_at(given, c + twelve)
        for e in range(begin, end):
            value, j = spread(values[index(source[e])]), index(places[e]) * sides + c
            p, q = less(p, value, lanes_at(work, j)), less(q, value, lanes_at(work, j + four))
            r, s = less(r, value, lanes_at(work, j + eight)), less(s, value, lanes_at(work, j + twelve))
        to = at + c
        put_lanes(work, to, p)
        put_lanes(work, to + four, q)
        put_lanes(work, to + eight, r)
        put_lanes(work, to + twelve, s)
        c += index(16)
    while c + index(3) < sides:
        p = lanes_at(given, c)
        for e in range(begin, end):
            j = index(places[e]) * sides + c
            p = less(p, spread(values[index(source[e])]), lanes_at(work, j))
        put_lanes(work, at + c, p)
        c += four
    while c < sides:
        total = given[c]
        for e in range(begin, end):
            total -= values[index(source[e])] * work[index(places[e]) * sides + c]
        work[at + c] = total
        c += one


@fast_kernel
def solve(form: Bordered, numbers: BorderedNumbers, b: Array, work: Array, x: Array) -> None:
    """x (columns × sides) with A x = b (rows × sides); `work` has rows × sides numbers."""
    rows, columns, starts, lefts = form.rows, form.columns, form.starts, form.lefts
    places, source, blocks, reached = form.places, form.source, form.blocks, form.reached
    values, factors, pivots, solution = numbers.values, numbers.factors, numbers.pivots, numbers.solution
    count, order, sides = blocks.shape[0] - 1, form.block_of.shape[0], b.shape[1]
    border = columns.shape[0] - order
    # y = T⁻¹ b_T
    for k in range(count):
        first, size = blocks[k, FIRST], blocks[k, SIZE]
        if sides == 1 and size == 1:
            total = b[rows[first], 0]
            for e in range(starts[first], lefts[first]):
                total -= values[source[e]] * work[places[e]]
            work[first] = total * factors[blocks[k, FACTOR]]
            continue
        for i in range(first, first + size):
            _reduce(form, values, b, work, i)
        substitute(factors, blocks[k, FACTOR], size, pivots, first, work, first * sides, sides)
    if border:
        # S x_A = b_A − C y
        for i in range(order, rows.shape[0]):
            _reduce(form, values, b, work, i)
        substitute_any(numbers.complement, 0, border, pivots, order, work, order * sides, sides)
        # x_T = y − Y x_A
        for k in range(count):
            first, size, width = blocks[k, FIRST], blocks[k, SIZE], blocks[k, WIDTH]
            y, listed = blocks[k, SOLUTION], blocks[k, LIST]
            for i in range(size):
                for w in range(width):
                    value, a = solution[y + i * width + w], (order + reached[listed + w]) * sides
                    if value != 0.0:
                        subtract_line(work, (first + i) * sides, value, a, sides)
    for j in range(columns.shape[0]):
        for c in range(sides):
            x[columns[j], c] = work[j * sides + c]


@fast_kernel
def factor_checked(form: Bordered, numbers: BorderedNumbers, b: Array, work: Array, x: Array) -> int:
    """As `factor`; `DOUBTFUL` where the factors do not solve A x = A 1. `b` has rows × 1, `x` columns × 1."""
    found = factor(form, numbers)
    rows, columns, starts, values = form.rows, form.columns, form.starts, numbers.values
    if found != FACTORED or (rows.shape[0] == columns.shape[0] and numbers.growth[0] <= GROWTH):
        return found
    for i in range(rows.shape[0]):
        total = 0.0
        for e in range(starts[i], starts[i + 1]):
            total += values[form.source[e]]
        b[rows[i], 0] = total
    solve(form, numbers, b, work, x)
    largest = size = 0.0
    for i in range(rows.shape[0]):
        left, whole = b[rows[i], 0], abs(b[rows[i], 0])
        for e in range(starts[i], starts[i + 1]):
            part = values[form.source[e]] * x[columns[form.places[e]], 0]
            left -= part
            whole += abs(part)
        if not abs(left) < np.inf:
            return DOUBTFUL
        largest, size = max(largest, abs(left)), max(size, whole)
    limit = HELD if numbers.growth[0] <= GROWTH else REFINED
    return FACTORED if largest <= limit * size else DOUBTFUL


@fast_kernel
def _spread(form: Bordered, values: Array, work: Array, row: int, sides: int) -> None:
    """What a line of the solution makes of the lines before, through the entries left of its block."""
    for e in range(form.starts[row], form.lefts[row]):
        j, value = form.places[e], values[form.source[e]]
        for c in range(sides):
            work[j * sides + c] -= value * work[row * sides + c]


@fast_kernel
def solve_transposed(form: Bordered, numbers: BorderedNumbers, g: Array, work: Array, x: Array) -> None:
    """x (rows × sides) with Aᵀ x = g (columns × sides); rows that depend on others get zeros.

    Sᵀ x_A = g_A − Yᵀ g_T,   Tᵀ x_T = g_T − Cᵀ x_A
    """
    rows, columns, blocks, reached = form.rows, form.columns, form.blocks, form.reached
    values, factors, pivots, solution = numbers.values, numbers.factors, numbers.pivots, numbers.solution
    count, order, sides = blocks.shape[0] - 1, form.block_of.shape[0], g.shape[1]
    border = columns.shape[0] - order
    for j in range(columns.shape[0]):
        for c in range(sides):
            work[j * sides + c] = g[columns[j], c]
    for k in range(columns.shape[0] * sides, rows.shape[0] * sides):
        work[k] = 0.0
    if border:
        for k in range(count):
            first, size, width = blocks[k, FIRST], blocks[k, SIZE], blocks[k, WIDTH]
            y, listed = blocks[k, SOLUTION], blocks[k, LIST]
            for i in range(size):
                for w in range(width):
                    value, a = solution[y + i * width + w], (order + reached[listed + w]) * sides
                    for c in range(sides):
                        work[a + c] -= value * work[(first + i) * sides + c]
        substitute_transposed(numbers.complement, 0, border, pivots, order, work, order * sides, sides)
        for i in range(order, rows.shape[0]):
            _spread(form, values, work, i, sides)
    for back in range(count):
        k = count - 1 - back
        first, size = blocks[k, FIRST], blocks[k, SIZE]
        substitute_transposed(factors, blocks[k, FACTOR], size, pivots, first, work, first * sides, sides)
        for i in range(first, first + size):
            _spread(form, values, work, i, sides)
    for i in range(rows.shape[0]):
        for c in range(sides):
            x[rows[i], c] = work[i * sides + c]
