"""The static sparse factor against dense LAPACK and SuperLU: random patterns, mechanisms, dependent lines."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.linalg import splu

from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.orderings import ORDERINGS
from engine.maths.sparse.pattern import Pattern
from engine.maths.sparse.symbolic import analyse
from engine.model.files.scene_file import load_scene
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.patterns import complement_pattern
from engine.system.equations.evaluator import Evaluator
from tests.paths import ROOT

SYMMETRIC = [kind.name for kind in ORDERINGS if kind.symmetric]
DEPENDENT = 1e-11


def semidefinite(seed: int, n: int, rows: int) -> Any:
    """B Bᵀ with a sparse B of the given number of rows per column."""
    random = np.random.default_rng(seed)
    B = np.where(random.random((n, rows)) < 2.5 / n, random.normal(size=(n, rows)), 0.0)
    B[np.arange(n), random.integers(rows, size=n)] += 1.0  # no empty line
    return csr_array(B @ B.T)


@pytest.mark.parametrize("ordering", SYMMETRIC)
@pytest.mark.parametrize("seed", range(4))
def test_regular_matrices_agree_with_lapack_and_superlu(ordering: str, seed: int) -> None:
    n = 12 + 20 * seed
    A = csr_array(semidefinite(seed, n, 2 * n) + 0.1 * np.eye(n))
    found = SparseFactor(analyse(Pattern.of_matrix(A), ordering))
    assert found.factor(A, DEPENDENT) == 0
    b = np.random.default_rng(9).normal(size=(n, 3))
    x = found.solve(b)
    np.testing.assert_allclose(x, np.linalg.solve(A.toarray(), b), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(x, splu(A.tocsc()).solve(b), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.solve(b[:, 0]), x[:, 0], rtol=0, atol=0)
    # values change, the structure stays
    assert found.factor(3.0 * A, DEPENDENT) == 0
    np.testing.assert_allclose(found.solve(b), x / 3.0, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_dependent_lines_are_left_out_and_the_rest_is_solved(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, rank = 40, 31
    B = np.where(random.random((rank, 60)) < 0.06, random.normal(size=(rank, 60)), 0.0)
    B[np.arange(rank), np.arange(rank)] += 1.0
    lines = np.vstack([B, [B[i] + 2.0 * B[j] for i, j in random.integers(rank, size=(n - rank, 2))]])
    A = csr_array(lines @ lines.T)
    found = SparseFactor(analyse(Pattern.of_matrix(A)))
    assert found.factor(A, DEPENDENT) == n - np.linalg.matrix_rank(lines) == n - rank
    b = A @ random.normal(size=n)
    x = found.solve(b)
    np.testing.assert_allclose(A @ x, b, atol=1e-9 * np.abs(b).max())
    assert not x[~found.kept].any()


@pytest.mark.parametrize("name", ["stewart_platform", "bricard", "double_four_bar", "andrews", "tether"])
def test_complements_of_mechanisms(name: str) -> None:
    mechanism = compile_scene(load_scene(ROOT / "scenes" / f"{name}.json"))
    evaluator = Evaluator(mechanism)
    J = evaluator.at(0.0, mechanism.q).jacobian
    J /= np.linalg.norm(J, axis=1, keepdims=True)
    found = SparseFactor(analyse(complement_pattern(mechanism.system)))
    found.factor(csr_array(J @ J.T), DEPENDENT)
    assert found.kept.sum() == np.linalg.matrix_rank(J, tol=1e-6)
    c = J @ np.random.default_rng(2).normal(size=mechanism.nv)
    x = J.T @ found.solve(c)
    # the shortest solution of J x = c
    np.testing.assert_allclose(x, np.linalg.pinv(J, rcond=1e-8) @ c, atol=1e-9)


def test_a_star_of_joints_costs_what_minimum_degree_promises() -> None:
    # legs of a platform: the hub is eliminated last, and every leg meets it once
    mechanism = compile_scene(load_scene(ROOT / "scenes" / "stewart_platform.json"))
    pattern = complement_pattern(mechanism.system)
    for ordering in SYMMETRIC:
        count = analyse(pattern, ordering).multiplications
        if ordering == "metis_dissection":  # with pymetis; cuts the hub first, its order differs by version
            assert count <= 1.25 * 2976
        else:
            assert count == 2976  # an envelope takes 19566


def test_an_entry_outside_the_pattern_is_refused() -> None:
    found = SparseFactor(analyse(Pattern.of_matrix(np.eye(3))))
    with pytest.raises(ValueError, match="outside the pattern"):
        found.factor(csr_array(np.ones((3, 3))), DEPENDENT)
