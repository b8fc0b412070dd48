"""Rigid limits that exclude each other are told together, with a remedy that leads to a run."""

from typing import Any

import pytest

from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.model.set_value import apply_edits
from engine.simulation.simulation import simulate

ENDS: dict[str, Any] = {"a": {"body": "world", "point": [0, -1]}, "b": {"body": "mass", "point": [0, 0]}}
GUIDE: dict[str, Any] = {"joint": "guide", "coordinate": "displacement", "law": "rigid", "restitution": 0.0}


def slider() -> Scene:
    scene = Scene(space="planar", gravity=(0.0, -9.81))
    scene = scene.with_body("mass", position=[0.0, 0.0], mass=2.0, inertia=[0.01])
    world = {"body": "world", "point": [0, 0], "axis": [0, 1]}
    return scene.with_joint(
        "prismatic", "guide", a=world, b={"body": "mass", "point": [0, 0], "axis": [0, 1]}
    )


def refusal(scene: Scene) -> Problem:
    with pytest.raises(SceneError) as refused:
        simulate(scene, dt=1e-2, duration=0.1)
    (problem,) = refused.value.problems
    return problem


SCENES = {
    "stops": slider()
    .with_force("stop", "low", **GUIDE, lower=-0.3)
    .with_force("stop", "high", **GUIDE, upper=-1.0),
    "ropes": slider()
    .with_force("rope", "strut", **ENDS, law="rigid", shortest=0.9)
    .with_force("rope", "rope", a=ENDS["b"], b=ENDS["a"], law="rigid", longest=0.8),
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_limits_that_leave_no_value_are_told_together_and_the_remedy_helps(scene: Scene) -> None:
    problem = refusal(scene)
    for force in scene.forces:
        assert repr(force.name) in problem.message
    assert "no pose is right for both" in problem.message
    run = simulate(apply_edits(scene, problem.edits), dt=1e-2, duration=0.1)
    assert run.status.name == "FINISHED", run.message


def test_following_the_words_helps_too() -> None:
    """Exchanged, the limits leave a range, in which the mass falls onto the lower one."""
    scene = (
        slider().with_force("stop", "low", **GUIDE, lower=0.2).with_force("stop", "high", **GUIDE, upper=-0.1)
    )
    assert "exchange 'upper' of 'high' and 'lower' of 'low'" in refusal(scene).remedy
    mended = (
        slider().with_force("stop", "low", **GUIDE, lower=-0.1).with_force("stop", "high", **GUIDE, upper=0.2)
    )
    run = simulate(mended, dt=1e-2, duration=0.5)
    assert run.channel("joint.guide.displacement")[-1] == pytest.approx(-0.1, abs=1e-12)


def test_limits_that_agree_or_are_of_others_are_no_contradiction() -> None:
    held = (
        slider().with_force("stop", "low", **GUIDE, lower=0.0).with_force("stop", "high", **GUIDE, upper=0.0)
    )
    run = simulate(held, dt=1e-2, duration=0.1)
    assert run.channel("joint.guide.displacement")[-1] == pytest.approx(0.0, abs=1e-12)
    pressed = slider().with_force("stop", "low", **{**GUIDE, "law": "hertz"}, lower=0.001, stiffness=1e4)
    run = simulate(pressed.with_force("stop", "high", **GUIDE, upper=0.0), dt=1e-3, duration=0.1)
    assert run.status.name == "FINISHED"
