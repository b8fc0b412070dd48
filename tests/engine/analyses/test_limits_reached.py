"""Which limits are reached, and what is self-locking."""

import numpy as np
import pytest

from engine.analyses.answers.result import Result
from engine.analyses.base import Question
from engine.analyses.machines.followed import AlongOptions
from engine.analyses.machines.limits_reached import LIMITS_REACHED
from engine.model.scene import Scene
from engine.simulation.simulation import simulate
from tests.verification.test_rigid_contact import G, M, on_an_upright_axis, slider, with_stop


def asked(scene: Scene, duration: float) -> Result:
    scene = scene.with_simulation(dt=1e-2)
    return LIMITS_REACHED.run(Question(scene, AlongOptions(duration=duration), simulate=simulate))


def test_limits_that_are_reached_are_told_from_those_that_are_not() -> None:
    scene = with_stop(slider(height=1.0, gravity=G), lower=0.0, restitution=0.5)
    far = {"joint": "guide", "coordinate": "displacement", "upper": 3.0, "law": "rigid"}
    found = asked(scene.with_force("stop", "far", **far), 1.0)
    assert "1 of 2 limits are reached: 'stop'" in found.summary
    near, other = found.tables[0].rows
    assert float(near[4]) == pytest.approx(np.sqrt(2.0 / G), abs=1e-9)
    assert other[3] == "no"


def test_a_screw_that_holds_its_load_is_self_locking() -> None:
    scene = on_an_upright_axis("screw", pitch=0.02)
    given = {"joint": "axis", "kinetic": 0.07, "stribeck_speed": 0.0}
    found = asked(scene.with_force("friction", "thread", model="held", **given), 0.5)
    load = M * G * 0.02 / (2.0 * np.pi)
    assert f"holds joint 'axis' at the end with {load:.4g} of 0.07 N·m: it is self-locking" in found.summary


def test_a_box_that_friction_holds_by_its_own_weight_is_told_with_the_reason() -> None:
    angle = np.radians(10.0)
    axis = [float(np.cos(angle)), float(np.sin(angle))]
    scene = Scene(space="planar", gravity=(0.0, -G)).with_body("box", mass=M, inertia=[0.05])
    ends = {"a": {"body": "world", "point": [0, 0], "axis": axis}, "b": {"body": "box", "axis": axis}}
    scene = scene.with_joint("prismatic", "ramp", **ends)
    given = {"joint": "ramp", "coordinate": "displacement", "coefficient": 0.2, "normal": "reaction"}
    found = asked(scene.with_force("friction", "felt", model="held", **given), 0.5)
    assert "it can hold 0.2 times what presses the joint, which grows with the load" in found.summary


def test_a_scene_without_limits_says_so() -> None:
    assert "no stops" in asked(slider(gravity=G), 0.1).summary


def test_numbers_have_units() -> None:
    scene = with_stop(slider(height=1.0, gravity=G), lower=0.0, restitution=0.5)
    scene = scene.with_force("friction", "felt", joint="guide", coordinate="displacement", kinetic=0.1)
    limits, frictions = asked(scene, 0.1).tables
    assert limits.rows[0][6:] == ("m", "N")
    assert frictions.rows[0][5:] == ("N",)
