"""Channels of elements by their names: springs, actuators, what a drive costs."""

import numpy as np
import pytest

from app.document.channels.channel_prefix import channel_prefix
from app.document.channels.effort_channels import cost_of
from app.document.document import Ref
from app.edits.building.actuator_drive import drive_actuator, drive_of
from app.platform.resources import scene_paths
from engine import SceneError, load_scene, simulate, validate
from engine.model.scene import Scene


def lifted() -> Scene:
    """A bar on a driven hinge, a cylinder and a spring that hold it, and a second bar on a motor."""
    bar = {"mass": 1.0, "inertia": [0.1], "points": [{"name": "tip", "position": [1.0, 0.0]}]}
    scene = Scene(space="planar", gravity=(0.0, -9.81)).with_body("bar", **bar).with_body("crank", **bar)
    for body in ("bar", "crank"):
        scene = scene.with_joint("revolute", f"J {body}", a={"body": "world"}, b={"body": body})
    ends = {"a": {"body": "world", "point": [0.5, -1.0]}, "b": {"body": "bar", "point": "tip"}}
    scene = scene.with_motion("linear_motion", "jack", function="1.118 + 0.05*t", stroke=0.5, **ends)
    scene = scene.with_force("spring", "coil", stiffness=10.0, **ends)
    return scene.with_motion("joint_motion", "motor", joint="J crank", function="2*t")


def test_the_channels_of_every_element_begin_as_told() -> None:
    scene = lifted().with_measure("expression", "sum", expression="energy.total", unit="J")
    names = simulate(scene, duration=0.01).names()
    for where in ("bodies", "joints", "forces", "motions", "measures"):
        for item in getattr(scene, where):
            prefix = channel_prefix(scene, Ref(where, item.name))
            assert any(name == prefix or name.startswith(f"{prefix}.") for name in names), prefix
    assert channel_prefix(scene, Ref("forces", "coil")) == "spring.coil"
    assert channel_prefix(scene, Ref("traces", "any")) == ""


def test_what_a_drive_costs_is_plotted_over_what_it_moves() -> None:
    scene = lifted()
    names = set(simulate(scene, duration=0.01).names())
    motor = cost_of(scene, [Ref("motions", "motor")])
    assert motor[:2] == ("joint.J crank.angle", "motion.motor.effort")
    assert cost_of(scene, [Ref("joints", "J crank")]) == motor
    jack = cost_of(scene, [Ref("motions", "jack")])
    assert jack[:2] == ("motion.jack.length", "motion.jack.effort")
    assert {*motor[:2], *jack[:2]} <= names
    assert cost_of(scene, []) == jack  # the first drive there is
    assert cost_of(scene, [Ref("forces", "coil")]) is None
    assert cost_of(scene, [Ref("joints", "J bar")]) is None


def test_an_actuator_is_driven_by_length_speed_or_force() -> None:
    scene, ref = lifted(), Ref("motions", "jack")
    assert drive_of(scene, ref) == "motion"
    for by, where in (("force", "forces"), ("speed", "motions"), ("motion", "motions")):
        edit = drive_actuator(scene, ref, by)
        scene, (ref,) = edit.after, edit.made
        assert (ref.where, drive_of(scene, ref)) == (where, by)
        assert validate(scene) == []
        item = next(item for item in getattr(scene, where) if item.name == "jack")
        assert (item.b.point, item.stroke) == ("tip", 0.5)
    assert simulate(scene, duration=0.01).channel("motion.jack.length")[0] == pytest.approx(np.sqrt(1.25))
    with pytest.raises(SceneError, match="no linear actuator"):
        drive_actuator(scene, Ref("forces", "coil"), "motion")


def test_issue_17_a_drive_that_an_undo_took_away_costs_nothing() -> None:
    """The selection still has its name while the menus ask."""
    for where in ("motions", "forces", "joints"):
        assert cost_of(lifted(), [Ref(where, "gone")]) is None


def test_a_body_that_is_turned_by_a_motion_has_its_torque_over_angle() -> None:
    scene = load_scene(scene_paths()["driven_four_bar"])
    cost = cost_of(scene, [])
    assert cost is not None
    assert (cost.coordinate, cost.effort) == ("body.crank.angle", "motion.drive.effort")
    assert {cost.coordinate, cost.effort} <= set(simulate(scene, duration=0.01).names())
