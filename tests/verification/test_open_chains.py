"""Independent coordinates on open chains are as accurate as multipliers with projection.

Energy is conserved; the motion of the chain of five bars is that of multipliers, which other tests tie to
minimal coordinates.
"""

import numpy as np
import pytest

from engine.compiled.columns import sizes as SIZE
from engine.simulation.simulation import Simulation
from tests.verification.runs import energy_error, shipped, shipped_run

FORMULATIONS = ("partitioning", "independent_coordinates", "independent_velocities")
# steps and durations at which the error of the scheme, not rounding, is seen
CHAINS = {
    "pendulum": (0.01, 4.0),
    "double_pendulum": (0.005, 4.0),
    "five_bar_pendulum": (0.01, 10.0),
    "spatial_pendulum": (0.01, 4.0),
    "tether": (0.002, 1.0),
}


@pytest.mark.parametrize("scene", CHAINS)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_energy_as_with_multipliers(formulation: str, scene: str) -> None:
    yardstick = shipped_run(scene, "lagrange/rk4/projection", *CHAINS[scene])
    run = shipped_run(scene, f"{formulation}/rk4/none", *CHAINS[scene])
    assert energy_error(run) < 2.0 * energy_error(yardstick)


@pytest.mark.parametrize("dt", [1e-3, 1e-4])  # at 0.1 ms a joint open by a thousand millionth shows
@pytest.mark.parametrize("formulation", FORMULATIONS[1:])
def test_a_fast_top_keeps_its_energy_as_with_multipliers(formulation: str, dt: float) -> None:
    yardstick = shipped_run("spinning_top", "lagrange/rk4/projection", dt, 1.0)
    run = shipped_run("spinning_top", f"{formulation}/rk4/none", dt, 1.0)
    assert energy_error(run) < 2.0 * energy_error(yardstick)
    assert np.allclose(
        run.channel("body.top.com.x"), yardstick.channel("body.top.com.x"), rtol=0.0, atol=2e-5
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_five_bars_move_as_with_multipliers(formulation: str) -> None:
    wanted = shipped_run("five_bar_pendulum", "lagrange/rk4/projection", 1e-3, 2.0)
    run = shipped_run("five_bar_pendulum", f"{formulation}/rk4/none", 1e-3, 2.0)
    for axis in "xyz":
        name = f"body.rod5.point.P5.pos.{axis}"
        assert run.channel(name) == pytest.approx(wanted.channel(name), abs=1e-6)


def test_all_joint_coordinates_of_a_chain_stay_independent() -> None:
    """Whatever the pose: the choice stands in y behind the independent velocities."""
    run = Simulation(shipped("five_bar_pendulum"), method="independent_velocities/rk4/none", dt=0.01)
    sizes = run.driver.system.sizes
    choice = slice(
        int(sizes[SIZE.NQ] + sizes[SIZE.NV]), int(sizes[SIZE.NQ] + 2 * sizes[SIZE.NV] - sizes[SIZE.RANK])
    )
    for t in (0.0, 2.0, 4.0, 6.0):
        while run.t < t:
            run.advance(t)
        assert run.driver.y[choice] == pytest.approx(np.arange(5))


def test_independent_velocities_of_a_chain_are_joint_speeds() -> None:
    run = Simulation(shipped("five_bar_pendulum"), method="independent_velocities/rk4/none", dt=0.01)
    while run.t < 1.0:
        run.advance(1.0)
    nq = int(run.mechanism.system.sizes[SIZE.NQ])
    evaluation = run.channels.evaluation(run.sample[None])
    speeds = run.channels.table([f"joint.P{k}.speed" for k in range(5)], [evaluation])[0]
    assert run.driver.y[nq : nq + 5] == pytest.approx(speeds, abs=1e-10)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_velocities_of_bodies_can_be_asked_for(formulation: str) -> None:
    """Compared with a fresh choice they serve as well, as long as they are changed in time."""
    run = shipped_run("double_pendulum", f"{formulation}/rk4/none", 1e-3, 2.0, (("independent", 1.0),))
    assert energy_error(run) < 1e-8
