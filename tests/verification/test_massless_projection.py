"""Mechanisms with massless parts close after every step, however far the scheme strayed.

Their solver weighs the rows by penalties; with the factor of another pose these hide the masses, and a
correction led away from the constraints instead of back to them.
"""

import pytest

from tests.verification.runs import finished, shipped


@pytest.mark.parametrize(("scheme", "dt"), [("euler", 1e-3), ("rk2", 1e-2), ("ab4", 1e-3)])
@pytest.mark.parametrize("name", ["pendulum", "slider_crank"])
def test_far_strayed_positions_are_closed(name, scheme, dt):
    run = finished(shipped(name), f"lagrange/{scheme}/projection", dt, 1.0)
    assert abs(run.channel("violation.position")).max() < 1e-12
