"""General matrices for implicit methods: P A = L U with partial pivoting, in place, in work arrays.

The leading n × n part of a larger array may be used. Nothing is allocated.
"""

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints, StepStatus
from engine.maths.arrays import index

OK, SINGULAR = int(StepStatus.OK), int(StepStatus.SINGULAR)


@fast_kernel
def lu_factor(matrix: Array, pivots: Ints, n: int) -> int:
    """L below the diagonal (its own diagonal is one), U on and above it. Status: OK or SINGULAR."""
    for k in range(n):
        best, size = k, abs(matrix[k, k])
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > size:
                best, size = i, abs(matrix[i, k])
        pivots[k] = best
        if not size > 0.0:
            return SINGULAR
        if best != k:
            first, second = matrix[k], matrix[best]
            for c in range(index(0), index(n)):
                first[c], second[c] = second[c], first[c]
        row, at, columns = matrix[k], index(k), index(n)
        reciprocal = 1.0 / row[at]
        for i in range(k + 1, n):
            other = matrix[i]
            factor = other[at] * reciprocal
            other[at] = factor
            if factor != 0.0:
                for c in range(at + index(1), columns):
                    other[c] -= factor * row[c]
    return OK


@fast_kernel
def lu_solve(matrix: Array, pivots: Ints, n: int, x: Array) -> None:
    """Solve in place with the factor of `lu_factor`."""
    for k in range(n):
        best = pivots[k]
        x[k], x[best] = x[best], x[k]
    for i in range(n):
        total, row = x[i], matrix[i]
        for c in range(index(0), index(i)):
            total -= row[c] * x[c]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total, row = x[i], matrix[i]
        for c in range(index(i + 1), index(n)):
            total -= row[c] * x[c]
        x[i] = total / row[i]


@fast_kernel
def lu_solve_transposed(matrix: Array, pivots: Ints, n: int, x: Array) -> None:
    """Solve Aᵀ x = b in place with the factor of A by `lu_factor`, whose rows are added up."""
    for i in range(n):
        row = matrix[i]
        total = x[i] / row[i]
        x[i] = total
        for c in range(index(i + 1), index(n)):
            x[c] -= row[c] * total
    for i in range(n - 1, -1, -1):
        total, row = x[i], matrix[i]
        for c in range(index(0), index(i)):
            x[c] -= row[c] * total
    for k in range(n - 1, -1, -1):
        best = pivots[k]
        x[k], x[best] = x[best], x[k]
