"""Bases of the null space: each is one, and they differ in what the table says."""

import numpy as np
import pytest

from engine import simulate
from engine.analyses.base import Question
from engine.analyses.matrices.null_space_bases import NULL_SPACE_BASES, BasesOptions, bases
from tests.verification.runs import shipped

TITLES = [basis.title for basis in bases()]


@pytest.mark.parametrize("title", TITLES)
def test_columns_lie_in_the_null_space_and_are_independent(title: str) -> None:
    random = np.random.default_rng(3)
    J, root = random.normal(size=(5, 9)), random.normal(size=(9, 9))
    M = root @ root.T + np.eye(9)
    basis = next(basis for basis in bases() if basis.title == title)
    N = basis.make(J, M, None)
    again = basis.make(J + 1e-3, M, N)
    assert N.shape == again.shape == (9, 4)
    assert np.abs(J @ N).max() < 1e-12 * np.abs(N).max()
    assert np.abs((J + 1e-3) @ again).max() < 1e-12 * np.abs(again).max()
    assert np.linalg.matrix_rank(N) == 4
    if title == "mass metric":
        assert pytest.approx(np.eye(4), abs=1e-12) == N.T @ M @ N


def test_an_open_chain_shows_what_a_partition_that_is_kept_costs() -> None:
    question = Question(shipped("five_bar_pendulum"), BasesOptions(samples=300), simulate=simulate)
    result = NULL_SPACE_BASES.run(question)
    found = {str(row[0]): [float(cell) for cell in row[1:6]] for row in result.tables[0].rows}  # type: ignore[arg-type]
    assert list(found) == TITLES
    assert found["mass metric"][1] == pytest.approx(1.0, abs=1e-9)
    assert found["partition, kept"][1] > 1e4 * found["QR"][1]
    assert found["carried along"][3] == 0
    assert found["carried along"][2] == min(row[2] for row in found.values())
    assert max(row[4] for row in found.values()) < 1e-8
    assert result.summary.startswith("5 of 30 velocities are free")
