"""Operations and store of a factorisation, counted from the pattern [Antón 2015, tables 4.1 and 4.2].

r_i are the entries right of the diagonal in row i of U, c_i those below it in column i of L:

    symmetric    multiplications Σ r_i (r_i + 3)/2    additions Σ r_i (r_i + 1)/2    store n + Σ r_i
    general      multiplications Σ (r_i + 1) c_i      additions Σ r_i c_i            store n + Σ (r_i + c_i)
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.maths.sparse.elimination import Eliminated
from engine.maths.sparse.orderings.base import Reordering
from engine.maths.sparse.pattern import Ints, Pattern


@dataclass(frozen=True)
class Counts:
    """What a factorisation costs."""

    multiplications: int
    additions: int
    stored: int
    fill: int  # stored entries where the matrix has none


def counts_of(factor: Eliminated, pattern: Pattern, *, symmetric: bool) -> Counts:
    """Of a factor whose entries are known."""
    r, c = factor.right, factor.below
    if symmetric:
        stored = len(r) + int(r.sum())
        own = sum(len(near) for near in pattern.neighbours()) // 2
        return Counts(
            int((r * (r + 3) // 2).sum()), int((r * (r + 1) // 2).sum()), stored, stored - len(r) - own
        )
    stored = len(r) + int(r.sum() + c.sum())
    return Counts(int(((r + 1) * c).sum()), int((r * c).sum()), stored, stored - pattern.entries)


def factor_columns(pattern: Pattern, order: Ints) -> list[list[int]]:
    """Rows below the diagonal of every column of the symmetric factor, in the new numbers, ascending.

    A column has its own entries and those of the columns whose first entry it is: the elimination tree
    [Davis 2006, chapter 4].
    """
    place = {int(v): k for k, v in enumerate(order)}
    graph = pattern.neighbours()
    children: list[list[int]] = [[] for _ in order]
    columns: list[list[int]] = []
    for k, v in enumerate(order):
        below = {place[u] for u in graph[int(v)] if place[u] > k}
        for child in children[k]:
            below.update(columns[child])
        below.discard(k)
        columns.append(sorted(below))
        if below:
            children[columns[k][0]].append(k)
    return columns


def bordered_multiplications(pattern: Pattern, reordering: Reordering, right_sides: int = 1) -> int:
    """Of a solution in bordered form: blocks factored, T⁻¹B with full columns, the complement, substitutions.

        (A − C T⁻¹B) x_A = b_A − C T⁻¹b_T,   x_T = T⁻¹b_T − (T⁻¹B) x_A        [Antón 2015, eqs. 3.57, 3.58]

    Redundant mechanisms have more bottom rows than border columns; all of them are eliminated.
    """
    order, border, bottom = reordering.triangular, reordering.border, reordering.bottom
    permuted = pattern.permuted(reordering.rows, reordering.columns)
    left = permuted.columns < order
    inside = int(left.sum())
    factors = sum((size**3 - size) // 3 for size in reordering.blocks)
    if not border:
        return factors + right_sides * inside
    solve = inside * (border + right_sides)
    pivots = range(border)
    complement = sum((border - i) * (bottom - 1 - i) for i in pivots)
    substitution = sum((bottom - 1 - i) + (border - i) for i in pivots)
    return factors + solve + complement + right_sides * (substitution + order * border)


def dense_multiplications(n: int, right_sides: int = 1) -> int:
    """Of Gauss elimination on a full matrix of order n, with the solutions."""
    return (n**3 - n) // 3 + right_sides * n**2
