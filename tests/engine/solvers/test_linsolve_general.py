"""The services for implicit and null-space methods against NumPy: general matrices, null spaces, rows."""

import numpy as np
import pytest

from engine.compiled.layout import StepStatus
from engine.solvers.linsolve.lu import lu_factor, lu_solve
from engine.solvers.linsolve.nullspace import (
    apply_orthogonal,
    apply_orthogonal_transposed,
    decompose,
    least_norm,
    multipliers,
)

ROOM = 9  # order of the work arrays: larger than what is used


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_general_matrices(n: int) -> None:
    random = np.random.default_rng(n)
    matrix, x, pivots = random.normal(size=(ROOM, ROOM)), random.normal(size=ROOM), np.zeros(ROOM, np.int64)
    matrix[0, 0] = 0.0 if n > 1 else 1.0  # needs an exchange of rows
    expected = np.linalg.solve(matrix[:n, :n], x[:n])
    assert lu_factor(matrix, pivots, n) == StepStatus.OK
    lu_solve(matrix, pivots, n, x)
    np.testing.assert_allclose(x[:n], expected, rtol=1e-11)


def test_a_singular_matrix_is_refused() -> None:
    assert lu_factor(np.zeros((3, 3)), np.zeros(3, np.int64), 3) == StepStatus.SINGULAR


@pytest.mark.parametrize(("m", "n", "rank"), [(3, 7, 3), (5, 7, 3), (9, 7, 6), (7, 7, 7), (0, 4, 0)])
def test_null_space_with_dependent_rows(m: int, n: int, rank: int) -> None:
    random = np.random.default_rng(10 * m + n)
    J = random.normal(size=(m, rank)) @ random.normal(size=(rank, n))
    matrix, scale, order = np.zeros((ROOM, ROOM)), np.zeros(ROOM), np.zeros(ROOM, np.int64)
    matrix[:m, :n] = J
    decompose(matrix, m, n, rank, scale, order)

    # N: orthonormal, and J N = 0
    N = np.zeros((n, n - rank))
    for j in range(n - rank):
        column = np.zeros(n)
        column[rank + j] = 1.0
        apply_orthogonal(matrix, n, rank, scale, column)
        N[:, j] = column
    np.testing.assert_allclose(N.T @ N, np.eye(n - rank), atol=1e-13)
    np.testing.assert_allclose(J @ N, 0.0, atol=1e-12)
    given = random.normal(size=n)
    turned = given.copy()
    apply_orthogonal_transposed(matrix, n, rank, scale, turned)
    np.testing.assert_allclose(turned[rank:], N.T @ given, atol=1e-13)

    # the shortest solution, and multipliers
    rows = np.zeros((m, 2))
    rows[:, 1] = J @ random.normal(size=n)
    x = np.full(n, np.nan)
    least_norm(matrix, n, rank, scale, order, rows, 1, x)
    np.testing.assert_allclose(x, np.linalg.pinv(J, rcond=1e-10) @ rows[:, 1], atol=1e-11)
    reaction = J.T @ random.normal(size=m)
    multipliers(matrix, m, n, rank, scale, order, reaction.copy(), rows, 0)
    np.testing.assert_allclose(J.T @ rows[:, 0], reaction, atol=1e-11)
