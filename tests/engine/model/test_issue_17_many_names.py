"""Thousands of names, wrong, equal or in a row: told or used at a cost in proportion to their number."""

import json
from typing import Any

import pytest

import engine.spelling
from engine import SceneError, loads, simulate
from engine.maths.rings import rings
from engine.model.files.text_table import parse_table
from engine.spelling import MAX_COMPARISONS, Spelling


def scene(**parts: Any) -> Any:
    return loads(json.dumps({"format": "trammel-scene", "version": 1, **parts}))


def body(name: str, mass: Any = 1) -> dict[str, Any]:
    return {"name": name, "mass": mass, "inertia": [1, 1, 1]}


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of words that were compared in full."""
    counts: list[int] = []
    original = engine.spelling.get_close_matches

    def counted(word: str, known: tuple[str, ...], **options: Any) -> list[str]:
        counts.append(len(known))
        return original(word, known, **options)

    monkeypatch.setattr(engine.spelling, "get_close_matches", counted)
    return counts


def test_unknown_bodies_among_many(compared: list[int]) -> None:
    bodies = [body(f"body_{i}") for i in range(1000)]
    joints = [
        {"name": f"j{i}", "kind": "spherical", "a": {"body": f"bdoy_{i}"}, "b": {"body": f"body_{i}"}}
        for i in range(500)
    ]
    with pytest.raises(SceneError) as told:
        scene(bodies=bodies, joints=joints)
    assert len(told.value.problems) == 500
    assert sum(compared) <= MAX_COMPARISONS
    # also the last one, which is looked up and not compared
    assert "there is no body 'bdoy_499'; did you mean 'body_499'?" in told.value.problems[-1].message


def test_unknown_parameters_among_many(compared: list[int]) -> None:
    parameters = [{"name": f"par_{i}", "value": 1} for i in range(1000)]
    with pytest.raises(SceneError) as told:
        scene(parameters=parameters, bodies=[body(f"b{i}", f"para_{i}") for i in range(500)])
    assert len(told.value.problems) == 500
    assert sum(compared) <= MAX_COMPARISONS + 500 * 10  # and the constants, for each
    assert "did you mean 'par_499'?" in told.value.problems[-1].remedy


@pytest.mark.parametrize("slip", ["crnak_7", "crak_7", "crannk_7", "crenk_7", "Crank_7"])
def test_one_slip_is_found_among_any_number(slip: str) -> None:
    known = Spelling([*(f"rod_{i}" for i in range(MAX_COMPARISONS)), "crank_7"])
    assert known.hint(slip) == "; did you mean 'crank_7'?"
    assert known.hint("entirely other") == ""


def test_long_names_are_not_listed_in_full() -> None:
    with pytest.raises(SceneError) as told:
        scene(parameters=[{"name": "q" * 5000, "value": 1}], bodies=[body("b", "h")])
    assert len(str(told.value)) < 1000


def test_equal_headings_of_a_table_are_told_apart() -> None:
    count = 20_000
    table = parse_table("\n".join(";".join([cell] * count) for cell in ("x", "1", "2")))
    assert table.headings[:3] == ("x", "x 2", "x 3")
    assert len(set(table.headings)) == count


def test_measures_in_a_row() -> None:
    count = 1500
    row = [
        {"name": f"m{i}", "kind": "expression", "expression": f"measure.m{i - 1} + 1"} for i in range(count)
    ]
    row[0]["expression"] = "body.b.pos.x"
    given = scene(bodies=[body("b")], measures=row[::-1])
    assert simulate(given, duration=0.01).channel(f"measure.m{count - 1}")[-1] == count - 1


def test_rings_are_found_once_each() -> None:
    row = {str(i): [str(i + 1)] for i in range(5000)}
    assert not list(rings(row))
    found = list(rings({**row, "5000": ["4998"], "a": ["a", "b"], "b": ["a"]}))
    assert found == [("4998", "4999", "5000"), ("a",)]
