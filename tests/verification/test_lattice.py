"""A block of particles and springs (`scenes/generators/lattice.py`): speed of a wave, energy, linear cost."""

import numpy as np
import pytest

from engine import simulate
from engine.compiled.layout import StepStatus
from scenes.generators.lattice import MASS, SPACING, STIFFNESS, lattice

SPEED = SPACING * np.sqrt(STIFFNESS / MASS)  # of long waves along the edges: c = a √(k/m)


def run_of(nx: int, ny: int, nz: int):
    run = simulate(lattice(nx, ny, nz))
    assert run.status is StepStatus.FINISHED, run.message
    return run


def measured_speed(run, nx: int, ny: int, nz: int) -> float:
    """Speed of the centre of the bump in the middle column."""
    rest = SPACING * np.arange(nx)
    column = [f"body.p{i}_{ny // 2}_{nz // 2}.pos.x" for i in range(nx)]
    shift = run.table(column) - rest
    weight = np.maximum(shift - 0.3 * shift.max(axis=1, keepdims=True), 0.0)
    centre = (weight * rest).sum(axis=1) / weight.sum(axis=1)
    return float(np.polyfit(run.t, centre, 1)[0])


def test_wave_runs_with_the_speed_of_theory():
    # half width w = 6 spacings: the pulse holds waves of κ ≤ π/w, which lag by (κ a)²/8 ≈ 3 % at most and
    # by 1 % on the average
    run = run_of(60, 3, 3)
    assert measured_speed(run, 60, 3, 3) == pytest.approx(SPEED, rel=0.02)
    # RK4 takes (ω h)⁶/72 of the energy per step: 1e-6 at the highest frequency, 200 1/s, and next to nothing
    # at that of the pulse
    energy = run.table(["energy.error", "energy.kinetic"])
    assert np.abs(energy[:, 0]).max() < 1e-5 * energy[0, 1]


@pytest.mark.soak
def test_eight_thousand_particles_cost_what_their_number_says():
    small, large = run_of(40, 7, 7), run_of(80, 10, 10)
    assert len(large.mechanism.bodies) == 8000
    assert measured_speed(large, 80, 10, 10) == pytest.approx(SPEED, rel=0.02)
    # a wave needs longer through a longer block: time per step and particle
    cost = [run.wall_time / len(run.mechanism.bodies) / len(run.t) for run in (small, large)]
    print("per particle and step:", *(f"{1e6 * each:.3f} µs" for each in cost))  # noqa: T201
    # four times the particles: the same time each, but for the caches of the machine
    assert cost[1] < 1.5 * cost[0]


def test_free_systems_have_all_their_freedoms():
    run = simulate(lattice(8, 4, 4), duration=0.0)
    assert run.summary()["dof"] == 6 * 128
