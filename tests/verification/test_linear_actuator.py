"""Linear actuators against closed forms: a block on an upright guide, lifted by a cylinder under it."""

import numpy as np
import pytest

from engine import simulate
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.model.validate import validate

M, G, LENGTH = 2.0, 9.81, 1.0
ENDS = {"a": {"body": "world", "point": [0.0, -LENGTH]}, "b": {"body": "block", "point": [0.0, 0.0]}}


def guided() -> Scene:
    scene = Scene(space="planar", gravity=(0.0, -G)).with_body("block", mass=M, inertia=[0.1])
    a = {"body": "world", "point": [0.0, 0.0], "axis": [0.0, 1.0]}
    return scene.with_joint("prismatic", "guide", a=a, b={"body": "block"})


def test_a_prescribed_length_costs_the_weight_and_the_acceleration() -> None:
    scene = guided().with_motion("linear_motion", "lift", function=f"{LENGTH} + 0.1*sin(2*t)", **ENDS)
    run = simulate(scene, duration=1.0, dt=1e-3)
    t = np.asarray(run.t)
    np.testing.assert_allclose(run.channel("motion.lift.length"), LENGTH + 0.1 * np.sin(2 * t), atol=1e-9)
    np.testing.assert_allclose(run.channel("motion.lift.speed"), 0.2 * np.cos(2 * t), atol=1e-8)
    force = M * (G - 0.4 * np.sin(2 * t))
    np.testing.assert_allclose(run.channel("motion.lift.effort"), force, atol=1e-6)
    np.testing.assert_allclose(run.channel("motion.lift.power"), force * 0.2 * np.cos(2 * t), atol=1e-6)


def test_a_prescribed_speed_moves_at_that_speed() -> None:
    scene = guided().with_motion("linear_motion", "lift", level="velocity", function=0.25, **ENDS)
    run = simulate(scene, duration=0.4)
    assert run.channel("motion.lift.length")[-1] == pytest.approx(LENGTH + 0.25 * 0.4, abs=1e-9)


def test_a_force_accelerates_the_block_and_its_power_is_force_times_speed() -> None:
    scene = guided().with_force("linear_actuator", "jack", force=30.0, **ENDS)
    run = simulate(scene, duration=0.5, dt=1e-3)
    a = 30.0 / M - G
    assert run.channel("joint.guide.displacement")[-1] == pytest.approx(0.5 * a * 0.25, abs=1e-9)
    assert np.allclose(run.channel("force.jack.force"), 30.0)
    assert run.channel("force.jack.power")[-1] == pytest.approx(30.0 * a * 0.5, rel=1e-9)
    assert run.channel("force.jack.length")[-1] == pytest.approx(LENGTH + 0.5 * a * 0.25, abs=1e-9)


def test_a_speed_is_held_as_far_as_the_largest_force_allows() -> None:
    """gain·(speed − v) = m g in the steady state; below the weight it sinks whatever the gain."""
    scene = guided().with_force("linear_actuator", "jack", speed=0.2, gain=4000.0, limit=100.0, **ENDS)
    held = simulate(scene, duration=0.5, dt=1e-3)
    assert held.channel("force.jack.speed")[-1] == pytest.approx(0.2 - M * G / 4000.0, rel=1e-6)
    weak = guided().with_force("linear_actuator", "jack", speed=0.2, gain=4000.0, limit=10.0, **ENDS)
    assert simulate(weak, duration=0.2, dt=1e-3).channel("force.jack.speed")[-1] == pytest.approx(
        0.2 * (10.0 / M - G), rel=1e-9
    )


def test_the_block_rests_on_the_stop() -> None:
    """From rest on a spring stop it swings about the length at which the stop carries the weight."""
    k = 8000.0
    scene = guided().with_force(
        "linear_actuator", "jack", force=0.0, stops=k, closed_length=LENGTH, stroke=0.5, **ENDS
    )
    run = simulate(scene, duration=2.0 * np.pi * np.sqrt(M / k), dt=1e-4)  # one swing
    lengths = run.channel("force.jack.length")
    assert lengths.min() == pytest.approx(LENGTH - 2.0 * M * G / k, rel=1e-4)
    assert lengths[-1] == pytest.approx(LENGTH, abs=1e-5)
    assert run.channel("force.jack.stop").max() == pytest.approx(2.0 * M * G, rel=1e-3)
    assert np.all(run.channel("force.jack.force") == 0.0)
    # the stop is a spring: what falls in comes out, and nobody does work
    assert np.ptp(run.channel("energy.total")) < 1e-6 * np.ptp(run.channel("energy.kinetic"))
    assert run.channel("energy.elastic").max() == pytest.approx(0.5 * k * (2.0 * M * G / k) ** 2, rel=1e-3)


def test_a_rod_that_does_not_fit_its_barrel_is_refused() -> None:
    scene = guided().with_force("linear_actuator", "jack", closed_length=0.3, stroke=0.4, force=1.0, **ENDS)
    problems = validate(scene)
    assert any("does not fit" in problem.message for problem in problems)
    with pytest.raises(SceneError):
        simulate(scene, duration=0.1)
