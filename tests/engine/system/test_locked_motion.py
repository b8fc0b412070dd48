"""A motion of what joints hold fast: the remedy names it."""

import pytest

from engine import Scene, SceneError, simulate


def test_a_motor_of_a_body_that_is_fixed_is_named() -> None:
    points = [{"name": "P", "position": [1, 0]}]
    scene = Scene(space="planar").with_body("arm", mass=1, inertia=[0.1], points=points)
    scene = scene.with_joint("revolute", "A", a={"body": "world"}, b={"body": "arm"})
    ends = {"a": {"body": "world", "point": [1, 0]}, "b": {"body": "arm", "point": "P"}}
    scene = scene.with_joint("fixed", "held", **ends)
    scene = scene.with_motion("joint_motion", "drive", joint="A", function="2*t")
    with pytest.raises(SceneError, match="motion 'drive' drives what joints hold here: take away a joint"):
        simulate(scene, duration=0.1)
