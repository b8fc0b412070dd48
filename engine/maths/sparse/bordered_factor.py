"""Numeric solution of systems in bordered block triangular form [Antón 2015, eqs. 3.56–3.58]: compiled.

`factor` factors the diagonal blocks with partial pivoting, finds Y = T⁻¹B where it can differ from zero, and
factors S = A − C Y; `solve` and `solve_transposed` take any number of right-hand sides. Redundant mechanisms
have more bottom rows than border columns: pivoting takes the best of them, the others depend on these.

`BorderedFactor` is the same for Python, with the ways out: of a block that is singular at the present values
the dependent columns go to the border and the rows without a pivot to the bottom (the source joins it with
the next block, which leaves the determinant zero); what is singular as a whole is solved by least squares.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints
from engine.maths.sparse.bordered_structure import (
    FACTOR,
    FIRST,
    LIST,
    SIZE,
    SOLUTION,
    WIDTH,
    bordered_structure,
    without_spikes,
)
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, bordered
from engine.maths.sparse.pattern import Pattern

FACTORED = -1  # result of `factor` that went well
SINGULAR = 1e-12  # a pivot below this share of the largest entry of its block
GROWTH = 1e3  # entries of Y above which solutions are refined: pivots are chosen by the pattern, not by size
REFINEMENTS = 3
DEPENDENT = 1e-9  # the same where a block is torn: pivots that are kept stay regular for a while


@fast_kernel
def _eliminate(matrix: Array, at: int, rows: int, columns: int, pivots: Ints, first: int) -> bool:
    """LU with partial pivoting of a dense matrix of at least as many rows as columns, row by row at `at`.

    The diagonal of U is inverted.
    """
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


@fast_kernel
def _substitute(
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
        for c in range(width):
            a = x[o0 + c]
            b = x[o1 + c] - l10 * a
            d = (x[o2 + c] - l20 * a - l21 * b) * r2
            b = (b - u12 * d) * r1
            x[start + c] = (a - u01 * b - u02 * d) * r0
            x[start + width + c] = b
            x[start + 2 * width + c] = d
        return
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
                for c in range(width):
                    x[start + k * width + c] -= f * x[start + j * width + c]
    for back in range(n):
        k = n - 1 - back
        for j in range(k + 1, n):
            f = matrix[at + k * n + j]
            if f != 0.0:
                for c in range(width):
                    x[start + k * width + c] -= f * x[start + j * width + c]
        reciprocal = matrix[at + k * n + k]
        for c in range(width):
            x[start + k * width + c] *= reciprocal


@fast_kernel
def _substitute_transposed(
    matrix: Array, at: int, n: int, pivots: Ints, first: int, x: Array, start: int, width: int
) -> None:
    """The same for the transposed matrix."""
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


@fast_kernel
def factor(
    starts: Ints,
    places: Ints,
    source: Ints,
    blocks: Ints,
    block_of: Ints,
    reached: Ints,
    spread: Ints,
    targets: Ints,
    values: Array,
    factors: Array,
    pivots: Ints,
    solution: Array,
    complement: Array,
    growth: Array,
) -> int:
    """`values` are those of the pattern, row by row. Returns `FACTORED`, or the number of a singular block;
    the complement counts as the block after the last. growth[0] is the largest entry of Y."""
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
            for k in range(starts[first + i], starts[first + i + 1]):
                c, value = places[k], values[source[k]]
                if c >= order:  # spread is its place among the columns that reach the block
                    solution[y + i * width + spread[k]] += value
                elif c >= first:
                    factors[at + i * size + c - first] = value
                else:
                    a = block_of[c]
                    wide, begin = blocks[a, WIDTH], spread[k]
                    line = blocks[a, SOLUTION] + (c - blocks[a, FIRST]) * wide
                    for w in range(wide):
                        solution[y + i * width + targets[begin + w]] -= value * solution[line + w]
        if size == 1:  # the most of them
            if factors[at] == 0.0:
                return int(b)
            factors[at] = 1.0 / factors[at]
            for k in range(y, y + width):
                solution[k] *= factors[at]
                largest = max(largest, abs(solution[k]))
            continue
        if not _eliminate(factors, at, size, size, pivots, first):
            return int(b)
        if width:
            _substitute(factors, at, size, pivots, first, solution, y, width)
            for k in range(y, y + size * width):
                largest = max(largest, abs(solution[k]))
    growth[0] = largest
    # S = A − C Y
    border = complement.shape[0] // max(1, rows - order) if rows > order else 0
    for k in range(complement.shape[0]):
        complement[k] = 0.0
    for i in range(order, rows):
        s = (i - order) * border
        for k in range(starts[i], starts[i + 1]):
            c, value = places[k], values[source[k]]
            if c >= order:
                complement[s + c - order] += value
            else:
                a = block_of[c]
                wide, listed = blocks[a, WIDTH], blocks[a, LIST]
                line = blocks[a, SOLUTION] + (c - blocks[a, FIRST]) * wide
                for w in range(wide):
                    complement[s + reached[listed + w]] -= value * solution[line + w]
    if border and not _eliminate(complement, 0, rows - order, border, pivots, order):
        return int(count)
    return FACTORED


@fast_kernel
def _reduce(
    begin: int,
    end: int,
    places: Ints,
    source: Ints,
    values: Array,
    b: Array,
    given: int,
    work: Array,
    row: int,
    sides: int,
) -> None:
    """A line of the right-hand side less what these entries make of the lines before."""
    at = row * sides
    if sides == 1:
        total = b[given, 0]
        for e in range(begin, end):
            total -= values[source[e]] * work[places[e]]
        work[at] = total
        return
    for c in range(sides):
        work[at + c] = b[given, c]
    line = work[at : at + sides]
    for e in range(begin, end):
        value, before = values[source[e]], work[places[e] * sides : places[e] * sides + sides]
        for c in range(sides):
            line[c] -= value * before[c]


@fast_kernel
def solve(
    rows: Ints,
    columns: Ints,
    starts: Ints,
    lefts: Ints,
    places: Ints,
    source: Ints,
    blocks: Ints,
    block_of: Ints,
    reached: Ints,
    values: Array,
    factors: Array,
    pivots: Ints,
    solution: Array,
    complement: Array,
    b: Array,
    work: Array,
    x: Array,
) -> None:
    """x (columns × sides) with A x = b (rows × sides); `work` has rows × sides numbers."""
    count, order, sides = blocks.shape[0] - 1, block_of.shape[0], b.shape[1]
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
            _reduce(starts[i], lefts[i], places, source, values, b, rows[i], work, i, sides)
        _substitute(factors, blocks[k, FACTOR], size, pivots, first, work, first * sides, sides)
    if border:
        # S x_A = b_A − C y
        for i in range(order, rows.shape[0]):
            _reduce(starts[i], lefts[i], places, source, values, b, rows[i], work, i, sides)
        _rectangular(complement, rows.shape[0] - order, border, pivots, order, work, order * sides, sides)
        # x_T = y − Y x_A
        for k in range(count):
            first, size, width = blocks[k, FIRST], blocks[k, SIZE], blocks[k, WIDTH]
            y, listed = blocks[k, SOLUTION], blocks[k, LIST]
            for i in range(size):
                for w in range(width):
                    value, a = solution[y + i * width + w], (order + reached[listed + w]) * sides
                    if value != 0.0:
                        for c in range(sides):
                            work[(first + i) * sides + c] -= value * work[a + c]
    for j in range(columns.shape[0]):
        for c in range(sides):
            x[columns[j], c] = work[j * sides + c]


@fast_kernel
def _rectangular(
    matrix: Array, rows: int, n: int, pivots: Ints, first: int, x: Array, start: int, width: int
) -> None:
    """As `_substitute` for the factor of a matrix of `rows` ≥ n rows: exchanges reach beyond the first n."""
    for k in range(n):
        best = pivots[first + k]
        if best != k:
            a, b = start + k * width, start + best * width
            for c in range(width):
                x[a + c], x[b + c] = x[b + c], x[a + c]
        # forward at once: rows beyond the n-th are never read again
    for k in range(n):
        for j in range(k):
            f = matrix[k * n + j]
            for c in range(width):
                x[start + k * width + c] -= f * x[start + j * width + c]
    for back in range(n):
        k = n - 1 - back
        for j in range(k + 1, n):
            f = matrix[k * n + j]
            for c in range(width):
                x[start + k * width + c] -= f * x[start + j * width + c]
        reciprocal = matrix[k * n + k]
        for c in range(width):
            x[start + k * width + c] *= reciprocal


@fast_kernel
def solve_transposed(
    rows: Ints,
    columns: Ints,
    starts: Ints,
    lefts: Ints,
    places: Ints,
    source: Ints,
    blocks: Ints,
    block_of: Ints,
    reached: Ints,
    values: Array,
    factors: Array,
    pivots: Ints,
    solution: Array,
    complement: Array,
    g: Array,
    work: Array,
    x: Array,
) -> None:
    """x (rows × sides) with Aᵀ x = g (columns × sides); rows that depend on others get zeros.

    Sᵀ x_A = g_A − Yᵀ g_T,   Tᵀ x_T = g_T − Cᵀ x_A
    """
    count, order, sides = blocks.shape[0] - 1, block_of.shape[0], g.shape[1]
    border, bottom = columns.shape[0] - order, rows.shape[0] - order
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
        # Uᵀ, then Lᵀ of the square part; the exchanges last, which reach beyond it
        start = order * sides
        for k in range(border):
            reciprocal = complement[k * border + k]
            for c in range(sides):
                work[start + k * sides + c] *= reciprocal
            for j in range(k + 1, border):
                f = complement[k * border + j]
                for c in range(sides):
                    work[start + j * sides + c] -= f * work[start + k * sides + c]
        for back in range(border):
            k = border - 1 - back
            for j in range(k):
                f = complement[k * border + j]
                for c in range(sides):
                    work[start + j * sides + c] -= f * work[start + k * sides + c]
        for back in range(border):
            k = border - 1 - back
            best = pivots[order + k]
            if best != k:
                for c in range(sides):
                    a, b = start + k * sides + c, start + best * sides + c
                    work[a], work[b] = work[b], work[a]
        for i in range(order, order + bottom):
            for e in range(starts[i], lefts[i]):
                j, value = places[e], values[source[e]]
                for c in range(sides):
                    work[j * sides + c] -= value * work[i * sides + c]
    for back in range(count):
        k = count - 1 - back
        first, size = blocks[k, FIRST], blocks[k, SIZE]
        _substitute_transposed(factors, blocks[k, FACTOR], size, pivots, first, work, first * sides, sides)
        for i in range(first, first + size):
            for e in range(starts[i], lefts[i]):
                j, value = places[e], values[source[e]]
                for c in range(sides):
                    work[j * sides + c] -= value * work[i * sides + c]
    for i in range(rows.shape[0]):
        for c in range(sides):
            x[rows[i], c] = work[i * sides + c]


def torn(reordering: Reordering, values: NDArray[np.float64]) -> Reordering:
    """The same without what is dependent in the diagonal blocks at these values, by pivoted QR."""
    blocks: list[tuple[list[int], list[int]]] = []
    border, bottom = [], []
    at = 0
    for size in reordering.blocks:
        rows, columns = reordering.rows[at : at + size], reordering.columns[at : at + size]
        at += size
        block = values[np.ix_(rows, columns)]
        _, R, order = scipy.linalg.qr(block, mode="economic", pivoting=True)
        rank = int((np.abs(np.diag(R)) > DEPENDENT * max(np.abs(block).max(), np.finfo(float).tiny)).sum())
        kept = columns[order[:rank]]
        if 0 < rank < size:
            lines = scipy.linalg.qr(values[np.ix_(rows, kept)].T, mode="r", pivoting=True)[1][:rank]
        else:
            lines = np.arange(rank)
        chosen = [int(r) for r in rows[lines]]
        if rank:
            blocks.append((chosen, [int(c) for c in (kept if rank < size else columns)]))
        border += [int(c) for c in columns if rank < size and c not in kept]
        bottom += [int(r) for r in rows if int(r) not in chosen]
    border += reordering.columns[at:].tolist()
    bottom += reordering.rows[at:].tolist()
    return bordered(blocks, border, bottom)


class BorderedFactor:
    """Solves systems of one pattern, one after the other, as an ordering of rows and columns has it.

    Values are given row by row, as the pattern lists its entries.
    """

    def __init__(self, pattern: Pattern, ordering: OrderingKind, hints: Hints | None = None) -> None:
        self.pattern, self.ordering = pattern, ordering
        self._hints = hints or Hints()
        self.tears = 0  # how often blocks had to be torn
        self.dense = 0  # how often least squares had to help
        self._take(ordering.order(pattern, self._hints))

    def _take(self, reordering: Reordering) -> None:
        self.reordering = reordering
        s = self.structure = bordered_structure(self.pattern, reordering)
        ends = s.blocks[-1]
        self._factors, self._solution = np.zeros(ends[FACTOR]), np.zeros(ends[SOLUTION])
        self._complement = np.zeros(s.border * s.bottom)
        self._pivots = np.zeros(len(s.columns), np.int64)
        self._values = np.zeros(self.pattern.entries)
        self._least_squares: NDArray[np.float64] | None = None
        self._growth = np.zeros(1)
        self._work = np.zeros(0)

    @property
    def solves(self) -> bool:
        """Whether the bordered form holds at the present values; otherwise least squares does the work."""
        return self._least_squares is None

    def factor(self, values: Array) -> None:
        """Factor the matrix with these values."""
        self._least_squares = None
        if self._factored(values):
            return
        full = np.zeros(self.pattern.shape)
        full[self._rows_of_entries(), self.pattern.columns] = values
        self.tears += 1
        self._take(torn(without_spikes(self.reordering), full))
        if not self._factored(values):
            self.dense += 1
            self._least_squares = full

    def _rows_of_entries(self) -> Ints:
        return np.repeat(np.arange(self.pattern.shape[0]), np.diff(self.pattern.starts))

    def _factored(self, values: Array) -> bool:
        s = self.structure
        self._values = np.ascontiguousarray(values, dtype=float)
        bad = factor(
            s.starts,
            s.places,
            s.source,
            s.blocks,
            s.block_of,
            s.reached,
            s.spread,
            s.targets,
            self._values,
            self._factors,
            self._pivots,
            self._solution,
            self._complement,
            self._growth,
        )
        return bool(bad == FACTORED)

    def solve(self, b: Array, out: Array | None = None) -> Array:
        """A x = b for one column or many; more rows than columns must agree with each other."""
        return self._solved(solve, b, self.pattern.shape[1], False, out)

    def solve_transposed(self, g: Array) -> Array:
        """Aᵀ x = g; rows that depend on others get zeros."""
        return self._solved(solve_transposed, g, self.pattern.shape[0], True, None)

    def _solved(
        self, call: Callable[..., None], b: Array, length: int, transposed: bool, out: Array | None
    ) -> Array:
        sides = b if b.ndim == 2 else b.reshape(-1, 1)
        if self._least_squares is not None:
            matrix = self._least_squares.T if transposed else self._least_squares
            found: Array = scipy.linalg.lstsq(matrix, sides)[0]
            return found if b.ndim == 2 else found[:, 0]
        s, wide = self.structure, sides.shape[1]
        if len(self._work) < len(s.rows) * wide:
            self._work = np.empty(len(s.rows) * wide)
        x = np.empty((length, wide)) if out is None else out
        arrays = (
            s.rows,
            s.columns,
            s.starts,
            s.lefts,
            s.places,
            s.source,
            s.blocks,
            s.block_of,
            s.reached,
            self._values,
            self._factors,
            self._pivots,
            self._solution,
            self._complement,
        )
        given = np.ascontiguousarray(sides, dtype=float)
        call(*arrays, given, self._work, x)
        if self._growth[0] > GROWTH:
            pattern = self.pattern
            A = scipy.sparse.csr_array((self._values, pattern.columns, pattern.starts), shape=pattern.shape)
            A = A.T if transposed else A
            step = np.empty_like(x)
            for _ in range(REFINEMENTS):
                call(*arrays, np.ascontiguousarray(given - A @ x), self._work, step)
                x += step
        return x if b.ndim == 2 else x[:, 0]
