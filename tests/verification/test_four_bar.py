"""Planar four-bar of our own: phase, drift and energy at 1 ms over 10 s.

The energy is 4 mJ short of a full turn, so that the phase at 10 s magnifies every energy error.
"""

import numpy as np
import pytest

from engine import Trajectory
from tests.verification import references as ref
from tests.verification.runs import energy_error, shipped_run

# h = 1 ms, 10 s: scheme, gains, max |Φ| [m], max |Φ'| [m/s], max |E − E0| [J], from the table; met within a
# factor of two, since norms over rows differ (largest row here)
TABLE = [
    ("rk2", None, 9.8e-6, 8.0e-5, 2.7e-4),
    ("rk4", None, 1.32e-6, 2.65e-7, 6.6e-6),
    ("rk4", 5.0, 1.87e-9, 1.90e-8, 3.0e-7),
    ("rk4", 20.0, 5.8e-10, 1.74e-8, 5.8e-8),
    ("rk4", 100.0, 6.0e-9, 8.1e-7, 2.3e-7),
]


def run_with(scheme: str, gain: float | None) -> Trajectory:
    if gain is None:
        return shipped_run("four_bar", f"lagrange/{scheme}/none", 1e-3, 10.0)
    options = (("alpha", gain), ("beta", gain))
    return shipped_run("four_bar", f"lagrange/{scheme}/baumgarte", 1e-3, 10.0, options)


@pytest.mark.parametrize(("scheme", "gain", "position", "velocity", "energy"), TABLE)
def test_drift_and_energy_are_those_of_the_table(scheme, gain, position, velocity, energy):
    run = run_with(scheme, gain)
    for found, wanted in (
        (run.channel("violation.position").max(), position),
        (run.channel("violation.velocity").max(), velocity),
        (energy_error(run), energy),
    ):
        assert wanted / 2 < found < 2 * wanted


def test_crank_angle_is_that_of_one_coordinate():
    # φ1 and its rate, recomputed with the one coordinate φ1 and DOP853 at 1e-12
    run = shipped_run("four_bar", "rk4", 1e-3, 10.0)
    angle, rate = run.channel("body.crank.angle"), run.channel("body.crank.omega.z")
    expected = {0.5: (5.699818839, 11.243406392), 1.0: (7.317228355, -3.727307212),
                 2.0: (2.580723817, 9.927981559), 5.0: (1.573664983, -0.253256200),
                 10.0: (1.582365131, -0.514818199)}  # fmt: skip
    for t, (phi, phi_dot) in expected.items():
        i = round(t / 1e-3)
        assert angle[i] == pytest.approx(phi, abs=2e-6)
        assert rate[i] == pytest.approx(phi_dot, abs=4e-5)  # φ'' is up to 20 times φ's error per second


def test_crank_angle_at_a_quarter_of_the_step():
    run = shipped_run("four_bar", "rk4", 2.5e-4, 10.0)
    assert run.channel("body.crank.angle")[-1] == pytest.approx(1.582365131, abs=2e-9)


def test_crank_angle_converges_to_the_reference():
    # RK4: half the step leaves a sixteenth of the error, 1/14 with the next term of the expansion
    errors = []
    for dt in (1e-3, 5e-4):
        run = shipped_run("four_bar", "rk4", dt, 10.0)
        every = slice(None, None, round(0.5 / dt))
        phi, _ = ref.four_bar_angle(run.t[every])
        errors.append(np.abs(run.channel("body.crank.angle")[every] - phi).max())
    assert errors[1] < errors[0] / 14


def test_schemes_rank_by_order():
    errors = [energy_error(shipped_run("four_bar", scheme, 1e-3, 2.0)) for scheme in ("euler", "rk2", "rk4")]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
