"""Uncontrolled bicycle: manoeuvres of the benchmark (seed-003 digest 4.11)."""

import numpy as np
import pytest

from engine import Trajectory, set_value
from tests.verification.runs import finished, shipped

EVERY = 2


def manoeuvre(speed: float, roll_rate: float) -> Trajectory:
    scene = set_value(set_value(shipped("bicycle"), "parameters.v0", speed), "parameters.roll_rate", roll_rate)
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


def test_manoeuvre_3_capsizes_slowly():
    run = manoeuvre(8.0, 0.05)
    found = [abs(lean(run)[np.argmin(np.abs(run.t - t))]) for t in (5.0, 10.0, 15.0, 20.0)]
    assert found == pytest.approx([0.0062, 0.0127, 0.0259, 0.0529], abs=6e-5)  # digits printed
