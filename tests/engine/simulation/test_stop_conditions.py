"""Stop conditions are located, knots landed on."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

from engine import SceneError, simulate
from engine.compiled.layout import StepStatus
from tests.engine.simulation.scenes import G, ball, rod_pendulum


def stopping(scene, *conditions, **settings):
    return scene.with_simulation(stop_when=list(conditions), dt=0.01, duration=5.0, **settings)


@pytest.mark.parametrize("method", ["rk4", "dopri5"])
@pytest.mark.parametrize("every", [1, 7])
def test_free_fall_ends_on_the_ground(method, every):
    # z = h − g t²/2 = 0 at t = √(2h/g)
    h = 3.7
    scene = stopping(ball(position=[0.0, 0.0, h], gravity=[0.0, 0.0, -G]), "body.ball.pos.z")
    run = simulate(scene, method=method, sample_every=every)
    assert run.status is StepStatus.STOPPED
    assert "body.ball.pos.z" in run.message
    assert run.t[-1] == pytest.approx(np.sqrt(2 * h / G), abs=1e-12)
    assert abs(run.channel("body.ball.pos.z")[-1]) < 1e-11
    assert_allclose(run.t[:-1], 0.01 * every * np.arange(len(run) - 1), rtol=0.0, atol=1e-12)


def test_pendulum_reaches_the_bottom_after_a_quarter_period():
    # ω0² = m g l/I = 3 g/(2 L);  T/4 = K(sin²(θ0/2))/ω0 with θ0 = π/2 from the vertical
    scene = stopping(rod_pendulum(), "body.rod.angle + pi/2").with_simulation(dt=0.001)
    run = simulate(scene)
    assert run.t[-1] == pytest.approx(ellipk(0.5) / np.sqrt(3 * G / (2 * 1.2)), abs=1e-10)


def test_a_comparison_stops_when_it_becomes_true():
    scene = stopping(ball(velocity=[1.0, 0.0, 0.0]), "body.ball.pos.x > 0.123 and t > 0.05")
    assert simulate(scene).t[-1] == pytest.approx(0.123, abs=1e-10)
    scene = stopping(ball(velocity=[1.0, 0.0, 0.0]), "t > -1")  # true from the start: never becomes so
    assert simulate(scene, duration=0.1).status is StepStatus.FINISHED


def test_a_condition_that_is_zero_at_the_start_does_not_fire_at_once():
    # a full swing later the hinge speed is zero again: half a period
    run = simulate(stopping(rod_pendulum(), "joint.hinge.speed").with_simulation(dt=0.001))
    assert run.status is StepStatus.STOPPED
    assert run.t[-1] == pytest.approx(2 * ellipk(0.5) / np.sqrt(3 * G / (2 * 1.2)), abs=1e-9)


def test_the_first_of_several_conditions_counts():
    scene = stopping(ball(velocity=[1.0, 0.0, 0.0]), "body.ball.pos.x - 0.5", "body.ball.pos.x - 0.2551")
    run = simulate(scene)
    assert run.t[-1] == pytest.approx(0.2551, abs=1e-12)
    assert "0.2551" in run.message


def test_a_condition_must_name_channels():
    with pytest.raises(SceneError, match=r"did you mean 'body\.ball\.pos\.x'"):
        simulate(stopping(ball(), "body.ball.pos.xx - 1"))


@pytest.mark.parametrize("method", ["rk4", "dopri5"])
def test_jumps_are_landed_on(method):
    # force 3 N on 2 kg from 0.3003 to 0.7007 s: no step may see both sides of a jump, so the answer is exact
    scene = ball().with_force(
        "force", "push", body="ball", components=["3*pulse(t, 0.3003, 0.7007)", 0.0, 0.0]
    )
    run = simulate(scene, method=method, dt=0.01, duration=1.0)
    gained = 1.5 * 0.4004
    assert run.channel("body.ball.vel.x")[-1] == pytest.approx(gained, abs=1e-12)
    moved = 0.75 * 0.4004**2 + gained * (1.0 - 0.7007)
    assert run.channel("body.ball.pos.x")[-1] == pytest.approx(moved, abs=1e-12)
    assert_allclose(run.t, 0.01 * np.arange(101), rtol=0.0, atol=1e-12)


def test_a_knot_on_the_grid_keeps_its_sample():
    table = {"points": [[0.0, 0.0], [0.3, 2.0], [0.6, 0.0]], "interpolation": "linear"}
    scene = ball().with_force("force", "push", body="ball", components=[table, 0.0, 0.0])
    run = simulate(scene, dt=0.1, duration=1.0)
    assert_allclose(run.t, 0.1 * np.arange(11), rtol=0.0, atol=1e-12)
    # ∫F dt/m over the triangle
    assert run.channel("body.ball.vel.x")[-1] == pytest.approx(0.3, abs=1e-14)


def test_a_condition_is_located_behind_a_jump():
    scene = ball().with_force("force", "push", body="ball", components=["2*(t >= 0.505)", 0.0, 0.0])
    # x = (t − 0.505)²/2 = 1e-6: in the same step as the jump
    run = simulate(stopping(scene, "body.ball.pos.x - 1e-6"))
    assert run.t[-1] == pytest.approx(0.505 + np.sqrt(2e-6), abs=1e-11)
