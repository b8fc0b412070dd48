"""Solutions in bordered form: the same for every ordering, as SuperLU and least squares have them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from engine.maths.sparse.bordered_factor import BorderedFactor, torn
from engine.maths.sparse.bordered_structure import bordered_structure, without_spikes
from engine.maths.sparse.elimination import general_elimination, symmetric_elimination
from engine.maths.sparse.orderings import ORDERINGS, Hints, OrderingKind, Reordering
from engine.maths.sparse.pattern import Pattern
from tests.verification.references.mixed_coordinates import (
    ANGLES,
    FREEDOMS,
    Mixed,
    bricard_1,
    bricard_2,
    five_bars,
    vehicle,
)

GENERAL = [kind for kind in ORDERINGS if not kind.symmetric]
Matrix = NDArray[np.float64]
SAME = 1e-10


def values_of(pattern: Pattern, matrix: Matrix) -> Matrix:
    return matrix[np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.starts)), pattern.columns]


def random_matrix(seed: int, n: int) -> Matrix:
    """Sparse, with a dominant transversal that is no diagonal."""
    random = np.random.default_rng(seed)
    A = random.normal(size=(n, n)) * (random.random((n, n)) < 2.5 / n)
    A[np.arange(n), random.permutation(n)] += 4.0 * random.choice([-1.0, 1.0], n)
    return A


def redundant_matrix(seed: int, n: int) -> tuple[Matrix, Pattern]:
    """Four rows more than columns, each a sum of two others."""
    random = np.random.default_rng(seed)
    A = random.normal(size=(n, n)) * (random.random((n, n)) < 2.0 / n)
    A[np.arange(n), random.permutation(n)] += 3.0
    first, second = random.integers(n, size=(2, 4))
    A = np.vstack([A, random.normal(size=(4, 1)) * A[first] + A[second]])[random.permutation(n + 4)]
    return A, Pattern.of_matrix(A)


by_ordering = pytest.mark.parametrize("kind", GENERAL, ids=lambda kind: kind.name)


@by_ordering
@pytest.mark.parametrize("seed", range(6))
def test_random_systems_have_the_solution_of_superlu(kind: OrderingKind, seed: int) -> None:
    A = random_matrix(seed, 8 + 9 * seed)
    pattern = Pattern.of_matrix(A)
    b = np.random.default_rng(seed).normal(size=(len(A), 3))
    made = BorderedFactor(pattern, kind)
    made.factor(values_of(pattern, A))
    factor = splu(pattern.matrix().astype(float).multiply(A).tocsc())
    np.testing.assert_allclose(made.solve(b), factor.solve(b), atol=SAME)
    np.testing.assert_allclose(made.solve_transposed(b), factor.solve(b, trans="T"), atol=SAME)
    np.testing.assert_allclose(made.solve(b[:, 0]), factor.solve(b[:, 0]), atol=SAME)


@by_ordering
@pytest.mark.parametrize("sides", [2, 4, 5, 7, 8, 15, 16, 19, 28, 37])
def test_right_hand_sides_are_solved_in_groups_of_any_size(kind: OrderingKind, sides: int) -> None:
    """Sixteen and four at a time: no group may reach into the line behind it."""
    A = random_matrix(sides, 30)
    x = np.random.default_rng(sides).normal(size=(30, sides))
    made = BorderedFactor(Pattern.of_matrix(A), kind)
    made.factor(values_of(made.pattern, A))
    np.testing.assert_allclose(made.solve(A @ x), x, atol=SAME)


@by_ordering
@pytest.mark.parametrize(
    ("model", "independent"),
    [(five_bars(), ANGLES), (vehicle(), FREEDOMS)]
    + [(m, [a]) for m in (bricard_1(), bricard_2()) for a in ANGLES],
    ids=["pendulum", "vehicle", *(f"bricard {k} {a}" for k in (1, 2) for a in ANGLES)],
)
def test_mechanisms_have_one_solution_redundant_rows_included(
    kind: OrderingKind, model: Mixed, independent: list[str]
) -> None:
    pattern, J = model.pattern(independent), model.jacobian(independent)
    x = np.random.default_rng(3).normal(size=(J.shape[1], 2))
    for hints in (Hints(), Hints(J)):
        made = BorderedFactor(pattern, kind, hints)
        made.factor(values_of(pattern, J))
        assert made.solves
        np.testing.assert_allclose(made.solve(J @ x), x, atol=SAME)
        y = made.solve_transposed(x)
        np.testing.assert_allclose(J.T @ y, x, atol=SAME)


@by_ordering
@pytest.mark.parametrize("seed", [1, 184])  # the second has a block of order 42 that is singular
def test_redundant_rows_do_not_pass_for_pivots(kind: OrderingKind, seed: int) -> None:
    """A large block that has taken a redundant row: its last pivot is what rounding has left of zero."""
    A, pattern = redundant_matrix(seed, 60)
    assert np.linalg.cond(A) < 1e4
    x = np.random.default_rng(seed).normal(size=(60, 2))
    made = BorderedFactor(pattern, kind)
    made.factor(values_of(pattern, A))
    np.testing.assert_allclose(made.solve(A @ x), x, atol=SAME)
    np.testing.assert_allclose(A.T @ made.solve_transposed(x), x, atol=SAME)


def test_bricard_needs_pivot_rows_by_values_or_tears_blocks() -> None:
    """By number a redundant row becomes a pivot row [Antón 2015, section 5.4]: the block is singular."""
    model = bricard_1()
    pattern, J = model.pattern(["theta4"]), model.jacobian(["theta4"])
    chosen, blind = (BorderedFactor(pattern, ORDERINGS["bordered"], h) for h in (Hints(J), Hints()))
    for made in (chosen, blind):
        made.factor(values_of(pattern, J))
    assert (chosen.tears, chosen.structure.border) == (0, 3)
    assert blind.tears == 1
    assert blind.structure.border > 3
    blind.factor(values_of(pattern, J))  # what is torn once stays torn
    assert blind.tears == 1


def test_a_singular_matrix_is_solved_by_least_squares() -> None:
    A = np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 1.0]])
    made = BorderedFactor(Pattern.of_matrix(A), ORDERINGS["bordered"])
    made.factor(values_of(made.pattern, A))
    assert not made.solves
    assert made.dense == 1
    b = np.array([5.0, 10.0, 3.0])
    np.testing.assert_allclose(A @ made.solve(b), b, atol=1e-12)
    B = np.array([[3.0, 1.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 1.0]])
    made.factor(values_of(made.pattern, B))  # regular values afterwards are solved as usual
    assert made.solves
    np.testing.assert_allclose(made.solve(b), np.linalg.solve(B, b), atol=1e-12)


def test_fewer_equations_than_unknowns_are_refused() -> None:
    pattern = Pattern.of_rows([[0, 1, 2], [1, 2]], 3)
    with pytest.raises(ValueError, match="2 equations do not fix 3 unknowns"):
        bordered_structure(pattern, ORDERINGS["bordered"].order(pattern, Hints()))


def test_spikes_go_to_the_border() -> None:
    pattern = vehicle().pattern(FREEDOMS)
    found = ORDERINGS["p3"].order(pattern, Hints())
    form = without_spikes(found)
    assert form.border == found.border + len(found.spikes)
    full = pattern.permuted(form.rows, form.columns).dense()
    assert not np.triu(full[: form.triangular, : form.triangular], 1).any()


def test_torn_blocks_are_regular() -> None:
    random = np.random.default_rng(5)
    A = np.zeros((6, 6))
    A[:3, :3] = np.outer(random.normal(size=3), random.normal(size=3))  # rank 1
    A[3:, :] = random.normal(size=(3, 6))
    A[:3, 3:] = random.normal(size=(3, 3))
    found = torn(Reordering(np.arange(6), np.arange(6), (3, 3)), A)
    assert found.blocks == (1, 3)
    assert (found.border, found.bottom) == (2, 2)


# patterns of factors against factors that were made


@pytest.mark.parametrize("seed", range(4))
def test_symmetric_elimination_has_the_entries_of_a_cholesky_factor(seed: int) -> None:
    pattern = Pattern.of_matrix(random_matrix(seed, 30)).normal()
    order = np.random.default_rng(seed).permutation(30)
    random = np.random.default_rng(seed)
    S = np.where(pattern.dense(), random.uniform(0.1, 1.0, (30, 30)), 0.0)
    S = S + S.T + 40.0 * np.eye(30)
    L = np.linalg.cholesky(S[np.ix_(order, order)])
    found = symmetric_elimination(pattern, order)
    made = np.zeros((30, 30), bool)
    made[found.rows, found.columns] = True
    np.testing.assert_array_equal(made, np.abs(L) > 1e-14)
    np.testing.assert_array_equal(found.right, (np.abs(np.tril(L, -1)) > 1e-14).sum(axis=0))


@pytest.mark.parametrize("seed", range(4))
def test_general_elimination_has_the_entries_of_a_factor(seed: int) -> None:
    n = 25
    A = random_matrix(seed, n)
    pattern = Pattern.of_matrix(A)
    found = ORDERINGS["block_triangular"].order(pattern, Hints())
    eliminated = general_elimination(pattern, found)
    work = np.where(pattern.permuted(found.rows, found.columns).dense(), 1.0, 0.0)
    work *= np.random.default_rng(seed).uniform(0.5, 1.0, (n, n))
    made = work != 0.0
    for k in range(n):
        assert work[k, k] != 0.0  # a transversal stands on the diagonal
        for i in range(k + 1, n):
            if work[i, k] != 0.0:
                work[i, k + 1 :] -= work[i, k] / work[k, k] * work[k, k + 1 :]
                made[i] |= work[i] != 0.0
    entries = np.zeros((n, n), bool)
    entries[eliminated.rows, eliminated.columns] = True
    np.testing.assert_array_equal(entries, made)
