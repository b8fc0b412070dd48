"""Texts in scene files that no file or terminal can take, and names without end."""

import json

import pytest

from engine.errors import SceneError
from engine.model.files.scene_file import loads
from engine.model.resolve import resolve_leniently

HEAD = '{"format": "trammel-scene", "version": 1, '


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('"title": "\\ud800"}', "title"),
        ('"view": {"\\udfff": 1}}', "view"),
        ('"bodies": [{"name": "a\\ud83d", "mass": 1, "inertia": [1, 1, 1]}]}', "bodies[0]"),
    ],
)
def test_half_a_character_is_refused(text: str, path: str) -> None:
    with pytest.raises(SceneError) as told:
        loads(HEAD + text)
    assert told.value.problems[0].path.startswith(path)
    assert "half of a character" in str(told.value)
    str(told.value).encode()


def test_a_whole_character_of_two_halves_is_taken() -> None:
    assert loads(HEAD + '"title": "\\ud83d\\ude00"}').title == "😀"


def test_one_key_twice_among_many_is_found() -> None:
    """Compared with each other, 300,000 keys took 20 seconds and more."""
    keys = ", ".join(f'"k{i}": 1' for i in range(300_000))
    with pytest.raises(SceneError, match="'k7' stands twice"):
        loads(f'{HEAD}"view": {{{keys}, "k7": 2}}}}')


def test_a_name_without_end_is_cut_in_the_message() -> None:
    long = "x" * 300_000
    scenes = [
        {long: 1},
        {"bodies": [{"name": long, "mass": -1, "inertia": [1, 1, 1]}]},
        {"joints": [{"kind": long, "name": long}]},
        {"joints": [{"kind": "revolute", "name": "j", "a": long, "b": long}]},
        {"forces": [{"kind": "gravity", "name": "g"}], "parameters": {long: "1 +"}},
        {"bodies": [{"name": "b", "mass": long, "inertia": [1, 1, 1]}]},
        {"simulation": {"method": long}, "groups": {long: [long]}},
        {"measures": [{"name": long, "expression": long}]},
    ]
    for scene in scenes:
        with pytest.raises(SceneError) as told:
            loads(json.dumps({"format": "trammel-scene", "version": 1, **scene}))
        assert len(str(told.value)) < 5000, str(told.value)[:300]


def test_parameters_in_a_long_row_are_worked_out() -> None:
    """Each one is written with the next, so that the last has to be known first."""
    count = 3000
    row = [{"name": f"p{i}", "value": f"p{i + 1} + 1"} for i in range(count)]
    row.append({"name": f"p{count}", "value": 0})
    scene = loads(json.dumps({"format": "trammel-scene", "version": 1, "parameters": row}))
    assert resolve_leniently(scene)[0].parameter("p0").value == count
    row[-1]["value"] = "p0"
    with pytest.raises(SceneError, match="depend on each other in a ring"):
        loads(json.dumps({"format": "trammel-scene", "version": 1, "parameters": row}))


@pytest.mark.parametrize("begin", [b"PK\x03\x04", b"\x89HDF\r\n", b"MATLAB 5.0 MAT-file"])
def test_a_saved_run_is_not_called_a_text_in_a_wrong_code(begin: bytes) -> None:
    with pytest.raises(SceneError, match="this is a saved run, not a scene") as refusal:
        loads(begin + bytes(range(128, 256)))
    assert "trammel open" in refusal.value.problems[0].remedy
