"""Runs: settings, trouble, cancelling, live edits, memory."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from engine import Scene, SceneError, compile_scene, simulate
from engine.compiled.layout import StepStatus
from engine.model.set_value import set_value
from engine.results.channels import Channels
from engine.results.sample_layout import SampleLayout
from engine.simulation.simulation import Simulation
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import METHODS
from engine.templates import TEMPLATES
from engine.templates.parametric import parametric
from tests.engine.simulation.scenes import G, ball, damped_arm, rod_pendulum, shipped

KEYS = [
    "scene",
    "method",
    "dt",
    "duration",
    "steps",
    "status",
    "wall_time",
    "real_time_factor",
    "dof",
    "redundant",
    "energy_initial",
    "energy_error_max",
    "violation_position_max",
    "violation_velocity_max",
    "iterations",
    "evaluations",
    "factorisations",
    "time_linear",
]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dt": 0.0}, "simulation.dt"),
        ({"dt": -1.0}, "simulation.dt"),
        ({"dt": float("nan")}, "simulation.dt"),
        ({"duration": -1.0}, "simulation.duration"),
        ({"duration": float("inf")}, "simulation.duration"),
        ({"dt": 1e-10, "duration": 1.0}, "steps"),
        ({"sample_every": 0}, "sample_every"),
        ({"method": "rk5"}, "did you mean"),
        ({"options": {"rtol": 1.0}}, "no option"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, message):
    with pytest.raises(SceneError, match=message):
        simulate(rod_pendulum(), **settings)


def test_options_of_another_method_are_dropped_with_it():
    assert simulate(damped_arm(), method="rk4", duration=0.01).status is StepStatus.FINISHED


def test_no_duration_gives_the_start():
    run = simulate(rod_pendulum(), duration=0.0)
    assert (len(run), run.status) == (1, StepStatus.FINISHED)
    assert run.summary()["steps"] == 0


def test_samples_stand_on_the_grid_and_at_the_end():
    run = simulate(rod_pendulum(), dt=0.01, duration=0.105, sample_every=3)
    assert_allclose(run.t, [0.0, 0.03, 0.06, 0.09, 0.105], rtol=0.0, atol=1e-12)


def test_summary_has_the_facts():
    summary = simulate(shipped("spatial_four_bar"), duration=0.05).summary()
    assert set(KEYS) <= set(summary)
    assert (summary["dof"], summary["redundant"], summary["steps"]) == (1, 3, 50)
    assert summary["evaluations"] == 201
    assert 0.0 < summary["time_linear"] < 1.0
    assert summary["violation_position_max"] < 1e-9


def test_a_run_that_gains_energy_is_doubted():
    # Euler's rule multiplies the amplitude of an oscillation by √(1 + (ωh)²) per step
    wrong = simulate(shipped("pendulum"), method="lagrange/euler/projection", dt=0.01, duration=2.0)
    assert wrong.status is StepStatus.FINISHED
    assert "do not trust this run" in wrong.message
    assert simulate(shipped("pendulum"), duration=2.0).message == ""


def test_singular_poses_are_reported():
    run = simulate(shipped("double_four_bar"), duration=1.0)
    assert run.status is StepStatus.FINISHED
    assert (run.summary()["dof"], run.summary()["redundant"]) == (1, 6)
    assert 0 < run.near_singular < 20
    assert "singular configuration" in run.message
    regular = simulate(shipped("four_bar"), duration=0.5)
    assert regular.near_singular == 0
    assert regular.message == ""


@pytest.mark.parametrize("method", ["rk4", "dopri5"])
def test_a_force_without_bound_stops_the_run_by_name(method):
    scene = ball().with_force("force", "blow up", body="ball", components=["1/(t - 0.5)", 0.0, 0.0])
    run = simulate(scene, method=method, dt=1 / 128, duration=1.0)
    # the adaptive scheme gives up before the force is infinite
    assert run.status is (StepStatus.NOT_FINITE if method == "rk4" else StepStatus.STEP_TOO_SMALL)
    assert "'blow up' has no value at t = 0.5 s" in run.message
    assert 0.4 < run.t[-1] <= 0.5
    assert np.isfinite(run.samples).all()


def test_the_end_of_a_table_is_named():
    table = {"points": [[0.0, 0.0], [0.2, 2.0]], "outside": "error"}
    run = simulate(
        ball().with_force("force", "push", body="ball", components=[table, 0.0, 0.0]), duration=1.0
    )
    assert run.status is StepStatus.OUTSIDE_TABLE
    assert run.t[-1] == pytest.approx(0.2, abs=0.0011)
    assert "table" in run.message


def test_a_joint_that_cannot_be_closed_is_named():
    scene = shipped("four_bar")
    run = simulate(scene, dt=1.0, duration=20.0)
    assert run.status is StepStatus.NOT_CONVERGED
    assert any(repr(joint.name) in run.message for joint in scene.joints)
    assert "smaller step" in run.message


def test_cancel_keeps_the_samples():
    calls, fractions = iter([False, False, False, True]), []
    run = simulate(shipped("four_bar"), progress=lambda f, t: fractions.append(f), cancel=lambda: next(calls))
    assert run.status is StepStatus.CANCELLED
    assert len(run) > 3
    assert 0.0 < run.t[-1] < 10.0
    assert np.isfinite(run.channel("energy.total")).all()
    assert fractions == sorted(fractions)
    assert len(fractions) == 3


def test_the_same_scene_twice_is_bit_equal():
    a, b = (simulate(damped_arm(), duration=0.2).samples for _ in range(2))
    assert np.array_equal(a, b)


def test_stepping_by_hand_gives_the_same_run():
    whole = simulate(rod_pendulum(), duration=0.3, dt=0.001)
    run = Simulation(rod_pendulum(), duration=0.3, dt=0.001)
    for until in (0.05, 0.1, 0.2, 1.0):
        while run.t < min(until, 0.3) - 1e-12:
            run.advance(until)
    assert run.status is StepStatus.FINISHED
    assert np.array_equal(run.trajectory().samples[:, :4], whole.samples[:, :4])
    run.restart()
    assert run.t == 0.0
    assert not run.done


def test_layout_is_what_the_method_writes():
    mechanism = compile_scene(shipped("spatial_slider_crank"))
    driver = Driver(mechanism, next(iter(METHODS)), dt=0.001)
    driver.start(0.0, mechanism.q, mechanism.v)
    layout, sample = SampleLayout(mechanism), driver.sample()
    assert sample.shape == (layout.width,)
    assert np.array_equal(sample[layout.q], mechanism.q)
    assert np.array_equal(sample[layout.v], mechanism.v)
    assert 0.0 < sample[layout.pivot] <= 1.0


# live edits


def oscillator(stiffness, free_length=0.5):
    return ball(position=[1.0, 0.0, 0.0]).with_force(
        "spring",
        "coil",
        a={"body": "world"},
        b={"body": "ball", "point": [0.0, 0.0, 0.0]},
        stiffness=stiffness,
        free_length=free_length,
    )


def test_a_live_edit_books_its_energy():
    run = Simulation(oscillator(10.0), dt=0.001, duration=1.0)
    while run.t < 0.4:
        run.advance(0.4)
    length = run.trajectory().channel("spring.coil.length")[-1]
    assert run.refill(oscillator(40.0))
    while not run.done:
        run.advance()
    result = run.trajectory()
    added = 0.5 * 30.0 * (length - 0.5) ** 2
    assert result.channel("energy.edits")[-1] == pytest.approx(added, rel=1e-12)
    assert result.channel("energy.edits")[0] == 0.0
    assert np.abs(result.channel("energy.error")).max() < 1e-9
    # the past keeps its own numbers
    before = result.t < 0.4
    x = result.channel("spring.coil.length")
    assert_allclose(result.channel("spring.coil.force")[before], 10.0 * (x[before] - 0.5), rtol=1e-12)
    assert_allclose(
        result.channel("spring.coil.force")[result.t > 0.4], 40.0 * (x[result.t > 0.4] - 0.5), rtol=1e-12
    )


def test_a_live_edit_closes_the_joints_again():
    def hanging(length, com=0.0):
        return (
            Scene(space="planar")
            .with_body(
                "bob", position=[0.0, -1.0], mass=1.0, com=[com, 0.0], inertia=[0.1], velocity=[0.5, 0.0]
            )
            .with_joint(
                "distance", "rope", a={"body": "world"}, b={"body": "bob", "point": [0.0, 0.0]}, length=length
            )
        )

    run = Simulation(hanging(1.0), dt=0.001, duration=0.5)
    while run.t < 0.2:
        run.advance(0.2)
    place = run.trajectory().channel("body.bob.pos.y")[-1]
    assert run.refill(hanging(1.0, com=0.1))
    # what projection leaves
    assert run.trajectory().channel("body.bob.pos.y")[-1] == pytest.approx(place, abs=2e-10)
    assert run.refill(hanging(1.1, com=0.1))
    while not run.done:
        run.advance()
    result = run.trajectory()
    assert result.channel("violation.position").max() < 1e-9
    assert np.hypot(
        result.channel("body.bob.pos.x")[-1], result.channel("body.bob.pos.y")[-1]
    ) == pytest.approx(1.1)
    assert np.abs(result.channel("energy.error")).max() < 1e-8


def test_issue_18_a_length_changed_while_it_runs_leaves_the_driven_angle_alone():
    made = parametric(TEMPLATES["four_bar"], {}).scene
    run = Simulation(made, dt=0.001, duration=1.0)
    while run.t < 0.4:
        run.advance(0.4)
    before = run.trajectory().channel("joint.A.angle")[-1]
    assert run.refill(set_value(made, "parameters.L_coupler", 0.497))
    result = run.trajectory()
    assert result.channel("joint.A.angle")[-1] == pytest.approx(before, abs=1e-11)
    assert before == pytest.approx(1.2, abs=1e-9)  # 3 rad/s for 0.4 s
    assert result.channel("violation.position")[-1] < 1e-11


def test_another_structure_is_not_refilled():
    run = Simulation(oscillator(10.0), dt=0.001, duration=1.0)
    assert not run.refill(oscillator(10.0).with_body("second", mass=1.0, inertia=[1.0, 1.0, 1.0]))
    run.advance()
    assert run.trajectory().status in (StepStatus.OK, StepStatus.FINISHED)


def test_memory_grows_with_what_is_recorded_only():
    run = Simulation(rod_pendulum(), dt=0.0005, duration=2.0, sample_every=1000)
    while not run.done:
        run.advance()
    trajectory = run.trajectory()
    assert len(trajectory) == 5
    assert trajectory.samples.nbytes == 5 * 8 * run.driver.width


def test_channels_of_few_samples_are_those_of_many():
    run = simulate(damped_arm(), duration=0.1)
    channels = Channels(run.mechanism)
    whole = channels.values("energy.error", run.samples)
    start = channels.energy(run.samples[0])
    assert_allclose(
        channels.values("energy.error", run.samples[7:9], start_energy=start), whole[7:9], atol=1e-12
    )
    assert channels.values("body.lower.pos.x", run.samples[:0]).shape == (0,)


def test_free_fall_is_exact():
    run = simulate(ball(gravity=[0.0, 0.0, -G], velocity=[1.0, 2.0, 3.0]), duration=0.5, dt=0.01)
    assert_allclose(run.channel("body.ball.pos.z"), 3.0 * run.t - G * run.t**2 / 2, rtol=0.0, atol=1e-13)
    assert run.summary()["dof"] == 6
