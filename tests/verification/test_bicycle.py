"""Uncontrolled bicycle: manoeuvres of the benchmark [Meijaard 2007], [Urkullu 2019, §8.12]."""

import numpy as np
import pytest
from scipy.linalg import expm

from engine import Trajectory, set_value
from tests.verification.runs import G, finished, shipped


def manoeuvre(speed: float, roll_rate: float) -> Trajectory:
    scene = set_value(
        set_value(shipped("bicycle"), "parameters.v0", speed), "parameters.roll_rate", roll_rate
    )
    return finished(scene, "rk4", 1e-3, 20.0)


def lean(run: Trajectory) -> np.ndarray:
    """Angle of the frame's plane from the vertical, from the height of its normal (the axle) in the world."""
    return np.arcsin(_axle_height(run))


def _axle_height(run: Trajectory) -> np.ndarray:
    w, x, y, z = (run.channel(f"body.frame.quat.{k}") for k in "wxyz")
    return 2.0 * (y * z + w * x)  # world z of the body's y axis


def test_manoeuvre_2_keeps_its_energy_and_stands_up():
    run = manoeuvre(4.6, 0.5)
    energy = run.channel("energy.total")
    assert 100 * (energy.max() - energy.min()) / energy[0] < 1e-3
    angle = np.abs(lean(run))
    early, late = run.t < 5.0, run.t > 15.0
    assert angle[late].max() < 0.1 * angle[early].max()


def test_manoeuvre_1_grows():
    angle = np.abs(lean(run := manoeuvre(4.0, 0.05)))
    assert angle[run.t > 15.0].max() == pytest.approx(0.19, rel=0.3)  # published: about ±0.19 rad by 20 s
    assert angle[run.t > 15.0].max() > 2 * angle[run.t < 5.0].max()


def linear_lean(speed: float, roll_rate: float, t: float) -> float:
    """Lean of the linearised bicycle, M q'' + v C1 q' + (g K0 + v² K2) q = 0, q = (lean, steer).

    Matrices: [Meijaard 2007, eqs. A 21 to A 24].
    """
    M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
    K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
    K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
    C1 = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
    stiffness = np.linalg.solve(M, G * K0 + speed**2 * K2)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-stiffness, -np.linalg.solve(M, speed * C1)]])
    return float((expm(A * t) @ [0.0, 0.0, roll_rate, 0.0])[0])


def test_manoeuvre_3_capsizes_slowly():
    # The linear answer is right to the share lean² of itself. A separate solution by central differences,
    # recomputed and not printed anywhere, lags behind it by 0.9 % at 20 s.
    run = manoeuvre(8.0, 0.05)
    angle = lean(run)
    for t, recomputed in ((5.0, 0.0062), (10.0, 0.0127), (15.0, 0.0259), (20.0, 0.0529)):
        found, exact = abs(angle[np.argmin(np.abs(run.t - t))]), abs(linear_lean(8.0, 0.05, t))
        assert found == pytest.approx(exact, rel=max(exact**2, 1e-4))
        assert found == pytest.approx(recomputed, rel=0.01)


@pytest.mark.parametrize("speed", [4.0, 4.6])
def test_small_leans_are_those_of_the_linear_bicycle(speed):
    scene = set_value(set_value(shipped("bicycle"), "parameters.v0", speed), "parameters.roll_rate", 1e-3)
    run = finished(scene, "rk4", 1e-3, 3.0)
    wanted = [linear_lean(speed, 1e-3, t) for t in run.t[::250]]
    # leans of 1e-3 rad or less: the neglected terms are of third order, 1e-6 of it
    assert np.abs(np.abs(lean(run)[::250]) - np.abs(wanted)).max() < 1e-8
