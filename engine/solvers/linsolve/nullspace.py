"""Null space and least-norm solutions of J by one factorisation, in place, in work arrays.

P J = [L 0] Qᵀ by Householder reflections along the rows, the largest remaining row first. The number of
independent rows is given, not guessed at every pose, so that it stays when a pose is singular. The last
n − rank columns of Q are an orthonormal basis N of the null space; Q itself is never formed.

All of it is dense, and its cost grows with the cube of the size. Large mechanisms do without a basis: Nᵀr = 0
says that r = Jᵀμ, and N Nᵀx is what a saddle-point problem leaves of x.
"""

import math
from typing import Any, cast

from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.kernel import fast_kernel, inlined, inlined_fast, kernel
from engine.compiled.layout import Array, Ints, System
from engine.maths.arrays import index
from engine.solvers.linsolve import velocities

ANY = -1  # level of rows
BASIS_LIMIT = 60  # velocities: N-four-bars of 10 loops take half the time without a basis, of 2 twice as much


@inlined
def has_basis(system: System) -> bool:
    """Whether N is a matrix: in small mechanisms, and where matrices over the velocities are dense anyway."""
    return bool(system.sizes[SIZE.NV] <= BASIS_LIMIT or not velocities.is_sparse(system))


def basis_order(system: System) -> int:
    """Order of dense matrices that hold J and N; 0 where there are none."""
    if not cast(Any, has_basis).py_func(system):
        return 0
    return max(int(system.sizes[SIZE.NQ]), len(system.rows), 1)


@fast_kernel
def decompose(matrix: Array, m: int, n: int, rank: int, scale: Array, order: Ints) -> float:
    """Factor the m × n matrix; returns the smallest diagonal of L over the largest (0 at a singular
    configuration)."""
    for i in range(m):
        order[i] = i
    largest, smallest = _eliminate(matrix, m, n, 0, rank, order, ANY, scale, order)
    return smallest / largest if largest > 0.0 else 1.0


@fast_kernel
def decompose_levels(
    matrix: Array, rows: Ints, n: int, rank_position: int, rank: int, scale: Array, order: Ints
) -> float:
    """The same for all rows of a system, those of positions first: one factor serves both levels.

    Q = [Y_p | Y_v | N]. What positions may do is spanned by [Y_v | N], the places from `rank_position` on;
    what velocities may do by N, the places from `rank` on. `least_norm` with `rank_position` solves for
    positions, with `rank` for velocities and accelerations.
    """
    m, velocity = rows.shape[0], rows[:, ROW.VELOCITY]
    for i in range(m):
        order[i] = i
    # without velocity rows this is the whole of it
    largest, smallest = _eliminate(matrix, m, n, 0, rank_position, velocity, 0, scale, order)
    if rank > rank_position:
        other = _eliminate(matrix, m, n, rank_position, rank, velocity, 1, scale, order)
        largest, smallest = max(largest, other[0]), min(smallest, other[1])
    return smallest / largest if largest > 0.0 else 1.0


@fast_kernel
def _eliminate(
    matrix: Array,
    m: int,
    n: int,
    begin: int,
    end: int,
    level: Ints,
    wanted: int,
    scale: Array,
    order: Ints,
) -> tuple[float, float]:
    """Reflections begin … end − 1, along rows whose level is the wanted one; extreme diagonals.

    The length that is left of a row is summed while it is reflected: the next row to take is known without
    another pass.
    """
    largest, smallest = 0.0, math.inf
    columns, one = index(n), index(1)
    best, size = begin, -1.0
    for i in range(begin, m):
        if wanted == ANY or level[order[i]] == wanted:
            total = square(matrix[i], index(begin), columns)
            if total > size:
                best, size = i, total
    for k in range(begin, end):
        if best != k:
            order[k], order[best] = order[best], order[k]
            first, second = matrix[k], matrix[best]
            for c in range(index(0), columns):
                first[c], second[c] = second[c], first[c]
        row, at, norm = matrix[k], index(k), math.sqrt(max(size, 0.0))
        largest, smallest = max(largest, norm), min(smallest, norm)
        diagonal = -norm if row[at] > 0.0 else norm
        scale[k] = 0.0
        head = row[at] - diagonal
        if norm > 0.0:
            # reflection I − τ u uᵀ,  u = (1, tail)
            scale[k] = -head / diagonal
            reciprocal = 1.0 / head
            for c in range(at + one, columns):
                row[c] *= reciprocal
        row[at] = diagonal
        tau = scale[k]
        best, size = k + 1, -1.0
        for i in range(k + 1, m):
            other = matrix[i]
            total = other[at]
            for c in range(at + one, columns):
                total += other[c] * row[c]
            total *= tau
            other[at] -= total
            left = 0.0
            for c in range(at + one, columns):
                value = other[c] - total * row[c]
                other[c] = value
                left += value * value
            if left > size and (wanted == ANY or level[order[i]] == wanted):
                best, size = i, left
    return largest, smallest


@inlined_fast
def square(row: Array, begin: int, end: int) -> float:
    total = 0.0
    for c in range(begin, end):
        total += row[c] * row[c]
    return total


@inlined_fast
def dot(x: Array, y: Array, n: int) -> float:
    total = 0.0
    for c in range(index(0), index(n)):
        total += x[c] * y[c]
    return total


@inlined_fast
def _reflect(matrix: Array, n: int, scale: Array, k: int, x: Array) -> None:
    row, at, columns = matrix[k], index(k), index(n)
    total = x[at]
    for c in range(at + index(1), columns):
        total += row[c] * x[c]
    total *= scale[k]
    x[at] -= total
    for c in range(at + index(1), columns):
        x[c] -= total * row[c]


@fast_kernel
def apply_orthogonal(matrix: Array, n: int, rank: int, scale: Array, x: Array) -> None:
    """x ← Q x: with zeros in the first `rank` places this is N times the rest."""
    for k in range(rank - 1, -1, -1):
        _reflect(matrix, n, scale, k, x)


@fast_kernel
def apply_orthogonal_transposed(matrix: Array, n: int, rank: int, scale: Array, x: Array) -> None:
    """x ← Qᵀ x: from place `rank` on this is Nᵀ x."""
    for k in range(rank):
        _reflect(matrix, n, scale, k, x)


@fast_kernel
def least_norm(
    matrix: Array, n: int, rank: int, scale: Array, order: Ints, right: Array, column: int, x: Array
) -> None:
    """The shortest x with J x = right[:, column], dependent rows left out."""
    for i in range(index(0), index(rank)):
        total, row = right[index(order[i]), index(column)], matrix[i]
        for c in range(index(0), i):
            total -= row[c] * x[c]
        x[i] = total / row[i] if row[i] != 0.0 else 0.0
    for c in range(index(rank), index(n)):
        x[c] = 0.0
    apply_orthogonal(matrix, n, rank, scale, x)


@kernel
def multipliers(
    matrix: Array, m: int, n: int, rank: int, scale: Array, order: Ints, x: Array, out: Array, column: int
) -> None:
    """out[:, column] = λ with Jᵀλ = x as far as it can be; dependent rows get none. Destroys x."""
    apply_orthogonal_transposed(matrix, n, rank, scale, x)
    row_multipliers(matrix, m, rank, order, x, out, column)


@kernel
def row_multipliers(matrix: Array, m: int, rank: int, order: Ints, x: Array, out: Array, column: int) -> None:
    """The same for Qᵀx instead of x."""
    for i in range(rank - 1, -1, -1):
        total = x[i]
        for c in range(i + 1, rank):
            total -= matrix[c, i] * x[c]
        x[i] = total / matrix[i, i] if matrix[i, i] != 0.0 else 0.0
    for i in range(m):
        out[order[i], column] = x[i] if i < rank else 0.0
