"""Determinism, and what a mechanism keeps when nothing acts from outside."""

import numpy as np
import pytest

from engine import Scene, simulate
from tests.verification.runs import energy_error, finished, shipped, tight

MASSES, INERTIAS = (1.3, 0.7), (0.11, 0.05)


@pytest.mark.parametrize("name", ["double_four_bar", "bricard", "bicycle", "pendulum"])
@pytest.mark.parametrize("method", ["rk4", "dopri5"])
def test_the_same_scene_twice_gives_equal_bits(name, method):
    first, second = (simulate(shipped(name), method=method, duration=0.3) for _ in range(2))
    assert first.samples.tobytes() == second.samples.tobytes()


def floating_pair() -> Scene:
    """Two hinged bars that float without gravity."""
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("one", mass=MASSES[0], com=[0.2, 0.05], inertia=[INERTIAS[0]], velocity=[0.2, 0.1],
                   angular_velocity=[0.0, 0.0, 1.5])
        .with_body("two", position=[0.6, 0.0], angle=0.7, mass=MASSES[1], com=[0.3, 0.0],
                   inertia=[INERTIAS[1]], velocity=[0.2, 1.0], angular_velocity=[0.0, 0.0, -2.0])
        .with_joint("revolute", "hinge", a={"body": "one", "point": [0.6, 0.0]},
                    b={"body": "two", "point": [0.0, 0.0]})
    )  # fmt: skip


def momenta(run) -> np.ndarray:
    """Linear momentum and angular momentum about the origin, shape (3, samples)."""
    total = np.zeros((3, len(run)))
    for body, mass, inertia in zip(("one", "two"), MASSES, INERTIAS, strict=True):
        x, y, vx, vy = (run.channel(f"body.{body}.com.{k}") for k in ("x", "y", "vel.x", "vel.y"))
        spin = run.channel(f"body.{body}.omega.z")
        total += np.array([mass * vx, mass * vy, mass * (x * vy - y * vx) + inertia * spin])
    return total


def test_floating_linkage_keeps_momentum_and_energy():
    run = tight(floating_pair(), 5.0)
    found = momenta(run)
    assert np.abs(found - found[:, :1]).max() < 1e-9
    assert energy_error(run) < 1e-9


def test_linear_momentum_is_kept_to_rounding_by_every_scheme():
    # internal forces cancel in pairs, whatever the scheme: M-orthogonal projections included
    for scheme in ("euler", "rk2", "rk4"):
        found = momenta(finished(floating_pair(), scheme, 1e-3, 1.0))[:2]
        assert np.abs(found - found[:, :1]).max() < 1e-11


@pytest.mark.parametrize("name", ["double_pendulum", "spatial_slider_crank", "bricard"])
def test_schemes_rank_by_order(name):
    euler, heun, classic = (
        energy_error(finished(shipped(name), s, 1e-3, 1.0)) for s in ("euler", "rk2", "rk4")
    )
    assert euler > 10 * heun > 100 * classic
