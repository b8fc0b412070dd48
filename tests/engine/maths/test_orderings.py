"""Orderings: the contract that all of them keep, closed forms, and the published forms of [Antón 2015]."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from scipy.sparse.csgraph import structural_rank
from scipy.sparse.linalg import splu

from engine.maths.sparse.counts import bordered_multiplications, dense_multiplications
from engine.maths.sparse.elimination import general_elimination
from engine.maths.sparse.graphs import level_structure
from engine.maths.sparse.matching import strong_components
from engine.maths.sparse.orderings import ORDERINGS, Hints, OrderingKind, Reordering
from engine.maths.sparse.pattern import Pattern
from tests.engine.maths.counting import general_counts, symmetric_counts
from tests.verification.references.mixed_coordinates import (
    ANGLES,
    FREEDOMS,
    OPENED,
    TETHER_ANGLES,
    Mixed,
    bricard_1,
    bricard_2,
    five_bars,
    tether,
    vehicle,
)

SYMMETRIC = [kind for kind in ORDERINGS if kind.symmetric]
GENERAL = [kind for kind in ORDERINGS if not kind.symmetric]
PENDULUM, TETHER, VEHICLE = five_bars(), tether(), vehicle()
# a mechanism tears as its several closed loops; the source counts blocks of points and vectors
DEPENDENT = {
    "pendulum": PENDULUM.pattern(ANGLES),
    "tether": TETHER.pattern(TETHER_ANGLES),
    "bricard 1": bricard_1().pattern(["theta4"]),
    "bricard 2": bricard_2().pattern(["theta4"]),
    "vehicle": VEHICLE.pattern(FREEDOMS),
    "opened vehicle": VEHICLE.pattern(FREEDOMS + OPENED, closures=False),
}


def by_name(kinds: Iterable[OrderingKind]) -> pytest.MarkDecorator:
    kinds = list(kinds)
    return pytest.mark.parametrize("kind", kinds, ids=[kind.name for kind in kinds])


def random_pattern(seed: int, rows: int, columns: int, share: float) -> Pattern:
    random = np.random.default_rng(seed)
    return Pattern.of_matrix(random.random((rows, columns)) < share)


def chain(n: int) -> Pattern:
    return Pattern.of_matrix(np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1))


def grid(n: int) -> Pattern:
    line = np.eye(n, k=1) + np.eye(n, k=-1)
    return Pattern.of_matrix(np.kron(line, np.eye(n)) + np.kron(np.eye(n), line) + np.eye(n * n))


def ordered(name: str, pattern: Pattern, hints: Hints = Hints()) -> Reordering:  # noqa: B008 (a frozen value)
    return ORDERINGS[name].order(pattern, hints)


# the contract


def check_form(pattern: Pattern, found: Reordering) -> None:
    """Permutations; in T nothing stands right of its diagonal block."""
    assert sorted(found.rows.tolist()) == list(range(pattern.shape[0]))
    assert sorted(found.columns.tolist()) == list(range(pattern.shape[1]))
    full = pattern.permuted(found.rows, found.columns).dense()
    at = 0
    for size in found.blocks:
        at += size
        assert not full[at - size : at, at : found.triangular].any()
    outside = full[: found.triangular, : found.triangular]
    spikes = [k for k in range(found.triangular) if outside[:k, k].any()]
    if found.spikes:
        assert spikes == list(found.spikes)


@by_name(ORDERINGS)
@pytest.mark.parametrize("seed", range(12))
def test_an_ordering_is_a_permutation_with_the_form_it_claims_and_repeats_itself(
    kind: OrderingKind, seed: int
) -> None:
    size = 5 + 4 * seed
    pattern = random_pattern(seed, size, size, min(0.5, 3.0 / size))
    if kind.symmetric:
        pattern = pattern.normal()
    found = kind.order(pattern, Hints())
    check_form(pattern, found)
    again = kind.order(pattern, Hints())
    assert np.array_equal(found.rows, again.rows)
    assert np.array_equal(found.columns, again.columns)
    if kind.symmetric:
        assert np.array_equal(found.rows, found.columns)
        assert symmetric_counts(pattern, found.rows).fill >= 0


@by_name(GENERAL)
@pytest.mark.parametrize(("rows", "columns"), [(17, 12), (12, 17), (0, 4), (4, 0)])
def test_rectangular_matrices_keep_what_has_no_partner_in_border_and_bottom(
    kind: OrderingKind, rows: int, columns: int
) -> None:
    pattern = random_pattern(rows, rows, columns, 0.2)
    found = kind.order(pattern, Hints())
    check_form(pattern, found)
    assert found.triangular <= min(rows, columns)


@by_name(k for k in GENERAL if k.name != "p3")
@pytest.mark.parametrize("seed", range(6))
def test_diagonal_blocks_are_structurally_regular(kind: OrderingKind, seed: int) -> None:
    pattern = random_pattern(seed, 30, 30, 0.1)
    found = kind.order(pattern, Hints())
    full = pattern.permuted(found.rows, found.columns)
    at = 0
    for size in found.blocks:
        inside = list(range(at, at + size))
        assert structural_rank(full.part(inside, inside).matrix()) == size
        at += size


@by_name(SYMMETRIC)
def test_open_chains_have_no_fill(kind: OrderingKind) -> None:
    pattern = chain(40)
    order = kind.order(pattern, Hints()).rows
    if "dissection" in kind.name:  # a separator in the middle joins its two neighbours, no more
        assert symmetric_counts(pattern, order).fill <= 40
    else:
        assert symmetric_counts(pattern, order).fill == 0


@pytest.mark.parametrize("name", ["minimum_degree", "approximate_minimum_degree"])
@pytest.mark.parametrize("seed", range(5))
def test_minimum_degree_leaves_trees_without_fill(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    n = 60
    edges = [(int(random.integers(i)), i) for i in range(1, n)]
    pattern = Pattern.of_rows([[i] + [a + b - i for a, b in edges if i in (a, b)] for i in range(n)], n)
    assert symmetric_counts(pattern, ordered(name, pattern).rows).fill == 0


def test_reverse_cuthill_mckee_bounds_the_band_of_a_grid_by_its_side() -> None:
    n = 9
    pattern = grid(n)
    order = ordered("reverse_cuthill_mckee", pattern).rows
    full = pattern.permuted(order, order)
    assert max(abs(c - r) for r in range(n * n) for c in full.row(r).tolist()) <= n


def test_nested_dissection_of_a_grid_stores_less_than_the_band() -> None:
    n = 20
    pattern = grid(n)
    stored = {k.name: symmetric_counts(pattern, k.order(pattern, Hints()).rows).stored for k in SYMMETRIC}
    assert stored["nested_dissection"] < 0.8 * stored["reverse_cuthill_mckee"]  # n² log n against n³
    assert stored["approximate_minimum_degree"] < 1.1 * stored["minimum_degree"]


@pytest.mark.parametrize(
    ("rows", "columns", "density"), [(30, 20, 0.1), (20, 30, 0.1), (5, 0, 0.1), (0, 5, 0.1), (30, 20, 0.5)]
)
def test_products_of_a_pattern_are_those_of_its_matrix(rows: int, columns: int, density: float) -> None:
    pattern = random_pattern(11, rows, columns, density)
    A = pattern.dense().astype(int)
    np.testing.assert_array_equal(pattern.transposed().dense(), A.T > 0)
    np.testing.assert_array_equal(pattern.complement().dense(), A @ A.T + np.eye(rows) > 0)
    np.testing.assert_array_equal(pattern.normal().dense(), A.T @ A + np.eye(columns) > 0)


def test_a_rectangular_pattern_has_no_graph() -> None:
    with pytest.raises(ValueError, match="4 × 6 has no graph"):
        ordered("minimum_degree", random_pattern(1, 4, 6, 0.5))


# counts against closed forms, and against a factor that was really made


def test_counts_of_a_full_matrix_are_those_of_table_4_1() -> None:
    n = 12
    pattern, order = Pattern.of_matrix(np.ones((n, n))), np.arange(n)
    one = symmetric_counts(pattern, order)
    assert 6 * one.multiplications == n**3 + 3 * n**2 - 4 * n
    assert 6 * one.additions == n**3 - n
    assert 2 * one.stored == n**2 + n
    two = general_counts(pattern, Reordering(order, order))
    assert 3 * two.multiplications == n**3 - n
    assert 6 * two.additions == 2 * n**3 - 3 * n**2 + n
    assert two.stored == n**2
    assert two.fill == 0


@by_name(SYMMETRIC)
def test_counted_store_is_that_of_superlu(kind: OrderingKind) -> None:
    pattern = random_pattern(3, 40, 40, 0.05).normal()
    order = kind.order(pattern, Hints()).rows
    # diagonally dominant: no pivoting; general values, so that nothing cancels
    random = np.random.default_rng(1)
    values = np.where(pattern.dense(), random.uniform(0.5, 1.0, pattern.shape), 0.0)
    values = values + values.T + 100.0 * np.eye(40)
    factor = splu(
        Pattern.of_matrix(values).matrix().tocsc().astype(float).multiply(values).tocsc()[order][:, order],
        permc_spec="NATURAL",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    assert factor.L.nnz == symmetric_counts(pattern, order).stored


def test_a_structurally_singular_matrix_lacks_a_pivot() -> None:
    pattern = Pattern.of_rows([[0], [0], [1, 2]], 3)
    assert general_elimination(pattern, ordered("natural", pattern)).pivots == 2


# examples of the source


def test_strong_components_of_figure_4_8() -> None:
    rows = [{1, 4, 6}, {2, 4}, {1, 3}, {4, 7}, {2, 4, 5}, {2, 3, 6}, {5, 7}]
    pattern = Pattern.of_rows([[c - 1 for c in row] for row in rows], 7)
    found = strong_components([pattern.row(r).tolist() for r in range(7)])
    assert [[v + 1 for v in part] for part in found] == [[2, 4, 5, 7], [1, 3, 6]]
    assert ordered("block_triangular", pattern).blocks == (4, 3)


def test_levels_of_a_chain_are_its_distances() -> None:
    assert level_structure(chain(5).neighbours(), 0, set(range(5))) == [[0], [1], [2], [3], [4]]


@pytest.mark.parametrize(
    ("model", "shape", "entries", "rank"),
    [
        (PENDULUM, (30, 35), 203, 30),
        (bricard_1(), (36, 35), 209, 34),
        (bricard_2(), (30, 29), 182, 28),
        (VEHICLE, (192, 202), 1008, 192),
    ],
    ids=["pendulum", "bricard 1", "bricard 2", "vehicle"],
)
def test_models_have_the_published_sizes(
    model: Mixed, shape: tuple[int, int], entries: int, rank: int
) -> None:
    pattern, J = model.pattern(), model.jacobian()
    assert pattern.shape == shape
    assert pattern.entries == entries
    assert np.linalg.matrix_rank(J) == rank
    assert not J[~pattern.dense()].any()


def test_entries_of_the_dependent_parts() -> None:
    # 198 and 181 are printed; the tables count different columns [Antón 2015, tables 5.1, 5.6]
    assert DEPENDENT["pendulum"].entries == 198
    assert DEPENDENT["bricard 2"].entries == 181
    assert DEPENDENT["bricard 1"].entries == 208
    assert DEPENDENT["tether"].entries == 642
    assert TETHER.pattern().entries == 670
    assert DEPENDENT["vehicle"].entries == 858


@pytest.mark.parametrize("name", ["block_triangular", "bordered", "p5", "p4", "bordered_by_blocks"])
def test_open_chains_need_no_border(name: str) -> None:
    for mechanism, blocks in (("pendulum", {3: 10}), ("tether", {3: 28})):
        found = ordered(name, DEPENDENT[mechanism])
        assert (found.sizes(), found.border, found.bottom) == (blocks, 0, 0)


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("name", ["p5", "bordered"])
def test_bricard_border_and_bottom(name: str, angle: str) -> None:
    # 3 and 5 are published, the independent angle is not [Antón 2015, section 5.4]
    width = 3 if angle in ("theta4", "theta5") else 2
    blocks = {2: width, 3: 8 - width}
    for model, singles in ((bricard_1(), 10), (bricard_2(), 4)):
        found = ordered(name, model.pattern([angle]))
        assert (found.border, found.bottom) == (width, width + 2)
        assert found.sizes() == {1: singles, **blocks}


@pytest.mark.parametrize("angle", ANGLES)
def test_flags_keep_relative_coordinates_and_closures_off_the_diagonal(angle: str) -> None:
    def flagged(model: Mixed, *, closures: bool) -> Reordering:
        columns = [c for c in model.columns() if c != angle]
        relative = frozenset(k for k, c in enumerate(columns) if c.startswith("theta"))
        bottom = frozenset(k for k, row in enumerate(model.rows) if row.closure and closures)
        found = ordered("bordered", model.pattern([angle]), Hints(None, relative, bottom))
        check_form(model.pattern([angle]), found)
        assert (found.border, found.bottom) == (4, 6)
        return found

    assert flagged(bricard_1(), closures=False).sizes() == {1: 6, 3: 8}
    assert flagged(bricard_1(), closures=True).sizes() == {3: 10}
    assert flagged(bricard_2(), closures=False).sizes() == {3: 8}


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("make", [bricard_1, bricard_2])
def test_pivot_rows_chosen_by_values_make_no_singular_block(make: type[Mixed], angle: str) -> None:
    model = make()
    pattern, J = model.pattern([angle]), model.jacobian([angle])
    found = ordered("bordered", pattern, Hints(J))
    check_form(pattern, found)
    assert found.border == ordered("bordered", pattern).border  # at no cost in the border
    at = 0
    for size in found.blocks:
        block = J[np.ix_(found.rows[at : at + size], found.columns[at : at + size])]
        assert np.linalg.cond(block) < 100.0
        at += size


def test_vehicle_forms() -> None:
    closed, opened = DEPENDENT["vehicle"], DEPENDENT["opened vehicle"]
    own = ordered("bordered", opened)
    assert (own.border, own.sizes()) == (0, {1: 133, 2: 7, 3: 9})  # published: 0
    assert ordered("p5", opened).border == 5  # published: 5
    own = ordered("bordered", closed)
    assert (own.border, own.sizes()) == (18, {1: 127, 2: 13, 3: 7})  # published: 17, of another geometry
    assert ordered("p5", closed).border == 21  # published: 27
    assert ordered("block_triangular", closed).sizes() == {1: 85, 2: 1, 3: 5, 18: 2, 27: 2}
    assert sorted(ordered("bordered_by_blocks", closed).torn) == [4, 4, 5, 5]
    closures = frozenset(k for k, row in enumerate(VEHICLE.rows) if row.closure)
    natural = ordered("bordered", closed, Hints(None, frozenset(), closures))
    assert (natural.border, natural.sizes()) == (18, {1: 133, 2: 7, 3: 9})


def test_operation_counts_of_the_examples() -> None:
    def block(name: str, right_sides: int) -> int:
        pattern = DEPENDENT[name]
        return bordered_multiplications(pattern, ordered("bordered", pattern), right_sides)

    assert (dense_multiplications(30), dense_multiplications(30, 5)) == (9890, 13490)
    assert (block("pendulum", 1), block("pendulum", 5)) == (278, 1070)
    assert (dense_multiplications(84), dense_multiplications(84, 28)) == (204596, 395108)
    assert (block("tether", 1), block("tether", 28)) == (866, 18200)
    assert (block("bricard 1", 1), block("bricard 2", 1)) == (898, 772)
    assert (block("vehicle", 1), block("vehicle", 10)) == (19612, 57412)
    for name, multiplications, stored in (("pendulum", 296, 198), ("tether", 1004, 642)):
        counts = general_counts(DEPENDENT[name], ordered("bordered", DEPENDENT[name]))
        assert (counts.multiplications, counts.stored, counts.fill) == (multiplications, stored, 0)
    # a complete factor in the order of the bordered form leaves the full border columns far behind
    pattern = DEPENDENT["vehicle"]
    order = ordered("bordered", pattern)
    counts = general_counts(pattern, order)
    assert (counts.multiplications, counts.stored) == (2117, 1259)
    # where bottom rows are not exchanged, and pivots are taken where the diagonal is empty: 2443 elsewhere
    full = pattern.matrix().toarray()
    full[order.rows, order.columns] = 1.0
    counts = general_counts(Pattern.of_matrix(full), order)
    assert (counts.multiplications, counts.stored) == (2429, 1348)


@pytest.mark.parametrize(
    ("name", "product", "natural", "minimum", "band"),
    [
        ("pendulum", "normal", (1879, 303), (1528, 276), (1645, 285)),
        ("tether", "normal", (11221, 1284), (5992, 942), (6955, 1014)),
        ("bricard 1", "normal", (3209, 421), (1771, 316), (2019, 335)),
        ("vehicle", "normal", (216079, 8224), (10868, 1824), (27382, 2903)),
        ("pendulum", "complement", (999, 223), (797, 198), (880, 208)),
        ("tether", "complement", (4624, 794), (4024, 738), (4149, 755)),
        ("vehicle", "complement", (96672, 5266), (44995, 3521), (48013, 3674)),
    ],
)
def test_symmetric_orderings_of_the_examples(
    name: str, product: str, natural: tuple[int, int], minimum: tuple[int, int], band: tuple[int, int]
) -> None:
    # from a separate program, but for the band of the vehicle's JᵀJ, which is our own count
    pattern = getattr(DEPENDENT[name], product)()
    wanted = {
        "natural": natural,
        "minimum_degree": minimum,
        "approximate_minimum_degree": minimum,
        "reverse_cuthill_mckee": band,
    }
    for ordering, expected in wanted.items():
        counts = symmetric_counts(pattern, ordered(ordering, pattern).rows)
        assert (counts.multiplications, counts.stored) == expected, ordering


@pytest.mark.parametrize(
    ("name", "product", "expected"),
    [
        ("pendulum", "normal", (2284, 330)),
        ("tether", "normal", (8161, 1086)),
        ("bricard 1", "normal", (2302, 355)),
        ("vehicle", "normal", (15484, 2163)),
        ("pendulum", "complement", (1052, 225)),
        ("tether", "complement", (7647, 984)),
        ("vehicle", "complement", (35744, 3289)),
    ],
)
def test_nested_dissection_of_the_examples_is_as_documented(
    name: str, product: str, expected: tuple[int, int]
) -> None:
    pattern = getattr(DEPENDENT[name], product)()
    counts = symmetric_counts(pattern, ordered("nested_dissection", pattern).rows)
    assert (counts.multiplications, counts.stored) == expected
    assert counts.multiplications < dense_multiplications(pattern.shape[0])
