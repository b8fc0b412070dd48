"""A shock in a bar of discrete masses, by the trapezoidal rule at 1 ms [UPV Newmark, §9.3]."""

import pytest

from scenes.generators.shock_chain import shock_chain_of
from tests.verification.runs import finished


@pytest.mark.parametrize(("masses", "velocity"), [(10, 1.956), (20, 2.020), (100, 1.995)])
def test_velocity_of_the_free_end(masses: int, velocity: float) -> None:
    run = finished(shock_chain_of(masses), "lagrange/trapezoidal/projection", 1e-3, 0.1)
    found = run.channel(f"body.m{masses}.vel.x")
    assert found.max() == pytest.approx(velocity, abs=5e-4)
    assert 0.081 < run.t[found.argmax()] < 0.087
