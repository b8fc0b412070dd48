"""Scenes at the edge of sense: each is refused with its element, never as a mistake of the program."""

from typing import Any

import pytest

from engine.analyses.check import check_scene
from engine.errors import SceneError
from engine.model.files.json_text import write_json
from engine.model.files.scene_file import loads
from engine.model.set_value import set_value
from engine.system.compiling.compile import compile_scene
from tests.engine.simulation.scenes import shipped

WHEEL = {"name": "wheel", "mass": 1, "inertia": [0.1, 0.1, 0.2], "position": [0, 0, 0.3]}
BOB = {"name": "bob", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0, 0]}
ROLL = {"name": "roll", "kind": "rolling", "a": {"body": "world"}, "b": {"body": "wheel"}, "radius": 0.3}


def hinge(axis: list[float]) -> dict[str, Any]:
    a = {"body": "world", "axis": axis}
    return {"name": "pin", "kind": "revolute", "a": a, "b": {"body": "bob"}}


def rod(length: float) -> dict[str, Any]:
    b = {"body": "bob", "point": [-0.5, 0, 0]}
    return {"name": "rod", "kind": "distance", "a": {"body": "world"}, "b": b, "length": length}


ODD: list[tuple[dict[str, Any], str]] = [
    ({}, "no body that can move"),
    ({"space": "planar", "bodies": [{"name": "a", "fixed": True}]}, "all bodies are fixed"),
    ({"bodies": [WHEEL], "joints": [ROLL]}, "joint 'roll'"),
    ({"bodies": [BOB], "joints": [hinge([1e90, 0, 1e90])]}, "has a length of 1.41e+90"),
    ({"bodies": [{**BOB, "orientation": [1e90, 0, 0, 1e90]}]}, "quaternion is too long"),
    ({"bodies": [BOB], "joints": [rod(1e-14)]}, "rod"),
]


@pytest.mark.parametrize(("scene", "told"), ODD)
def test_an_odd_scene_is_refused_by_name(scene: dict[str, Any], told: str) -> None:
    with pytest.raises(SceneError) as refused:
        check_scene(loads(write_json({"format": "trammel-scene", "version": 1, **scene})))
    assert refused.value.problems
    assert told in str(refused.value)
    assert "a mistake" not in str(refused.value)


@pytest.mark.parametrize(("body", "com"), [("rocker", [0.2, 0.0, 1e12]), ("coupler", [0.2, 1e40, 0.0])])
def test_a_centre_of_mass_beyond_what_rounding_bears_is_refused(body: str, com: list[float]) -> None:
    """Joints 0.3 m apart were open by a centimetre, and the run finished without a word."""
    scene = set_value(shipped("spatial_four_bar"), f"bodies.{body}.com", com)
    with pytest.raises(SceneError, match=f"centre of mass of body '{body}' is .* m away from its joints"):
        compile_scene(scene)


def test_a_centre_of_mass_far_away_is_not_refused_for_that() -> None:
    compile_scene(set_value(shipped("spatial_four_bar"), "bodies.rocker.com", [0.2, 0.0, 1e6]))
