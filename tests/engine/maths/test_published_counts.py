"""Integers of [Antón 2015] and of a separate program on its five matrices that other tests do not ask for."""

from __future__ import annotations

import numpy as np
import pytest

from engine.maths.sparse.counts import dense_multiplications
from engine.maths.sparse.orderings import ORDERINGS, Hints, metis_dissection, nested_dissection
from engine.maths.sparse.pattern import Pattern
from engine.natural.equations import NaturalEquations
from engine.natural.mechanisms import NATURAL_MECHANISMS
from tests.engine.maths.counting import general_counts, symmetric_counts


def dependent(name: str, *more: str) -> Pattern:
    kind = NATURAL_MECHANISMS[name]
    return NaturalEquations(kind.make()).dependent([*kind.independent, *more])[0]


def opened_vehicle() -> Pattern:
    """Loops opened: closures and the coordinates that they fixed are gone."""
    kind = NATURAL_MECHANISMS["vehicle"]
    equations = NaturalEquations(kind.make())
    pattern, _, _ = equations.dependent([*kind.independent, *kind.opened])
    kept = [r for r in range(pattern.shape[0]) if r not in equations.closures()]
    return pattern.part(kept, range(pattern.shape[1]))


def test_closures_and_opened_coordinates_are_eighteen_each() -> None:
    kind = NATURAL_MECHANISMS["vehicle"]
    assert len(NaturalEquations(kind.make()).closures()) == len(kind.opened) == 18
    assert opened_vehicle().shape == (174, 174)


@pytest.mark.parametrize(
    ("ordering", "sizes", "border"),
    [("bordered", {1: 133, 2: 7, 3: 9}, 0), ("p5", {1: 133, 2: 12, 3: 4}, 5)],
)
def test_opened_vehicle(ordering: str, sizes: dict[int, int], border: int) -> None:
    found = ORDERINGS[ordering].order(opened_vehicle(), Hints())
    assert (found.sizes(), found.border, found.bottom) == (sizes, border, border)


@pytest.mark.parametrize("seed", range(5))
def test_the_border_of_p5_does_not_depend_on_the_order_of_input(seed: int) -> None:
    """Five for the opened vehicle in 60 random permutations of a separate program; here a few of them."""
    random = np.random.default_rng(seed)
    pattern = opened_vehicle()
    mixed = pattern.permuted(random.permutation(174), random.permutation(174))
    assert ORDERINGS["p5"].order(mixed, Hints()).border == 5
    assert ORDERINGS["bordered"].order(mixed, Hints()).border == 0


def test_closed_vehicle_by_p5() -> None:
    found = ORDERINGS["p5"].order(dependent("vehicle"), Hints())
    assert (found.sizes(), found.border, found.bottom) == ({1: 127, 2: 16, 3: 4}, 21, 21)


def test_multiplications_of_full_solutions() -> None:
    # Bricard 1 and 2 have 34 and 28 unknowns; one right-hand side, and as many as degrees of freedom
    assert (dense_multiplications(34), dense_multiplications(28)) == (14246, 8092)
    assert (dense_multiplications(192), dense_multiplications(192, 10)) == (2396096, 2727872)


@pytest.mark.parametrize("name", ["pendulum", "tether"])
def test_open_chains_are_eliminated_without_fill(name: str) -> None:
    pattern = dependent(name)
    for ordering in ("block_triangular", "bordered", "p5"):
        assert general_counts(pattern, ORDERINGS[ordering].order(pattern, Hints())).fill == 0


def test_the_claim_of_two_orders_of_magnitude_holds_for_one_right_hand_side_only() -> None:
    # [Antón 2015, section 5.3]: 236 for one right-hand side, 22 for the 28 that the method needs
    from engine.maths.sparse.counts import bordered_multiplications

    pattern = dependent("tether")
    found = ORDERINGS["bordered"].order(pattern, Hints())
    one, all_of_them = (bordered_multiplications(pattern, found, sides) for sides in (1, 28))
    assert dense_multiplications(84) // one == 236
    assert dense_multiplications(84, 28) // all_of_them == 21


def test_incidence_of_a_complete_graph() -> None:
    # [Antón 2015, section 4.1.1]: M Mᵀ has 3 on the diagonal and −1 elsewhere
    edges = [(a, b) for a in range(4) for b in range(a)]
    M = np.zeros((4, len(edges)))
    for k, (a, b) in enumerate(edges):
        M[a, k], M[b, k] = 1.0, -1.0
    np.testing.assert_array_equal(M @ M.T, 4.0 * np.eye(4) - np.ones((4, 4)))
    assert all(len(near) == 3 for near in Pattern.of_matrix(M @ M.T).neighbours())


def test_metis_gives_way_to_our_own_dissection(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = dependent("tether").normal()
    monkeypatch.setattr(metis_dissection, "installed", lambda: False)
    np.testing.assert_array_equal(
        metis_dissection.order(pattern, Hints()).rows, nested_dissection.order(pattern, Hints()).rows
    )


def test_metis_of_a_net_stores_less_than_a_band() -> None:
    pytest.importorskip("pymetis")
    n = 24
    line = np.eye(n, k=1) + np.eye(n, k=-1)
    net = Pattern.of_matrix(np.kron(line, np.eye(n)) + np.kron(np.eye(n), line) + np.eye(n * n))
    stored = {
        name: symmetric_counts(net, ORDERINGS[name].order(net, Hints()).rows).stored
        for name in ("metis_dissection", "reverse_cuthill_mckee")
    }
    assert stored["metis_dissection"] < 0.7 * stored["reverse_cuthill_mckee"]
