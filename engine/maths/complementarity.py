"""Linear complementarity problems: w = M z + q, w ≥ 0, z ≥ 0, wᵀz = 0, by Lemke's pivoting.

An artificial variable z₀ makes the problem solvable at once and is pivoted out again [Cottle 2009, §4.4].
With a positive semidefinite M, as impacts and contacts have, it comes out where there is a solution. Of rows
that tie that of z₀ leaves, else the lexicographically smallest: no degenerate problem cycles.
"""

from typing import Final

import numpy as np
from numba import types

from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import F1, F2, I1, Array, Ints

SOLVED: Final = 0
NO_SOLUTION: Final = 1  # the artificial variable cannot be driven out
TOO_MANY_PIVOTS: Final = 2
ZERO: Final = 1e-13  # of the largest number in the tableau: what counts as none
EQUAL: Final = 1e-14  # of two ratios: less between them is rounding


@kernel
def lemke(matrix: Array, q: Array, tableau: Array, basis: Ints, z: Array) -> int:
    """z of the problem of n = len(q) pairs; scratch: tableau (n, 2n + 2), basis (n)."""
    n = q.shape[0]
    artificial, right = 2 * n, 2 * n + 1
    size = 0.0
    worst, least = -1, 0.0
    for i in range(n):
        z[i] = 0.0
        if q[i] < least:
            worst, least = i, q[i]
    if worst < 0:
        return SOLVED
    # w − M z − z₀ = q
    for i in range(n):
        for j in range(n):
            tableau[i, j] = 1.0 if i == j else 0.0
            tableau[i, n + j] = -matrix[i, j]
            size = max(size, abs(matrix[i, j]))
        tableau[i, artificial], tableau[i, right] = -1.0, q[i]
        basis[i] = i
    size = max(size, 1.0)
    row, entering = worst, artificial
    for _ in range(50 + 20 * n):
        # pivot: the entering variable takes the place of the leaving one
        leaving, pivot = basis[row], tableau[row, entering]
        for j in range(right + 1):
            tableau[row, j] /= pivot
        for i in range(n):
            factor = tableau[i, entering]
            if i != row and factor != 0.0:
                for j in range(right + 1):
                    tableau[i, j] -= factor * tableau[row, j]
        basis[row] = entering
        if leaving == artificial:
            for i in range(n):
                if basis[i] >= n and basis[i] < artificial:
                    z[basis[i] - n] = max(tableau[i, right], 0.0)
            return SOLVED
        # next comes the complement of what has left
        entering = leaving + n if leaving < n else leaving - n
        row = -1
        for i in range(n):
            if tableau[i, entering] > ZERO * size and (
                row < 0 or _before(tableau, i, row, entering, artificial, n, basis)
            ):
                row = i
        if row < 0:
            return NO_SOLUTION
    return TOO_MANY_PIVOTS


@kernel
def _before(tableau: Array, i: int, row: int, entering: int, artificial: int, n: int, basis: Ints) -> bool:
    """Whether row i leaves rather than `row`: smallest ratio, then z₀, then lexicographic order."""
    own, other = tableau[i, entering], tableau[row, entering]
    a, b = tableau[i, 2 * n + 1] / own, tableau[row, 2 * n + 1] / other
    close = EQUAL * (abs(a) + abs(b))
    if a < b - close:
        return True
    if a > b + close:
        return False
    if basis[i] == artificial or basis[row] == artificial:
        return bool(basis[i] == artificial)
    for j in range(n):
        a, b = tableau[i, j] / own, tableau[row, j] / other
        if a != b:
            return bool(a < b)
    return False


MORE_DIAGONAL = (0.0, 1e-13, 1e-11, 1e-9)  # of the largest number in a line
VIOLATED = 1e-7  # of the largest of q: what w may fall short of zero
LEMKE = types.int64(F2, F1, F2, I1, F1)


def solve(matrix: Array, q: Array) -> Array | None:
    """z, or None where there is none.

    Where lines of a semidefinite matrix depend on each other rounding may hide the solution; a little more on
    its diagonal, which makes it definite, brings it back.
    """
    n = len(q)
    z, scratch, basis = np.zeros(n), np.zeros((n, 2 * n + 2)), np.zeros(n, np.int64)
    size, wanted = np.diag(np.abs(matrix).max(axis=1, initial=0.0)), float(np.abs(q).max(initial=0.0))
    for more in MORE_DIAGONAL:
        status = compiled(lemke, LEMKE)(np.ascontiguousarray(matrix + more * size), q, scratch, basis, z)
        if status == SOLVED and (matrix @ z + q).min(initial=0.0) >= -VIOLATED * wanted:
            return z
    return None
