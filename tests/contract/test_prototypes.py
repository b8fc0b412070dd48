"""Other families run through the compiled interfaces: momenta, an implicit scheme, a direct method."""

import numpy as np
import pytest

from engine.solvers.catalogue import METHODS, compose, direct
from engine.solvers.formulations import FORMULATIONS
from engine.solvers.stabilisation import STABILISATIONS
from tests.contract.prototypes import leapfrog, trapezoidal
from tests.contract.runs import run

CANONICAL = METHODS["canonical/rk4/none"]
TIGHT = METHODS["lagrange/dopri5/projection"]
ROUNDING = 1e-10


def order(errors: list[float]) -> float:
    """Of errors at a step and at half of it."""
    return float(np.log2(errors[0] / errors[1]))


@pytest.mark.parametrize("scene", ["double_pendulum", "bricard"])
def test_canonical_equations(scene: str) -> None:
    """Momenta and σ with RK4: the same trajectory to the order of the scheme, planar and spatial."""
    reference = run(scene, TIGHT, 0.05, 0.5, rtol=1e-12, atol=1e-12)
    outcomes = [run(scene, CANONICAL, dt, 0.5) for dt in (0.01, 0.005)]
    errors = [float(np.abs(o.end() - reference.end()).max()) for o in outcomes]
    assert errors[1] < 1e-5
    assert order(errors) == pytest.approx(4.0, abs=0.3)
    assert outcomes[1].residual < ROUNDING


def test_implicit_scheme_on_accelerations() -> None:
    """An implicit rule needs nothing of a formulation but its rate."""
    method = compose(FORMULATIONS["lagrange"], trapezoidal.KIND, STABILISATIONS["projection"])
    reference = run("double_pendulum", TIGHT, 0.05, 0.5, rtol=1e-12, atol=1e-12)
    errors = [
        float(np.abs(run("double_pendulum", method, dt, 0.5).end() - reference.end()).max())
        for dt in (0.005, 0.0025)
    ]
    assert order(errors) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("scene", ["double_pendulum", "spatial_four_bar"])
def test_direct_method_of_one_file(scene: str) -> None:
    """Planar, and spatial with redundant rows: order two, equations of motion balanced at every sample."""
    reference = run(scene, TIGHT, 0.05, 0.5, rtol=1e-12, atol=1e-12)
    outcomes = [run(scene, direct(leapfrog.KIND), dt, 0.5) for dt in (0.002, 0.001)]
    errors = [float(np.abs(o.end() - reference.end()).max()) for o in outcomes]
    assert order(errors) == pytest.approx(2.0, abs=0.1)
    assert outcomes[1].residual < ROUNDING
