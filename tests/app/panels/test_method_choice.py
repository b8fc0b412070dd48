"""Choosing a method: what fits what, in words and in lists."""

import re

import pytest

from app.panels.transport.method_choice import PIECES, SORTS, choice, facts, partners, search
from engine.errors import SceneError
from engine.solvers.catalogue import METHODS, USUAL, find_method, misfit


def test_a_piece_that_fits_replaces_only_itself() -> None:
    taken = choice(USUAL, 1, "bdf2")
    assert taken is not None
    assert taken.method.name == "lagrange/bdf2/projection"
    assert not taken.reason


def test_a_piece_that_does_not_fit_says_why_and_what_gives_way() -> None:
    taken = choice(USUAL, 0, "independent_coordinates")
    assert taken is not None
    assert taken.method.name == "independent_coordinates/rk4/none"
    assert taken.reason.endswith("takes no stabilisation: stabilisation becomes none")


def test_every_piece_leads_to_a_method_from_every_other() -> None:
    for present in METHODS:
        for place, registry in enumerate(PIECES):
            for kind in registry if present.pieces and present.pieces[1] in ("rk4", "d3", "adams") else ():
                taken = choice(present.pieces, place, kind.name)
                assert taken is not None
                assert taken.method.pieces[place] == kind.name
                assert bool(taken.reason) == (
                    any(
                        a != b
                        for i, (a, b) in enumerate(zip(taken.method.pieces, present.pieces, strict=True))
                        if i != place
                    )
                )


def test_reasons_and_methods_agree() -> None:
    for formulation in PIECES[0]:
        for scheme in PIECES[1]:
            for stabilisation in PIECES[2]:
                name = f"{formulation.name}/{scheme.name}/{stabilisation.name}"
                assert (name in METHODS) != bool(misfit(formulation, scheme, stabilisation)), name


@pytest.mark.parametrize(
    ("name", "reason", "fits"),
    [
        ("canonical/velocity_verlet/none", "velocity_verlet steps positions", "'canonical/rk4/none'"),
        ("partitioning/rk4/projection", "takes no stabilisation", "'partitioning/rk4/none'"),
        ("lagrange/dopri5/baumgarte_auto", "dopri5 chooses its steps", "'lagrange/rk4/baumgarte_auto'"),
    ],
)
def test_pieces_that_do_not_fit_are_not_called_unknown(name: str, reason: str, fits: str) -> None:
    with pytest.raises(SceneError) as caught:
        find_method(name)
    (problem,) = caught.value.problems
    assert reason in problem.message
    assert "unknown" not in problem.message
    assert fits in problem.remedy
    assert all(find_method(other) for other in re.findall("'(.+?)'", problem.remedy))


def test_short_names_are_accepted_as_names() -> None:
    for method in METHODS:
        assert find_method(method.short_name) is method
    assert METHODS["lagrange/rk4/projection"].short_name == "rk4"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("rk4", "lagrange/rk4/projection"),
        ("null rk4 none", "null_space/rk4/none"),
        ("Null space Dormand", "null_space/dopri5/projection"),
        ("central_differences", "central_differences"),
    ],
)
def test_a_search_finds_the_plainest_first(text: str, first: str) -> None:
    found = [method.name for method in search(text)]
    assert first in found[:2]
    assert found[0].split("/")[0] == first.split("/")[0]


def test_a_search_for_nothing_known_finds_nothing() -> None:
    assert search("perpetual motion") == []


def test_facts_name_order_and_nature() -> None:
    assert facts(find_method("rk4")) == "order 4, explicit, fixed step"
    assert facts(find_method("dopri5")) == "order 5, explicit, chooses its steps"
    assert facts(find_method("bdf2")) == "order 2, implicit, fixed step"
    assert facts(find_method("d3")).endswith("unstable with dampers")
    assert "direct" in facts(find_method("central_differences"))


def test_limits_are_told_with_the_shorter_list() -> None:
    limits = {kind.name: text for sort in SORTS for kind, text in partners(sort)}
    assert limits["rk4"] == limits["lagrange"] == ""
    assert limits["partitioning"] == "stabilisation none"
    assert limits["adams"] == "every stabilisation but baumgarte_auto, baumgarte_taylor"
