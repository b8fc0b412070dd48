"""One judgement for every way of running: energy over what is exchanged, constraints over the size."""

from pathlib import Path

import numpy as np
import pytest

from engine import Scene, SceneError, load_trajectory, simulate
from engine.benchmarks.comparison import compare
from engine.compiled.layout import StepStatus
from engine.model.files.scene_file import loads
from engine.model.resolve import resolve
from engine.results.assessment.assess import GOOD, Assessment
from engine.simulation.live.live_simulation import LiveSimulation
from engine.simulation.streaming import stream
from tests.engine.simulation.scenes import G, rod_pendulum, shipped
from tests.paths import SCENES

TRUSS = """{"format": "trammel-scene", "version": 1, "space": "planar",
    "bodies": [
        {"name": "b1", "mass": 1, "inertia": [0.1], "com": [0.37, 0.1], "position": [0.3, 0.7],
         "angle": 0.3},
        {"name": "b2", "mass": 1, "inertia": [0.1], "com": [0.37, 0.1], "position": [2.0, 0.7],
         "angle": 2.5}],
    "joints": [
        {"name": "A", "kind": "revolute", "a": {"body": "world", "point": [0.3, 0.7]},
         "b": {"body": "b1", "point": [0, 0]}},
        {"name": "B", "kind": "revolute", "a": {"body": "world", "point": [2.0, 0.7]},
         "b": {"body": "b2", "point": [0, 0]}},
        {"name": "C", "kind": "revolute", "a": {"body": "b1", "point": [1, 0]},
         "b": {"body": "b2", "point": [0.9, 0]}}]}"""

MOTOR_AGAINST_LOCK = """{"format": "trammel-scene", "version": 1, "space": "planar",
    "bodies": [{"name": "arm", "mass": 1, "inertia": [0.1]}],
    "joints": [
        {"name": "P", "kind": "revolute", "a": {"body": "world", "point": [0, 0]},
         "b": {"body": "arm", "point": [0, 0]}},
        {"name": "L", "kind": "lock", "b": {"body": "arm", "point": [1, 0]}, "coordinates": ["x", "y"]}],
    "forces": [{"name": "m", "kind": "motor", "joint": "P", "coordinate": "angle", "effort": 1e6}]}"""
# out of the axes, so that the poses are rounded, and nothing that weighs
WEIGHTLESS = """{"format": "trammel-scene", "version": 1, "space": "planar", "gravity": [0, 0],
    "bodies": [{"name": "arm", "mass": 1, "inertia": [0.1], "position": [0.3, 0.7], "angle": 0.37}],
    "joints": [
        {"name": "P", "kind": "revolute", "a": {"body": "world", "point": [0.3, 0.7]},
         "b": {"body": "arm", "point": [0, 0]}},
        {"name": "D", "kind": "distance", "a": {"body": "world", "point": [1.7, -0.2]},
         "b": {"body": "arm", "point": [1, 0.1]}}],
    "forces": [{"name": "m", "kind": "motor", "joint": "P", "coordinate": "angle", "effort": 1e6}]}"""


def wrong() -> Scene:
    """Euler's rule adds energy to a double pendulum."""
    return shipped("double_pendulum").with_simulation(method="euler", duration=2.0)


# energy


@pytest.mark.parametrize("method", ["hht", "newmark_nullspace", "radau", "central_differences"])
@pytest.mark.parametrize("text", [TRUSS, MOTOR_AGAINST_LOCK, WEIGHTLESS])
def test_what_rests_is_no_alarm(text: str, method: str) -> None:
    run = simulate(loads(text), method=method, duration=0.2)
    assert run.status is StepStatus.FINISHED
    assert run.message == ""


def held(how: str) -> Scene:
    """A weightless slider, aslant, pressed by 10 kN against what is no joint."""
    direction = [np.cos(0.37), np.sin(0.37)]
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body(
        "slider", position=[0.3, 0.7], angle=0.37, mass=1.0, inertia=[0.1]
    )
    push = [1e4 * part for part in direction]
    scene = scene.with_force("force", "push", body="slider", components=[*push, 0.0])
    guide = {"body": "world", "point": [0.3, 0.7], "axis": [*direction, 0.0]}
    scene = scene.with_joint("prismatic", "guide", a=guide, b={"body": "slider"})
    on = {"joint": "guide", "coordinate": "displacement"}
    if how == "stop":
        return scene.with_force("stop", "hold", **on, upper=0.0, law="rigid", restitution=0.0)
    return scene.with_force("friction", "hold", **on, model="held", kinetic=2e4, static=2e4)


@pytest.mark.parametrize("method", [None, "radau"])
@pytest.mark.parametrize("how", ["stop", "friction"])
def test_what_a_stop_or_friction_holds_is_no_alarm(how: str, method: str | None) -> None:
    """Reactions of limits count as those of joints do: nothing else tells what rounding can do."""
    run = simulate(held(how), method=method, duration=0.1)
    assert np.abs(run.channel("body.slider.vel.x")).max() < 1e-9
    assert run.message == ""


def test_a_lock_that_holds_a_motor_by_projection_is_no_alarm() -> None:
    assert simulate(loads(MOTOR_AGAINST_LOCK), duration=0.1).message == ""


def test_what_moves_slowly_under_large_loads_is_no_alarm() -> None:
    # the stiff pendulum turns by 1e-2 rad, almost without kinetic energy
    run = simulate(shipped("stiff_pendulum"), method="central_differences", dt=0.01)
    kinetic, error = np.abs(run.table(["energy.kinetic", "energy.error"])).max(axis=0)
    assert error > GOOD * kinetic
    assert run.message == ""


# the double rocker ends at a dead centre, where the work of its drive grows beyond all bounds
BELIEVED = sorted(path.stem for path in SCENES.glob("*.json") if path.stem != "double_rocker")


@pytest.mark.parametrize("steps", [2000, pytest.param(1_000_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("factor", [1.0, 0.1])
@pytest.mark.parametrize("name", BELIEVED)
def test_right_runs_of_shipped_scenes_are_believed(name: str, factor: float, steps: int) -> None:
    """With their own method, at their own step and at a tenth of it."""
    scene = shipped(name)
    settings = resolve(scene).simulation
    dt = float(settings.dt) * factor
    every = round(settings.sample_every / factor)
    run = simulate(scene, dt=dt, duration=min(float(settings.duration), steps * dt), sample_every=every)
    assert "do not trust" not in run.message


def test_small_motion_is_judged_by_its_own_energy() -> None:
    # Euler's rule multiplies the energy by 1 + (ωh)² per step, whatever the amplitude: here 1e-3 rad
    small = rod_pendulum(angle=-0.5 * np.pi + 1e-3)
    run = simulate(small, method="euler", dt=1e-3, duration=1.0)
    growth = (1.0 + 1e-6 * 1.5 * G / 1.2) ** 1000 - 1.0  # ω² = 3 g / (2 L)
    assert run.assessments[0].share == pytest.approx(growth, rel=0.1)
    assert "do not trust this run" in run.message


# constraints


def test_joints_that_open_are_told() -> None:
    weak = {"penalty": 1e-9}
    run = simulate(shipped("four_bar"), method="canonical_trapezoidal", options=weak, duration=0.3)
    assert "do not trust this run from t = " in run.message
    assert "of the size of the mechanism" in run.message
    assert "joint '" in run.message
    assert run.assessments[0].gap.value == pytest.approx(run.summary()["violation_position_max"])


@pytest.mark.parametrize(
    "method", ["canonical_trapezoidal", "penalty/rk4/baumgarte", "augmented_lagrangian/rk4/baumgarte"]
)
def test_a_penalty_of_zero_is_refused(method: str) -> None:
    with pytest.raises(SceneError, match=r"'penalty' is 0\.0\n.*above 0"):
        simulate(shipped("four_bar"), method=method, options={"penalty": 0.0}, duration=0.01)


# every way of running


def test_a_stream_says_what_the_run_says(tmp_path: Path) -> None:
    plain = simulate(wrong())
    assert "do not trust this run" in plain.message
    streamed = stream(wrong(), tmp_path / "run.h5")
    assert streamed["message"] == plain.message
    assert streamed["energy_error_max"] == pytest.approx(plain.summary()["energy_error_max"])
    assert load_trajectory(tmp_path / "run.h5").message == plain.message


def test_saved_runs_do_not_repeat_their_notes(tmp_path: Path) -> None:
    run = simulate(shipped("double_four_bar"), method="euler", duration=1.0)
    assert "singular configuration" in run.message
    assert "do not trust" in run.message
    run.save(tmp_path / "run.npz")
    assert load_trajectory(tmp_path / "run.npz").message == run.message


def test_a_comparison_and_the_window_say_it_too() -> None:
    (found,) = compare(wrong(), ["euler"]).runs
    assert "do not trust this run" in found.message
    live = LiveSimulation(wrong())
    while live.t < 2.0:
        live.advance(2.0)
    assert "do not trust this run" in live.accuracy_warning()
    assert live.accuracy_warning() == "", "once"


def test_pieces_of_a_run_are_judged_like_the_whole() -> None:
    run = simulate(shipped("slider_crank"), method="euler", duration=1.0)
    channels, whole = run.segments[0].channels, run.assessments[0]
    parts = Assessment(run.mechanism)
    for begin in range(0, len(run), 7):
        parts.look(
            channels.evaluation(run.samples[begin : begin + 7], start_energy=channels.energy(run.samples[0]))
        )
    assert (parts.error, parts.exchanged, parts.gap) == (whole.error, whole.exchanged, whole.gap)
    assert parts.accuracy_warnings() == whole.accuracy_warnings()


def test_a_measure_that_alone_is_not_finite_is_told() -> None:
    scene = rod_pendulum().with_measure("expression", "root", expression="sqrt(0.05 - t)")
    run = simulate(scene, duration=0.1, dt=0.01)
    assert run.status is StepStatus.FINISHED
    assert "do not trust measure 'root' from t = 0.06 s on: its value is not finite" in run.accuracy_warning
    assert not simulate(scene, duration=0.04, dt=0.01).accuracy_warning


def test_an_energy_beyond_all_numbers_is_told() -> None:
    scene = rod_pendulum().with_body("comet", mass=1.0, inertia=[1.0], velocity=["1e90*1e90", 0])
    run = simulate(scene, duration=0.01)
    assert "do not trust this run from t = 0 s on: its energy is not finite" in run.accuracy_warning


def test_slip_of_a_rolling_wheel_is_part_of_the_verdict() -> None:
    """The wheel begins rolling; a scheme without stabilisation and with a coarse step lets it slip."""
    assert not simulate(shipped("bicycle"), duration=1.0).accuracy_warning
    run = simulate(shipped("bicycle"), method="lagrange/euler/none", dt=0.05, duration=2.0)
    assert "slips by" in run.accuracy_warning


def test_velocities_that_grow_up_to_a_dead_centre_do_not_jump() -> None:
    """The rocker is as fast as the loop says, to its last sample: L3 ω3 sin(φ2 − φ3) = L1 ω1 sin(φ2 − φ1)."""
    run = simulate(shipped("double_rocker"))
    assert run.status.failed
    crank, coupler, rocker = run.table([f"body.{name}.angle" for name in ("crank", "coupler", "rocker")]).T
    wanted = 0.3 * np.pi / 3.0 * np.sin(coupler - crank) / (0.25 * np.sin(coupler - rocker))
    np.testing.assert_allclose(run.channel("body.rocker.omega.z"), wanted, rtol=1e-9)
    assert "jump" not in run.message
