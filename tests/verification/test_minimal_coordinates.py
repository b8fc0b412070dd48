"""Newmark and central differences in minimal coordinates, beside the same rules on equations written by hand.

The reference integrates the equations of one or two angles, without bodies or constraints
(`references/minimal_coordinates.py`); the method has to find the same numbers to rounding.
"""

import math

import numpy as np
import pytest

from engine import SceneError, set_value, simulate
from engine.compiled.layout import Array
from engine.solvers.direct.newmark_rule import FOX_GOODWIN, LINEAR_ACCELERATION, TRAPEZOIDAL
from tests.verification.references.minimal_coordinates import newmark
from tests.verification.runs import at_end, energy_error, finished, shipped, tight

METHOD = "newmark_minimal"
RULES = {
    METHOD: TRAPEZOIDAL,
    f"{METHOD}/linear_acceleration": LINEAR_ACCELERATION,
    f"{METHOD}/fox_goodwin": FOX_GOODWIN,
    f"{METHOD}/central_differences": {"beta": 0.0, "gamma": 0.5},
}
G, L1, L2, M1, M2 = 9.81, 1.0, 0.8, 1.0, 0.8  # of the double pendulum, which begins level and at 60°


def pendulum(t: float, x: Array, v: Array) -> Array:
    """θ'' of a point mass on a rod of 1 m that begins level, on the left."""
    return G * np.cos(x)


def double_pendulum(t: float, z: Array, rate: Array) -> Array:
    """The two joint angles of two uniform bars, by the equations of their angles from the x axis."""
    f1, f2, w1, w2 = z[0], z[0] + z[1], rate[0], rate[0] + rate[1]
    pull, turn = 0.5 * M2 * L1 * L2 * math.sin(f1 - f2), 0.5 * M2 * L1 * L2 * math.cos(f1 - f2)
    mass = np.array([[(M1 / 3 + M2) * L1**2, turn], [turn, M2 * L2**2 / 3]])
    first = -pull * w2**2 - (0.5 * M1 + M2) * G * L1 * math.cos(f1)
    second = pull * w1**2 - 0.5 * M2 * G * L2 * math.cos(f2)
    a1, a2 = np.linalg.solve(mass, [first, second])
    return np.array([a1, a2 - a1])


@pytest.mark.parametrize("method", RULES)
def test_the_pendulum_is_that_of_its_angle(method: str) -> None:
    run = finished(shipped("pendulum"), method, 0.02, 4.0)
    path = newmark(pendulum, np.zeros(1), np.zeros(1), h=0.02, steps=200, **RULES[method])
    np.testing.assert_allclose(run.channel("joint.O.angle"), path[:, 0, 0], atol=1e-9)
    np.testing.assert_allclose(run.channel("joint.O.speed"), path[:, 1, 0], atol=1e-9)


@pytest.mark.parametrize("method", RULES)
def test_the_double_pendulum_is_that_of_two_angles(method: str) -> None:
    """Forces that depend on velocities are taken at the end of the step, implicitly, in all rules."""
    run = finished(shipped("double_pendulum"), method, 0.01, 1.0)
    begin = np.array([0.0, math.pi / 3])
    path = newmark(double_pendulum, begin, np.zeros(2), h=0.01, steps=100, **RULES[method])
    for k, joint in enumerate("AB"):
        turned = path[:, 0, k] - begin[k]
        np.testing.assert_allclose(run.channel(f"joint.{joint}.angle"), turned, atol=2e-9)


def test_sliding_masses_move_as_an_oscillator() -> None:
    """Prismatic joints: x″ + x = sin(t/100) by central differences at 0.5 s, summed by hand."""
    run = finished(shipped("forced_oscillator"), f"{METHOD}/central_differences", 0.5, 50.0)
    x, v = 0.0, 0.01 / (1 - 0.01**2)
    previous, path = x - 0.5 * v, [x]  # x″(0) = 0, so that x(−h) = −h v
    for k in range(100):
        previous, x = x, 2 * x - previous + 0.25 * (math.sin(0.005 * k) - x)
        path.append(x)
    np.testing.assert_allclose(run.channel("joint.guide.displacement"), path, atol=1e-12)


@pytest.mark.parametrize(("rule", "limit"), [("central_differences", 0.638876), ("fox_goodwin", 0.78246)])
def test_printed_step_limits(rule: str, limit: float) -> None:
    """[UPV Newmark, §6.2]: 2/ω and √6/ω of the stiff pendulum, whose torque alone bends it by 0.01 rad."""

    def swing(dt: float) -> float:
        run = finished(shipped("stiff_pendulum"), f"{METHOD}/{rule}", dt, 1000 * dt)
        return float(np.abs(run.channel("joint.O.angle")).max())

    assert swing(0.998 * limit) < 0.025
    assert swing(1.002 * limit) > 0.05


def test_printed_energy_of_the_pendulum_by_central_differences() -> None:
    """[UPV Newmark, table 9.5], α = 1: 2.00492e-5 J at 1 ms and 2.00492e-7 J at 0.1 ms."""
    for dt, printed in ((1e-3, 2.00492e-5), (1e-4, 2.00492e-7)):
        run = finished(shipped("pendulum"), f"{METHOD}/central_differences", dt, 2.0)
        assert energy_error(run) == pytest.approx(printed, rel=2e-4)


def test_fox_goodwin_is_of_order_four_from_rest() -> None:
    """As Numerov's rule; in the null space of the constraints it is of order two [UPV Newmark, table 8.3]."""
    exact = tight(shipped("pendulum"), 2.0).channel("joint.O.angle")[-1]
    errors = [
        abs(
            finished(shipped("pendulum"), f"{METHOD}/fox_goodwin", dt, 2.0).channel("joint.O.angle")[-1]
            - exact
        )
        for dt in (0.02, 0.01)
    ]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.1)


@pytest.mark.parametrize("method", [METHOD, f"{METHOD}/central_differences"])
@pytest.mark.parametrize("scene", ["four_bar", "spatial_slider_crank", "spinning_top"])
def test_order_two_in_closed_loops_and_of_bodies_without_joint_coordinates(scene: str, method: str) -> None:
    """The top stands on a ball joint: moves since the last step, exact until it is pushed."""
    duration = 0.7 if scene == "spinning_top" else 0.4
    exact = at_end(tight(shipped(scene), duration, dt=duration / 20))
    found = [at_end(finished(shipped(scene), method, dt, duration)) for dt in (1e-3, 5e-4)]
    for level in range(2):  # q and v
        first, second = (float(np.linalg.norm(states[level] - exact[level])) for states in found)
        assert math.log2(first / second) == pytest.approx(2.0, abs=0.15)


@pytest.mark.parametrize("method", [METHOD, f"{METHOD}/central_differences"])
def test_unequal_steps_keep_the_order(method: str) -> None:
    """Steps chosen by the tolerance: the error follows it, joints stay closed."""
    scene, errors = shipped("double_pendulum"), []
    exact = at_end(tight(scene, 1.0))
    for tolerance in (1e-4, 1e-6):
        run = finished(scene, method, 0.05, 1.0, step_control=1.0, rtol=tolerance, atol=tolerance)
        assert np.ptp(run.channel("method.step")[1:]) > 0.0
        assert run.channel("violation.position").max() < 1e-9
        errors.append(float(np.abs(at_end(run)[0] - exact[0]).max()))
    assert 20.0 < errors[0] / errors[1] < 500.0


def test_reactions_are_those_of_multipliers() -> None:
    exact = at_end(tight(shipped("four_bar"), 0.3))[2]
    found = at_end(finished(shipped("four_bar"), METHOD, 1e-4, 0.3))[2]
    np.testing.assert_allclose(found, exact, rtol=1e-5, atol=1e-5)


def test_a_chain_of_many_bodies_runs() -> None:
    """Beyond the size to which other null-space matrices are dense; the energy of its fall is kept."""
    run = finished(shipped("tether"), METHOD, 2e-3, 0.02)
    assert run.channel("violation.position").max() < 1e-9


def test_rolling_is_refused_with_the_reason() -> None:
    with pytest.raises(SceneError, match="more positions than minimal coordinates"):
        simulate(shipped("bicycle"), method=METHOD)


def test_closed_loops_are_refused_where_they_are_singular() -> None:
    with pytest.raises(SceneError, match="no choice of coordinates serves there"):
        simulate(shipped("slider_crank"), method=METHOD, duration=1.0)


def test_body_velocities_can_be_chosen() -> None:
    scene = set_value(shipped("double_pendulum"), "simulation.duration", 0.2)
    exact = at_end(tight(scene, 0.2))[0]
    run = finished(scene, METHOD, 1e-3, 0.2, independent=1.0)
    np.testing.assert_allclose(at_end(run)[0], exact, atol=1e-4)
