"""Degrees of freedom and redundancy of large mechanisms: counted as in small ones, without dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy

from engine.analyses.check import check_scene
from engine.analyses.mobility import mobility as module
from engine.analyses.mobility.mobility import Mobility, mobility
from engine.maths.sparse.dependent_lines import dependencies
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.symbolic import analyse
from engine.system.assembly.assemble import assemble
from engine.system.assembly.row_factor import RowFactor, with_diagonal
from engine.system.assembly.scaling import subspaces
from engine.system.compiling.compile import compile_scene
from scenes.generators.n_four_bar import n_four_bar
from tests.engine.system.mechanisms import shipped


def rows_with_dependencies(seed: int) -> Any:
    """Rows along a chain of blocks, each with one that repeats two others of its block."""
    random = np.random.default_rng(seed)
    blocks = []
    for _ in range(6):
        A = random.normal(size=(4, 8))
        A[3] = A[0] - 0.5 * A[1]
        blocks.append(A)
    A = np.zeros((24, 40))
    for k, block in enumerate(blocks):
        A[4 * k : 4 * k + 4, 6 * k : 6 * k + 8] = block
    return scipy.sparse.csr_array(A)


def test_dependencies_of_a_factor_vanish_and_are_local() -> None:
    A = rows_with_dependencies(3)
    G = (A @ A.T).tocsr()
    factor = SparseFactor(analyse(with_diagonal(G)))
    assert factor.factor(G, 1e-12) == 6
    found = list(dependencies(factor))
    for line, lines, shares in found:
        assert np.abs(shares @ A[lines].toarray()).max() < 1e-10
        assert shares[lines.tolist().index(line)] == 1.0
        assert set(lines.tolist()) <= {4 * (line // 4) + k for k in (0, 1, 3)}
    assert len({line for line, _, _ in found}) == 6


@pytest.mark.parametrize("distance", [1e-5, 1e-6, 1e-9])
def test_doubtful_rows_are_decided_as_singular_values_do(distance: float) -> None:
    """A pivot of 1e-12 may be rounding or a row at 1e-6 from the others: its square tells it badly."""
    A = rows_with_dependencies(5).toarray()
    A[3] += distance * np.random.default_rng(1).normal(size=A.shape[1])
    found, space = RowFactor(scipy.sparse.csr_array(A)), subspaces(A)
    assert found.rank == space.rank
    x = np.random.default_rng(2).normal(size=A.shape[1])
    if space.singular[space.rank - 1] > 1e-7:  # nearer, the null space itself is a matter of rounding
        np.testing.assert_allclose(found.tangential(x), space.null @ (space.null.T @ x), atol=1e-8)


def counts(found: Mobility) -> tuple[int, ...]:
    return (
        found.rows,
        found.dof,
        found.mobility,
        found.redundant,
        found.generic_dof,
        found.generic_redundant,
        sum(dependency.generic for dependency in found.dependencies),
    )


@pytest.mark.parametrize(
    "name", ["double_four_bar", "bricard", "bicycle", "stewart_platform", "spatial_four_bar"]
)
def test_counts_by_sparse_factors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = compile_scene(shipped(name))
    start = assemble(mechanism)
    plain = mobility(mechanism, start)
    monkeypatch.setattr(module, "LARGE", 0)
    found = mobility(mechanism, start)
    assert counts(found) == counts(plain)
    assert found.notes == plain.notes
    for dependency in found.dependencies:
        assert dependency.removable in dependency.rows


def test_a_row_of_thirty_four_bars_needs_no_singular_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """2N + 1 bodies, 3N + 1 hinges of five rows, one degree of freedom: 3N redundant rows, three per loop."""
    n, sizes = 30, []
    svd = np.linalg.svd

    def counted(A: Any, *arguments: Any, **options: Any) -> Any:
        sizes.append(max(np.shape(A)))
        return svd(A, *arguments, **options)

    monkeypatch.setattr(np.linalg, "svd", counted)
    found = check_scene(n_four_bar(n, "spatial")).mobility
    assert (found.dof, found.redundant, found.generic_redundant) == (1, 3 * n, 3 * n)
    assert all(dependency.generic for dependency in found.dependencies)
    assert max(sizes, default=0) <= 20
