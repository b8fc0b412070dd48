"""Scenes at the edge of sense: each is refused with its element, never as a mistake of the program."""

from typing import Any

import pytest

from engine.analyses.check import check_scene
from engine.errors import CompileError, SceneError
from engine.model.files.json_text import write_json
from engine.model.files.scene_file import loads
from engine.model.set_value import set_value
from engine.system.assembly.position_problem import Pose, PositionProblem
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


def test_a_pose_that_does_not_close_is_given_up_after_a_bounded_number_of_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A motion at a point a thousand kilometres off: every restart crept on to its last step."""
    taken: list[int] = []
    solve = PositionProblem.solve

    def counted(self: PositionProblem, *given: Any, **options: Any) -> Pose:
        pose = solve(self, *given, **options)
        taken.append(pose.steps)
        return pose

    monkeypatch.setattr(PositionProblem, "solve", counted)
    scene = shipped("stewart_platform")
    far = {"body": "piston6", "point": [1e6, -1.0, 1e6], "coordinate": "y"}
    with pytest.raises(CompileError, match="motion 'far' begins at 0 m"):
        check_scene(scene.with_motion("body_motion", "far", function="0", **far))
    assert 0 < sum(taken) < 1200  # with those of problems within problems
