"""Examples of the source works: runs of shipped scenes against printed, recomputed or closed-form values."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from engine import compile_scene, set_value, simulate
from engine.compiled.layout import StepStatus
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.system.assembly.assemble import assemble
from scenes.generators.shock_chain import PULSE, shock_chain_of
from tests.verification.runs import G, finished, shipped, tight

# [Celej 2018, table 1]: φ1, φ2 at 1 … 5 s, recomputed with minimal coordinates and DOP853 at 1e-13
HANGING = np.array(
    [
        [-0.7850816148, -0.4452230311],
        [-0.2549952898, -0.4211910812],
        [1.1790206352, 0.5468687102],
        [-0.5114052747, -1.5844312640],
        [0.3622250095, 0.0402431571],
    ]
)
UPRIGHT = np.array(
    [
        [-1.3070587185, -2.6766279263],
        [-5.2662773965, -6.8449931953],
        [-9.2795310066, -10.3807530758],
        [-9.9996957817, -6.4754004972],
        [-7.1356837008, -1.7850618307],
    ]
)


@pytest.mark.parametrize(
    ("scene", "energy", "angles", "tolerance"),
    [
        ("double_pendulum_hanging", -90.177328, HANGING, 1e-9),
        ("double_pendulum_upright", 163.752328, UPRIGHT, 1e-8),
    ],
)
def test_double_pendulum_in_both_readings(scene, energy, angles, tolerance):
    run = tight(shipped(scene), 5.0, dt=1.0, tolerance=1e-13)
    assert run.channel("energy.total")[0] == pytest.approx(energy, abs=5e-7)
    assert_allclose(run.table(["body.link1.angle", "body.link2.angle"])[1:], angles, rtol=0.0, atol=tolerance)


# recomputed by Newton's method: crank angle, then coupler and rocker: angle [deg], rate, acceleration
KINEMATICS = np.array(
    [
        [0, 48.189685104, 96.379370208, -2.094395102, -2.094395102, -1.96169834, 15.69358674],
        [60, 32.204227504, 92.204227504, -0.966643893, 1.127751209, 9.08118492, 14.14626826],
        [120, 29.309571237, 109.715503011, 0.284421801, 2.123950101, 6.43109262, -0.81395537],
        [180, 36.869897646, 126.869897646, 1.256637061, 1.256637061, 4.73741011, -8.42206242],
        [240, 51.096360536, 131.502292309, 1.510774001, -0.328754299, -2.87212168, -10.11716967],
        [300, 60.000000000, 120.000000000, 0.000000000, -2.094395102, -15.19525002, -10.13016668],
    ]
)


def test_driven_four_bar_follows_the_kinematic_table():
    run = finished(shipped("driven_four_bar"), "rk4", 1 / 6000, 1.0)  # every 1000th step is at 60 degrees
    names = [
        f"body.{body}.{what}" for what in ("angle", "omega.z", "alpha.z") for body in ("coupler", "rocker")
    ]
    found = run.table(names)[: 6 * 1000 : 1000]
    assert_allclose(np.degrees(found[:, :2]), KINEMATICS[:, 1:3], rtol=0.0, atol=2e-9)
    assert_allclose(found[:, 2:4], KINEMATICS[:, 3:5], rtol=0.0, atol=2e-9)
    assert_allclose(found[:, 4:], KINEMATICS[:, 5:], rtol=0.0, atol=2e-8)


def test_double_rocker_ends_where_its_loop_cannot_be_closed():
    run = simulate(shipped("double_rocker"))
    assert run.status is StepStatus.NOT_CONVERGED
    assert run.t[-1] == pytest.approx(1.5, abs=2e-3)  # the toggle of the 3-4-5 triangle, at 90 degrees
    assert "motion 'drive' asks for" in run.message
    assert "the joints do not allow" in run.message


def test_change_point_is_passed_and_reported():
    run = finished(shipped("change_point_slider_crank"), "rk4", 1e-3, 1.5)
    assert run.near_singular > 0
    # by inertia the slider goes through the pivot: x = 2 L cos(π t / 2)
    assert_allclose(run.channel("body.slider.pos.x"), 0.4 * np.cos(np.pi * run.t / 2), atol=1e-9)


def test_spring_and_damper_hold_the_four_bar_upright():
    # [Urkullu 2019, §8.5] prints 4.18 rad/s; upright (5/3) θ'' = −(k/2 − 2 g) θ gives 4.28, and the
    # swing of 0.24 rad makes it a little slower
    run = finished(set_value(shipped("four_bar_spring_damper"), "parameters.c", 0.0), "rk4", 1e-3, 10.0)
    x = run.channel("body.crank0.point.B0.pos.x")
    rising = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    frequency = 2 * np.pi * (len(rising) - 1) / (run.t[rising[-1]] - run.t[rising[0]])
    assert frequency == pytest.approx(4.18, rel=0.02)
    damped = finished(shipped("four_bar_spring_damper"), "rk4", 1e-3, 5.0).channel(
        "body.crank0.point.B0.pos.x"
    )
    assert np.abs(damped[-1500:]).max() < 0.15 * np.abs(damped).max()


def test_stiff_pendulum_follows_its_torque():
    # θ'' = −g sin θ + τ0 sin(w t), g = 9.8, m = L = 1; own frequency √9.8
    run = finished(shipped("stiff_pendulum"), "rk4", 0.02, 20.0)
    done = solve_ivp(
        lambda t, y: (y[1], -9.8 * np.sin(y[0]) + 0.1 * np.sin(0.1 * t)),
        (0.0, 20.0),
        (0.0, 0.0),
        method="DOP853",
        rtol=1e-12,
        atol=1e-14,
        t_eval=run.t[::100],
    )
    assert_allclose(run.channel("body.bob.angle")[::100], done.y[0], rtol=0.0, atol=1e-7)


def test_forced_oscillator_does_not_ring():
    # x = sin(w_f t)/(w² − w_f²) with the start velocity of the scene
    run = finished(shipped("forced_oscillator"), "rk4", 0.1, 630.0)
    assert_allclose(run.channel("body.mass.pos.x"), np.sin(0.01 * run.t) / (1 - 1e-4), rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("n", [10, 20])
def test_shock_doubles_at_the_free_end(n):
    """Against the equations of the chain, integrated on their own: m x'' = k (x₋ − 2 x + x₊)."""
    run = finished(shock_chain_of(n), "rk4", 2e-4, 0.12)
    mass, stiffness = 0.04 / n, (n - 1) * 10.0

    def rate(t, y):
        lead = PULSE / np.pi * (1 - np.cos(np.pi * min(t, PULSE) / PULSE))
        x = np.concatenate([[lead], y[: n - 1]])  # displacements
        pull = stiffness * np.diff(x)
        return np.concatenate([y[n - 1 :], (np.append(pull[1:], 0.0) - pull) / mass])

    exact = solve_ivp(rate, (0.0, 0.12), np.zeros(2 * n - 2), method="DOP853", rtol=1e-10, atol=1e-12,
                      t_eval=run.t[::10], max_step=1e-3)  # fmt: skip
    found = run.channel(f"body.m{n}.vel.x")
    assert_allclose(found[::10], exact.y[-1], rtol=0.0, atol=1e-4)
    assert found.max() == pytest.approx(2.0, rel=0.03)  # twice the input
    assert run.t[found.argmax()] == pytest.approx(0.084, abs=0.006)


@pytest.mark.parametrize(("n", "peak"), [(10, 1.956), (20, 2.020), (100, 1.995)])
def test_shock_by_the_trapezoidal_rule_has_the_peak_of_a_separate_program(n, peak):
    # [UPV Newmark, §9.3] says about 2 m/s; recomputed at 1 ms with the first mass led, to these digits
    scene = shock_chain_of(n)
    run = finished(scene, "lagrange/trapezoidal/projection", 1e-3, 0.1)
    assert run.channel(f"body.m{n}.vel.x").max() == pytest.approx(peak, abs=6e-4)


def test_spatial_pendulum_without_a_push_is_the_plane_one():
    scene = set_value(shipped("spatial_pendulum"), "parameters.push", 0.0)
    run = finished(scene, "rk4", 1e-3, 4.0)
    # (1 + 0.4 r²) θ'' = −g cos θ from the horizontal
    length = 1.0 + 0.4 * 0.05**2
    done = solve_ivp(
        lambda t, y: (y[1], -G * np.cos(y[0]) / length),
        (0.0, 4.0),
        (0.0, 0.0),
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
        t_eval=run.t[::100],
    )
    assert_allclose(run.channel("body.bob.com.z")[::100], np.sin(done.y[0]), rtol=0.0, atol=1e-8)


def test_stance_foot_of_the_walking_model_stands():
    run = simulate(shipped("walking"))
    assert run.status is StepStatus.FINISHED
    toe = run.table([f"body.right foot.point.end.pos.{axis}" for axis in "xy"])
    # [Flores 2012]: of 0.957 s, the first 0.4 s are the swing, the rest stance
    swing, stance = run.t < 0.4, (run.t > 0.4) & (run.t < 0.957)
    assert np.ptp(toe[swing, 0]) == pytest.approx(0.84, abs=5e-3)
    # the made-up motion holds the toe; splines through 36 points leave a millimetre
    assert np.ptp(toe[stance], axis=0).max() < 2e-3
    assert toe[:, 1].min() > 0.015
    assert toe[-1, 0] - toe[0, 0] == pytest.approx(2 * 0.84, abs=1e-6)  # two strides


def test_issue_13_the_ground_carries_the_walking_model():
    run = simulate(shipped("walking"), duration=67 / 70)
    weight = 9.81 * sum(body.mass for body in run.mechanism.scene.bodies if not body.fixed)
    # theorem of momentum: with the right forces at the feet the guides of the trunk have nothing to push;
    # tables of 72 points leave a few hundredths of the weight
    for axis in "xy":
        assert np.abs(run.channel(f"motion.trunk {axis}.effort")).max() < 0.05 * weight


def test_gait_error_of_a_millimetre_decays_as_baumgarte_says():
    # [Flores 2012, eq. 191]: 1e-3 (1 + 5 t) e^(−5 t) = 4.833e-5 m at 0.957 s with α = β = 5. The thigh alone
    # is moved, so the difference of two runs shows that error and not the drift that both have
    mechanism = compile_scene(shipped("walking"))
    start, height = assemble(mechanism), 3 * mechanism.bodies.index("right thigh") + 1
    ends = []
    for offset in (0.0, 1e-3):
        method = find_method("lagrange/rk4/baumgarte")
        driver = Driver(mechanism, method, dt=0.957 / 660, options={"alpha": 5.0, "beta": 5.0})
        q = start.q.copy()
        q[height] += offset
        driver.start(0.0, q, start.v, start.angles)
        buffer = np.zeros((2000, driver.width))
        while driver.t < 0.957 - 1e-9:
            assert not driver.advance(0.957, buffer)[0].failed
        ends.append(driver.sample()[driver.layout.q][height])
    assert ends[1] - ends[0] == pytest.approx(4.833e-5, rel=1e-3)


def test_the_four_bar_turns_as_its_torque_and_weight_say():
    # [Urkullu 2019, §8.4]; φ from the upright: (5/6) m L² φ'² = τ φ + 2 m g L (1 − cos φ)
    run = finished(shipped("four_bar_torque"), "rk4", 1e-3, 5.0)
    turned = -run.channel("joint.A0.angle")
    square = 1.2 * (5.0 * turned + 2 * 9.81 * (1 - np.cos(turned)))
    assert turned[-1] > 4 * np.pi  # through singular configurations
    assert_allclose(run.channel("body.crank1.omega.z") ** 2, square, rtol=1e-4, atol=1e-6)


def test_the_slider_crank_is_that_of_its_angle_and_its_reactions_are_newtons():
    # [Urkullu 2019, §8.8]: I(θ) θ'' + I'(θ) θ'²/2 = τ − V'(θ), with r = 0.4 m, l = 1 m, all masses 1 kg
    run = finished(shipped("slider_crank_torque"), "rk4", 5e-4, 2.0)

    def inertia(angle):
        slope = 0.4 * np.cos(angle) / np.sqrt(1 - (0.4 * np.sin(angle)) ** 2)  # of the rod, over θ'
        slider = -0.4 * np.sin(angle) * (1 + slope)
        rod = (-0.4 * np.sin(angle) * (1 + slope / 2)) ** 2 + (0.2 * np.cos(angle)) ** 2
        return 0.4**2 / 3 + rod + slope**2 / 12 + slider**2

    def rate(t, y):
        change = (inertia(y[0] + 1e-5) - inertia(y[0] - 1e-5)) / 2e-5
        load = 3.0 - 9.81 * 0.4 * np.cos(y[0])  # crank and rod: half the height of P2 each
        return y[1], (load - 0.5 * change * y[1] ** 2) / inertia(y[0])

    at = run.t[::200]
    done = solve_ivp(rate, (0.0, 2.0), (-np.pi / 2, 0.0), method="DOP853", rtol=1e-11, atol=1e-12, t_eval=at)
    assert_allclose(run.channel("body.crank.angle")[::200], done.y[0], rtol=0.0, atol=1e-6)
    # the rod alone moves the slider along x; its guide takes what weight and rod leave across it
    push, moved = run.channel("joint.P3.reaction.fx"), run.channel("body.slider.com.acc.x")
    assert_allclose(push, moved, rtol=0.0, atol=1e-9)
    across = run.channel("joint.P3.reaction.fy") + run.channel("joint.guide.reaction.fy")
    assert_allclose(across, 9.81, rtol=0.0, atol=1e-9)


def test_the_ball_bounces_as_its_law_says_and_comes_back_from_the_slider():
    # [Flores 2012, fig. 46]: it falls by 0.3 m on k δ^1.5 (1 + χ δ'), χ = 8 (1 − e)/(5 e v) [Flores 2011]
    run = finished(shipped("striking_ball"), "rk4", 2e-4, 1.6)
    touches, leaves = [event.t for event in run.events if event.element == "floor"][:2]

    def rate(t, y):  # depth δ and its rate
        push = 1e5 * max(y[0], 0.0) ** 1.5 * (1 + 8 * 0.3 / (5 * 0.7) * y[1])
        return y[1], 9.81 - push / 0.3

    speed = np.sqrt(2 * 9.81 * 0.3)
    done = solve_ivp(rate, (0.0, leaves - touches), (0.0, speed), method="DOP853", rtol=1e-10, atol=1e-12)
    assert touches == pytest.approx(speed / 9.81, abs=1e-6)
    at = np.searchsorted(run.t, leaves)
    assert run.channel("body.ball.com.vel.y")[at] == pytest.approx(
        -done.y[1, -1] - 9.81 * (run.t[at] - leaves), abs=1e-3
    )
    hit, left = [event.t for event in run.events if event.element == "blow"][:2]
    away = run.channel("body.ball.com.vel.x") - run.channel("body.slider.com.vel.x")
    assert away[np.searchsorted(run.t, hit) - 1] < -0.1
    assert away[np.searchsorted(run.t, left)] > 0.1
