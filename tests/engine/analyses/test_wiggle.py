"""Degrees of freedom as motions: on the constraints, named, as many as there are."""

import math

import numpy as np
import pytest

from engine.analyses.answers.result import Motion, Result
from engine.analyses.base import Question
from engine.analyses.kinematics.wiggle import REACH, WIGGLE
from engine.model.scene import Scene
from engine.simulation.analysis_motions import trajectory_of
from tests.engine.analyses.test_mobility import rssr
from tests.engine.system.mechanisms import bar, hinge, scene, shipped


def wiggle(given: Scene) -> Result:
    return WIGGLE.run(Question(given, WIGGLE.options()))


def violation(motion: Motion) -> float:
    return float(np.max(trajectory_of(motion).channel("violation.position")))


def test_the_four_bar_moves_on_the_circles_of_its_cranks() -> None:
    """A finite excursion: B stays 0.1 from A, C 0.3 from D, and both 0.4 apart."""
    result = wiggle(shipped("four_bar"))
    assert result.summary == "1 degree of freedom."
    (motion,) = result.motions
    run = trajectory_of(motion)

    def point(body: str, name: str) -> np.ndarray:
        return np.array([run.channel(f"body.{body}.point.{name}.pos.{axis}") for axis in "xy"])

    b, c = point("crank", "B"), point("rocker", "C")
    np.testing.assert_allclose(np.hypot(*b), 0.1, atol=1e-12)
    np.testing.assert_allclose(np.hypot(c[0] - 0.4, c[1]), 0.3, atol=1e-12)
    np.testing.assert_allclose(np.hypot(*(b - c)), 0.4, atol=1e-12)
    angle = np.unwrap(np.arctan2(b[1], b[0])) - math.pi / 2
    assert angle.max() == pytest.approx(REACH, abs=0.05)  # the crank moves most
    assert angle.min() == pytest.approx(-REACH, abs=0.05)
    assert np.all(np.diff(motion.t) > 0.0)
    np.testing.assert_allclose(motion.q[0], motion.q[-1], atol=1e-12)
    assert motion.loop


def test_a_double_pendulum_moves_one_joint_at_a_time() -> None:
    """The first degree of freedom holds the second joint still, to first order in the step."""
    result = wiggle(shipped("double_pendulum"))
    names = [motion.title for motion in result.motions]
    joints = [joint.name for joint in shipped("double_pendulum").joints]
    assert names == [f"angle of {joint}" for joint in joints]
    first, second = (trajectory_of(motion) for motion in result.motions)
    held = first.channel(f"joint.{joints[1]}.angle")
    assert np.ptp(held) < 0.1 * np.ptp(first.channel(f"joint.{joints[0]}.angle"))
    assert np.ptp(second.channel(f"joint.{joints[0]}.angle")) < 1e-9
    assert all(violation(motion) < 1e-9 for motion in result.motions)


def test_idle_spins_are_named() -> None:
    result = wiggle(rssr())
    assert result.summary == "2 degrees of freedom, 1 idle."
    (title, kind, moves), (_, other, all_of_them) = result.tables[0].rows
    assert title == "idle spin of coupler about B–C"
    assert kind == "idle: moves nothing else"
    assert [mention.name for mention in moves] == ["coupler"]
    assert other == "finite"
    assert {mention.name for mention in all_of_them} >= {"crank", "rocker"}
    assert all(violation(motion) < 1e-9 for motion in result.motions)


def test_two_bars_on_a_line_give_way_for_an_instant_only() -> None:
    """A at 0, B at 2, bars of length 1: the pin between them can only begin to move across."""
    bars = [bar("left", (0.0, 0.0), 0.0), bar("right", (2.0, 0.0), math.pi)]
    joints = [
        hinge("A", "world", [0, 0], "left", [0, 0]),
        hinge("B", "world", [2, 0], "right", [0, 0]),
        hinge("C", "left", [1, 0], "right", [1, 0]),
    ]
    result = wiggle(scene("planar", bars, joints))
    assert result.summary == "1 degree of freedom, 1 for an instant only."
    assert len(result.motions) == 1


def test_nothing_moves() -> None:
    bars = [bar("left", (0.0, 0.0), math.pi / 3), bar("right", (1.0, 0.0), 2 * math.pi / 3)]
    joints = [
        hinge("A", "world", [0, 0], "left", [0, 0]),
        hinge("B", "world", [1, 0], "right", [0, 0]),
        hinge("C", "left", [1, 0], "right", [1, 0]),
    ]
    result = wiggle(scene("planar", bars, joints))
    assert result.summary == "Nothing can move: the joints leave no degree of freedom."
    assert not result.motions


def test_a_free_body_and_a_driven_mechanism() -> None:
    assert len(wiggle(scene("planar", [bar("stone", (0.0, 0.0), 0.0)], [])).motions) == 3
    driven = wiggle(shipped("driven_four_bar"))
    assert len(driven.motions) == 1
    assert any("left out" in note for note in driven.notes)
