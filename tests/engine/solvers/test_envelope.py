"""Factors inside an envelope, with rows that reach equally far in groups of any size, beside LAPACK's."""

import numpy as np
import pytest

from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Ints
from engine.solvers.linsolve.base import DEPENDENT, NEAR_SINGULAR
from engine.solvers.linsolve.envelope import envelope_factor, envelope_solve


@kernel
def factor_and_solve(matrix: Array, first: Ints, last: Ints, diagonals: Array, x: Array) -> None:
    n = x.shape[0]
    envelope_factor(matrix, first, last, diagonals, n, DEPENDENT, NEAR_SINGULAR)
    envelope_solve(matrix, first, last, diagonals[DIAGONAL.INVERSE], n, x)


def solved(full: Array, last: Ints, b: Array) -> tuple[Array, Array]:
    n = len(b)
    lengths = last - np.arange(n)
    first = np.cumsum(lengths) - lengths - np.arange(n)
    packed = np.concatenate([full[i, i : last[i]] for i in range(n)])
    diagonals, x = np.zeros((DIAGONAL.COLUMNS, max(n, PIVOT.COLUMNS))), b.copy()
    factor_and_solve(packed, first, last, diagonals, x)
    return x, diagonals


@pytest.mark.parametrize("groups", [(1, 2, 3, 4, 5, 6, 7, 8), (5, 5, 5, 5), (2, 2, 2), (9,), (4, 1, 4, 1)])
def test_any_groups_of_rows(groups: tuple[int, ...]) -> None:
    random = np.random.default_rng(len(groups))
    n, ends = sum(groups), np.cumsum(groups)
    last = np.repeat(np.append(ends[1:], n), groups)  # every group reaches to the end of the next
    reach = np.arange(n)[None, :] < last[:, None]
    full = np.where(reach & reach.T, random.normal(size=(n, n)), 0.0)
    full = full + full.T + 20.0 * np.eye(n)
    b = random.normal(size=n)
    x, diagonals = solved(full, last, b)
    assert np.allclose(x, np.linalg.solve(full, b), rtol=0.0, atol=1e-13)
    assert diagonals[DIAGONAL.INFO, PIVOT.LEFT_OUT] == 0.0


def test_a_row_that_repeats_another_is_left_out() -> None:
    random = np.random.default_rng(1)
    rows = random.normal(size=(7, 9))
    rows[4] = rows[1] - 2.0 * rows[2]
    full, c = rows @ rows.T, rows @ random.normal(size=9)
    x, diagonals = solved(full, np.full(7, 7), c)
    assert diagonals[DIAGONAL.INFO, PIVOT.LEFT_OUT] == 1.0
    assert x[4] == 0.0
    assert np.allclose(full @ x, c)
