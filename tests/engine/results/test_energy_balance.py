"""Kinetic + potential − start − work + dissipated − edits = 0, whatever acts on the mechanism."""

import numpy as np
import pytest

from engine import simulate
from tests.engine.simulation.scenes import damped_arm, driven_crank, rod_pendulum, shipped


def coupled():
    """Two rods on hinges, coupled by a relation that follows a function of time: a joint that does work."""
    return (
        rod_pendulum()
        .with_body("other", position=[2.0, 0.0], mass=1.0, com=[0.4, 0.0], inertia=[0.1])
        .with_joint("revolute", "pin", a={"body": "world", "point": [2.0, 0.0]}, b={"body": "other"})
        .with_joint(
            "coupler",
            "relation",
            value="0.3*sin(5*t)",
            terms=[
                {"joint": "hinge", "coordinate": "angle"},
                {"joint": "pin", "coordinate": "angle", "factor": -2.0},
            ],
        )
        .with_simulation(method="dopri5", options={"rtol": 1e-10, "atol": 1e-12}, dt=0.005, duration=1.0)
    )


@pytest.mark.parametrize("scene", [damped_arm, driven_crank, coupled])
def test_balance_closes_to_the_tolerance_of_the_integration(scene):
    run = simulate(scene())
    exchanged = max(
        np.abs(run.channel(f"energy.{k}")).max() for k in ("kinetic", "work", "dissipated", "potential")
    )
    assert exchanged > 1.0
    # relative tolerance 1e-10 per step, some hundred steps
    assert np.abs(run.channel("energy.error")).max() < 1e-8 * exchanged


@pytest.mark.parametrize(
    "name", ["cardan_shaft", "pantograph", "stewart_platform", "spinning_top", "andrews"]
)
def test_balance_closes_in_shipped_scenes(name):
    scene = shipped(name)
    run = simulate(scene, duration=min(0.2, scene.simulation.duration))
    scale = max(np.ptp(run.channel("energy.kinetic")), np.ptp(run.channel("energy.potential")), 1e-3)
    assert np.abs(run.channel("energy.error")).max() < 1e-6 * scale


def test_balance_improves_with_the_order_of_the_method():
    errors = [
        np.abs(simulate(driven_crank(), method="rk4", dt=dt).channel("energy.error")).max()
        for dt in (0.01, 0.005)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.6)
