"""The reference solutions themselves: published values, conservation laws and second formulations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from tests.verification import references as ref

ONE_FREEDOM = {
    "pendulum": (ref.PENDULUM, np.pi, 0.0, 10.0),
    "double four-bar": (ref.n_four_bar(2), np.pi / 2, -1.0, 10.0),
    "forty four-bars": (ref.n_four_bar(40), np.pi / 2, -1.0, 10.0),
    "four-bar": (ref.FOUR_BAR, np.pi / 2, 0.0, 5.0),
    "slider-crank": (ref.SLIDER_CRANK, np.pi / 4, 2 * np.sqrt(2), 10.0),
    "spatial slider-crank": (ref.SpatialSliderCrank().freedom(), 0.0, 6.0, 5.0),
}


@pytest.mark.parametrize("name", ONE_FREEDOM)
def test_energy_of_one_freedom_is_conserved(name):
    freedom, q, q_dot, duration = ONE_FREEDOM[name]
    start = freedom.energy(q, q_dot)
    states = freedom.motion(np.linspace(0.0, duration, 11), q, q_dot)
    assert_allclose(freedom.energy(*states), start, rtol=0.0, atol=2e-12 * max(1.0, abs(start)))


@pytest.mark.parametrize("name", ONE_FREEDOM)
def test_acceleration_keeps_the_energy(name):
    # dE/dt = q̇ (m q̈ + m' q̇²/2 + V') = 0 along the motion, by central differences in time
    freedom, q, q_dot, _ = ONE_FREEDOM[name]
    q, q_dot, h = q + 0.37, q_dot + 0.71, 1e-5
    acceleration = freedom.acceleration(q, q_dot)
    after = freedom.energy(q + h * q_dot + h * h / 2 * acceleration, q_dot + h * acceleration)
    before = freedom.energy(q - h * q_dot + h * h / 2 * acceleration, q_dot - h * acceleration)
    assert (after - before) / (2 * h) == pytest.approx(0.0, abs=1e-6 * abs(freedom.energy(q, q_dot)))


def test_pendulum_matches_the_published_values():
    found = np.array(ref.pendulum_mass([1.0, 10.0])).T
    wanted = [
        [0.986291751132, -0.165010853126, 0.296905515916, 1.774643641113],
        [-0.275087462576, -0.961419205099, 4.175598100951, -1.194749054562],
    ]
    assert_allclose(found, wanted, rtol=0.0, atol=1e-11)


def test_double_four_bar_matches_the_published_values():
    found = np.array(ref.n_four_bar_point([1.0, 10.0])).T
    wanted = [
        [-0.195020301950, -0.980799205662, -6.676678036881, 1.327578325162],
        [0.328458111533, 0.944518538181, 1.423051470189, -0.494868845467],
    ]
    assert_allclose(found, wanted, rtol=0.0, atol=5e-11)


@pytest.mark.parametrize(("n", "energy"), [(2, 35.835), (40, 620.338333)])
def test_n_four_bar_start_energy(n, energy):
    assert ref.n_four_bar(n).energy(np.pi / 2, -1.0) == pytest.approx(energy, abs=1e-6)


@pytest.mark.parametrize(
    ("angle", "coupler", "rocker", "coupler_rate", "rocker_rate"),
    [
        (0, 48.189685104, 96.379370208, -2.094395102, -2.094395102),
        (60, 32.204227504, 92.204227504, -0.966643893, 1.127751209),
        (120, 29.309571237, 109.715503011, 0.284421801, 2.123950101),
        (180, 36.869897646, 126.869897646, 1.256637061, 1.256637061),
        (240, 51.096360536, 131.502292309, 1.510774001, -0.328754299),
        (300, 60.0, 120.0, 0.0, -2.094395102),
    ],
)
def test_four_bar_kinematics_match_the_table(angle, coupler, rocker, coupler_rate, rocker_rate):
    phi2, phi3, slope2, slope3 = ref.four_bar_loop(np.radians(angle))
    assert_allclose(np.degrees([phi2, phi3]), [coupler, rocker], rtol=0.0, atol=1e-9)
    assert_allclose(
        [2 * np.pi * slope2, 2 * np.pi * slope3], [coupler_rate, rocker_rate], rtol=0.0, atol=1e-9
    )


def test_four_bar_slopes_are_the_derivatives_of_the_angles():
    phi2, phi3, slope2, slope3 = ref.four_bar_loop(0.83 + 1e-30j)
    assert_allclose([phi2.imag / 1e-30, phi3.imag / 1e-30], [slope2.real, slope3.real], rtol=1e-13)


def test_four_bar_free_motion_matches_the_table():
    # the table was made at rtol 1e-12; the motion passes near an unstable equilibrium, hence 1e-8
    wanted = [
        [5.699818839, 11.243406392],
        [7.317228355, -3.727307212],
        [2.580723817, 9.927981559],
        [1.573664983, -0.253256200],
        [1.582365131, -0.514818199],
    ]
    found = np.array(ref.four_bar_angle([0.5, 1.0, 2.0, 5.0, 10.0])).T
    assert_allclose(found, wanted, rtol=0.0, atol=1.1e-8)
    assert_allclose(found[:, 0], np.array(wanted)[:, 0], rtol=0.0, atol=6e-10)


def test_four_bar_start_matches_the_table():
    assert ref.FOUR_BAR.energy(np.pi / 2, 0.0) == pytest.approx(1.26024983838, abs=1e-11)
    assert ref.FOUR_BAR.acceleration(np.pi / 2, 0.0) == pytest.approx(11.0880904, abs=1e-7)


def test_double_pendulum_matches_published_angles():
    # unequal bars that are not slender; axis reading: angles from the x axis, started above the pivot
    bars = ref.DoublePendulum(m1=6.0, m2=10.0, L1=1.0, L2=1.5, I1=1.0, I2=1.6)
    wanted = [[-1.3070587185, -2.6766279263], [-9.2795310066, -10.3807530758], [-7.1356837008, -1.7850618307]]
    found = bars.motion([1.0, 3.0, 5.0], np.pi / 4, np.pi / 2)[:2].T
    assert_allclose(found, wanted, rtol=0.0, atol=5e-10)


def test_double_pendulum_conserves_energy():
    states = np.array(ref.double_pendulum_angles(np.linspace(0.0, 5.0, 11)))
    energies = ref.DoublePendulum().energy(*states)
    assert_allclose(energies, energies[0], rtol=0.0, atol=1e-11)


def test_slider_crank_starts_as_the_benchmark_says():
    position, velocity = ref.slider_crank_slider(0.0)
    assert_allclose([position, velocity], [np.sqrt(2), -4.0], rtol=1e-15)


def test_slider_crank_mass_is_that_of_its_bars():
    # speeds of the two centres of mass by complex steps, bars turn at ±θ̇
    q = 0.9 + 1e-30j
    centres = [(0.5 * np.cos(q), 0.5 * np.sin(q)), (1.5 * np.cos(q), 0.5 * np.sin(q))]
    speeds = sum((x.imag / 1e-30) ** 2 + (y.imag / 1e-30) ** 2 for x, y in centres)
    assert ref.SLIDER_CRANK.mass(0.9) == pytest.approx(speeds + 2 / 12, rel=1e-14)


def test_spatial_slider_crank_starts_as_published():
    crank = ref.SpatialSliderCrank()
    x, x_t, u, w = crank.kinematics(0.0)
    assert_allclose([x, 6 * x_t], [0.2, 0.24], rtol=1e-14)
    assert_allclose(u, np.array([2.0, -1.0, -2.0]) / 3, rtol=1e-14)
    assert_allclose(6 * np.array(w), [1.92, -0.96, 0.48], rtol=1e-13)
    assert crank.freedom().energy(0.0, 6.0) == pytest.approx(0.76643568, abs=1e-14)


def test_spatial_slider_crank_turns_its_rod_with_the_arm_of_the_cross():
    # R = [u, b, u × b] with the arm b along e × u; ω = vee(R' Rᵀ) by complex steps
    theta = 1.234
    crank = ref.SpatialSliderCrank()
    _, _, u, _ = crank.kinematics(theta + 1e-30j)
    u = np.array(u)
    arm = np.cross([1.0, 0.0, 0.0], u)
    arm = arm / np.sqrt(arm @ arm)
    frame = np.column_stack([u, arm, np.cross(u, arm)])
    spin = (frame.imag / 1e-30) @ frame.real.T
    assert_allclose(crank.kinematics(theta)[3], [spin[2, 1], spin[0, 2], spin[1, 0]], rtol=1e-12)


def test_spatial_slider_crank_is_near_the_published_positions():
    # a published solution of unknown step: agrees to 0.05 mm, which no other reading of the inertia does
    published = np.array([0.211755, 0.289064, 0.228450, 0.188208, 0.240762])
    times = np.arange(1.0, 6.0)
    assert_allclose(ref.spatial_slider_crank_slider(times)[0], published, rtol=0.0, atol=5e-5)
    swapped = ref.SpatialSliderCrank(rod_inertia=(4e-3, 4e-4))
    assert np.max(np.abs(ref.spatial_slider_crank_slider(times, swapped)[0] - published)) > 0.01


def test_top_agrees_with_eulers_equations_and_a_rotation_matrix():
    inertia = np.array([ref.TOP_ACROSS, ref.TOP_ACROSS, ref.TOP_ALONG])
    height = np.array([0.0, 0.0, ref.TOP_HEIGHT])

    def rate(t, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        force = np.array([ref.top_push(t), 0.0, -ref.TOP_MASS * ref.GRAVITY])
        torque = np.cross(height, R.T @ force)
        turn = R @ np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        return np.concatenate([turn.ravel(), (torque - np.cross(w, inertia * w)) / inertia])

    start = np.concatenate([np.eye(3).ravel(), [0.0, 0.0, ref.TOP_SPIN]])
    done = solve_ivp(rate, (0.0, 1.0), start, method="DOP853", rtol=1e-12, atol=1e-13)
    assert_allclose(
        np.array(ref.top_centre(1.0)), done.y[:9, -1].reshape(3, 3) @ height, rtol=0.0, atol=1e-10
    )
    assert_allclose(ref.top_angular_velocity(1.0), done.y[9:, -1], rtol=0.0, atol=1e-6)


def test_top_conserves_energy_after_the_push():
    energies = [ref.top_energy(state) for state in ref.top_angles([1.6, 1.8, 2.0]).T]
    assert_allclose(energies, energies[0], rtol=1e-13)


def test_top_swings_within_the_published_angles():
    a, b, *_ = np.degrees(ref.top_angles(np.linspace(0.0, 2.0, 1001)))
    assert_allclose([a.min(), a.max(), b.min(), b.max()], [-7.74, 7.67, -8.16, 8.20], rtol=0.0, atol=0.05)


def test_governor_matches_the_published_heights():
    wanted = [0.5, 0.501421, 0.505909, 0.513246, 0.523223, 0.535563]
    wanted += [0.549929, 0.565938, 0.583178, 0.601218, 0.619623]
    states = ref.governor_state(np.arange(0.0, 11.0))
    assert_allclose(states[1], wanted, rtol=0.0, atol=6e-7)
    energies = ref.governor_energy(states)
    assert_allclose(energies, energies[0], rtol=0.0, atol=1e-9)


def test_governor_inertia_has_the_given_slope():
    inertia, slope = ref.governor_inertia(0.4 + 1e-30j)
    assert inertia.imag / 1e-30 == pytest.approx(slope.real, rel=1e-14)


@pytest.mark.parametrize("q", [ref.ANDREWS_START, ref.ANDREWS_POSITION], ids=["start", "end"])
def test_andrews_loops_are_closed(q):
    assert np.max(np.abs(ref.andrews_loops(q))) < 1e-15


def test_andrews_velocities_keep_the_loops_closed():
    # the test set's velocities come from an index-3 solution and are good to about ten digits
    rates = ref.andrews_loops(ref.ANDREWS_POSITION + 1e-30j * ref.ANDREWS_VELOCITY).imag / 1e-30
    assert np.max(np.abs(rates)) < 2e-9
    assert ref.andrews_body_rates(ref.ANDREWS_VELOCITY)[1] == pytest.approx(
        1139.920302151208 - 1424.379294994111
    )
