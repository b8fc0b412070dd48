"""Kinematic analysis and inverse dynamics against closed forms, and how driven motions fail."""

from typing import Any

import msgspec
import numpy as np
import pytest

from engine import Scene
from engine.analyses.answers.result import Mention, Result
from engine.analyses.base import Question
from engine.analyses.dynamics.inverse import INVERSE
from engine.analyses.kinematics.kinematic import KINEMATIC, DrivenOptions
from engine.results.trajectory import Trajectory
from engine.simulation.analysis_motions import trajectory_of
from tests.verification.references import four_bar_loop
from tests.verification.runs import G, finished, shipped

# recomputed by Newton's method: φ1 [deg], φ2, φ3 [deg], their rates [rad/s], accelerations [rad/s²]; φ1 = 2πt
FOUR_BAR = [
    (0, 48.189685104, 96.379370208, -2.094395102, -2.094395102, -1.96169834, 15.69358674),
    (60, 32.204227504, 92.204227504, -0.966643893, 1.127751209, 9.08118492, 14.14626826),
    (120, 29.309571237, 109.715503011, 0.284421801, 2.123950101, 6.43109262, -0.81395537),
    (180, 36.869897646, 126.869897646, 1.256637061, 1.256637061, 4.73741011, -8.42206242),
    (240, 51.096360536, 131.502292309, 1.510774001, -0.328754299, -2.87212168, -10.11716967),
    (300, 60.000000000, 120.000000000, 0.000000000, -2.094395102, -15.19525002, -10.13016668),
]


def kinematic(scene: Scene, **options: float) -> Result:
    return KINEMATIC.run(Question(scene, DrivenOptions(**options)))


def followed(scene: Scene, **options: float) -> Trajectory:
    return trajectory_of(kinematic(scene, **options).motions[0])


def test_four_bar_table() -> None:
    run = followed(shipped("driven_four_bar"), duration=1.0, step=1.0 / 6.0)
    for k, (_, *wanted) in enumerate(FOUR_BAR):
        degrees = [np.degrees(run.channel(f"body.{body}.angle")[k]) for body in ("coupler", "rocker")]
        np.testing.assert_allclose(degrees, wanted[:2], atol=1e-9)
        rates = [run.channel(f"body.{body}.omega.z")[k] for body in ("coupler", "rocker")]
        np.testing.assert_allclose(rates, wanted[2:4], atol=1e-9)
        seconds = [run.channel(f"body.{body}.alpha.z")[k] for body in ("coupler", "rocker")]
        np.testing.assert_allclose(seconds, wanted[4:], atol=1e-8)


def slider_crank(function: Any, r: float = 0.1, rod: float = 0.35) -> Scene:
    """Crank of length r about the origin, rod, and slider on the x axis."""
    theta = float(function(0.0)) if callable(function) else 0.0
    tilt = np.arcsin(r * np.sin(theta) / rod)
    pin = (r * np.cos(theta), r * np.sin(theta))
    end = (pin[0] + rod * np.cos(tilt), 0.0)
    ground = {"body": "world"}
    return (
        Scene(space="planar")
        .with_body("crank", mass=1.0, inertia=[0.01], angle=theta)
        .with_body("rod", mass=0.5, inertia=[0.01], position=pin, angle=-tilt)
        .with_body("slider", mass=0.3, inertia=[0.01], position=end)
        .with_joint("revolute", "O", a=ground, b={"body": "crank"})
        .with_joint("revolute", "A", a={"body": "crank", "point": [r, 0.0]}, b={"body": "rod"})
        .with_joint("revolute", "B", a={"body": "rod", "point": [rod, 0.0]}, b={"body": "slider"})
        .with_joint("prismatic", "guide", a=ground, b={"body": "slider"})
    )


def slider_motion(theta: Any, rate: Any, second: Any, r: float = 0.1, rod: float = 0.35) -> Any:
    """x = r cos θ + √(l² − r² sin² θ) with its derivatives by time."""
    s, c = np.sin(theta), np.cos(theta)
    root = np.sqrt(rod**2 - (r * s) ** 2)
    x = r * c + root
    slope = -r * s - r * r * s * c / root
    bend = -r * c - r * r * (c * c - s * s) / root - (r * r * s * c) ** 2 / root**3
    return x, slope * rate, slope * second + bend * rate**2


def test_slider_crank_closed_form() -> None:
    scene = slider_crank(None).with_motion("joint_motion", "drive", joint="O", function="3*t + 0.5*sin(2*t)")
    run = followed(scene, duration=4.0, step=0.02)
    t = run.t
    wanted = slider_motion(3 * t + 0.5 * np.sin(2 * t), 3 + np.cos(2 * t), -2 * np.sin(2 * t))
    for what, closed in zip(("pos", "vel", "acc"), wanted, strict=True):
        found = run.channel(f"body.slider.{what}.x")
        np.testing.assert_allclose(found, closed, rtol=0.0, atol=1e-12 * max(1.0, np.abs(closed).max()))


def test_a_table_drives_as_its_spline() -> None:
    """A parabola is its own not-a-knot spline, so θ = t² is met exactly, accelerations included."""
    points = [[t, t * t] for t in np.linspace(0.0, 2.25, 10)]
    scene = slider_crank(None).with_motion(
        "joint_motion", "drive", joint="O", function={"points": points, "interpolation": "cubic"}
    )
    run = followed(scene, duration=2.0, step=0.1)
    wanted = slider_motion(run.t**2, 2 * run.t, 2.0)
    for what, closed in zip(("pos", "vel", "acc"), wanted, strict=True):
        np.testing.assert_allclose(run.channel(f"body.slider.{what}.x"), closed, atol=1e-11)


def test_the_branch_is_kept_in_long_steps() -> None:
    """Three instants a turn: the steps in between are found, and the linkage does not turn over."""
    run = followed(shipped("driven_four_bar"), duration=2.0, step=1.0 / 3.0)
    coupler = np.degrees(run.channel("body.coupler.angle"))
    np.testing.assert_allclose(coupler, [FOUR_BAR[2 * (k % 3)][1] for k in range(7)], atol=1e-9)


def test_unreachable_input() -> None:
    result = kinematic(shipped("double_rocker"))
    assert result.summary.startswith("The input cannot be reached: motion 'drive' (1.5708 rad)")
    assert "t = 1.5 s" in result.summary
    assert result.motions[0].t[-1] == pytest.approx(1.495)


def test_change_point() -> None:
    for step in (0.01, 0.03):  # the singular configuration at 1 s is one of the instants, or lies between two
        result = kinematic(shipped("change_point_slider_crank"), step=step)
        assert result.summary.startswith("Change point at t = 1 s: there motion 'drive' (1.5708 rad)")
        assert result.motions[0].t[-1] < 1.0


def test_a_branch_that_ends() -> None:
    """A coupler point is led down, below what its branch reaches; mirrored, the linkage would reach it."""
    scene = shipped("driven_four_bar")
    phi = np.linspace(0.0, 2 * np.pi, 2001)
    phi2, *_ = four_bar_loop(phi)
    height = 0.1 * np.sin(phi) + 0.1 * np.sin(phi2)
    led = msgspec.structs.replace(scene, motions=()).with_motion(
        "body_motion",
        "lead",
        body="coupler",
        point=[0.1, 0.0],
        coordinate="y",
        function=f"{height[0]:.17g} - 0.05*t",
    )
    result = kinematic(led, duration=3.0, step=0.05)
    assert result.summary.startswith("The branch ends at t = ")
    assert result.motions[0].t[-1] == pytest.approx((height[0] - height.min()) / 0.05, abs=0.05)


def test_a_freedom_that_is_left_is_named() -> None:
    result = kinematic(shipped("four_bar"))
    assert result.summary.startswith("The motion is not determined: 1 degree of freedom is not driven.")
    assert "angle of A" in result.summary
    assert {row[0].name for row in result.tables[0].rows if isinstance(row[0], Mention)} == set("ABCD")
    assert not result.motions


def test_driven_scenes_move_as_in_a_run() -> None:
    scene = shipped("pantograph")
    found, run = followed(scene, duration=0.2, step=0.02), finished(scene, "rk4", 1e-3, 0.2)
    for body in found.mechanism.bodies:
        for channel in (f"body.{body}.pos.x", f"body.{body}.vel.y"):
            assert found.channel(channel)[-1] == pytest.approx(run.channel(channel)[-1], abs=1e-8)


@pytest.mark.parametrize("name", ["walking", "stewart_platform"])
def test_many_motions_at_once(name: str) -> None:
    """Nine guides of a walking person, six legs of a platform."""
    result = kinematic(shipped(name), duration=0.1, step=0.05)
    assert result.summary.startswith("The motions determine the mechanism"), result.summary


def pendulum() -> Scene:
    """A bar of 2 kg about its end, driven by θ = 0.7 sin 3t from the horizontal."""
    return (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body("bar", mass=2.0, inertia=[0.06], com=[0.3, 0.0])
        .with_joint("revolute", "pin", a={"body": "world"}, b={"body": "bar"})
        .with_motion("joint_motion", "drive", joint="pin", function="0.7*sin(3*t)")
    )


def test_inverse_dynamics_of_a_pendulum() -> None:
    result = INVERSE.run(Question(pendulum(), DrivenOptions(duration=2.0, step=0.05)))
    found = trajectory_of(result.motions[0])
    t = found.t
    theta, rate, second = 0.7 * np.sin(3 * t), 2.1 * np.cos(3 * t), -6.3 * np.sin(3 * t)
    torque = (0.06 + 2.0 * 0.09) * second + 2.0 * G * 0.3 * np.cos(theta)
    fx = 2.0 * 0.3 * (-np.sin(theta) * second - np.cos(theta) * rate**2)
    fy = 2.0 * 0.3 * (np.cos(theta) * second - np.sin(theta) * rate**2) + 2.0 * G
    np.testing.assert_allclose(found.channel("motion.drive.effort"), torque, atol=1e-11)
    np.testing.assert_allclose(found.channel("joint.pin.reaction.fx"), fx, atol=1e-11)
    np.testing.assert_allclose(found.channel("joint.pin.reaction.fy"), fy, atol=1e-11)
    (_, smallest, largest, *_, unique) = result.tables[0].rows[0]
    assert (smallest, largest) == pytest.approx((torque.min(), torque.max()))
    assert unique == "yes"


def test_inverse_dynamics_agrees_with_a_run() -> None:
    scene = shipped("driven_four_bar")
    result = INVERSE.run(Question(scene, DrivenOptions(duration=0.5, step=0.05)))
    found, run = trajectory_of(result.motions[0]), finished(scene, "rk4", 1e-3, 0.5)
    every = np.round(found.t / 1e-3).astype(int)
    for channel in ("motion.drive.effort", "joint.B.reaction.fx", "joint.D.reaction.fy"):
        np.testing.assert_allclose(found.channel(channel), run.channel(channel)[every], atol=1e-6)
    transfer = {str(row[0]): row[1] for row in result.tables[-1].rows}
    force = np.hypot(found.channel("joint.C.reaction.fx"), found.channel("joint.C.reaction.fy"))
    assert transfer["C"] == pytest.approx(force.max())


def test_reactions_that_are_one_of_many_are_marked() -> None:
    """A four-bar of spatial hinges: three rows too many, but the torque that drives it is unique."""
    scene = shipped("spatial_four_bar").with_motion("joint_motion", "drive", joint="A", function="pi/2 + 2*t")
    result = INVERSE.run(Question(scene, DrivenOptions(duration=0.2, step=0.05)))
    (driving,) = result.tables[0].rows
    assert driving[-1] == "yes"
    assert all(str(row[-1]).startswith("no") for row in result.tables[1].rows)
    planar = shipped("four_bar").with_motion("joint_motion", "drive", joint="A", function="pi/2 + 2*t")
    flat = INVERSE.run(Question(planar, DrivenOptions(duration=0.2, step=0.05)))
    np.testing.assert_allclose(driving[1:3], flat.tables[0].rows[0][1:3], atol=1e-9)


def test_a_prescribed_speed_is_integrated() -> None:
    """θ' = 2 cos t from θ = 0 is θ = 2 sin t: positions come from Runge–Kutta steps of at most 0.03 rad."""
    scene = (
        Scene(space="planar")
        .with_body("bar", mass=2.0, inertia=[0.06], com=[0.3, 0.0])
        .with_joint("revolute", "pin", a={"body": "world"}, b={"body": "bar"})
        .with_motion("joint_motion", "drive", joint="pin", level="velocity", function="2*cos(t)")
    )
    run = followed(scene, duration=3.0, step=0.1)
    np.testing.assert_allclose(run.channel("joint.pin.angle"), 2 * np.sin(run.t), atol=1e-9)
    np.testing.assert_allclose(run.channel("joint.pin.acceleration"), -2 * np.sin(run.t), atol=1e-12)
