"""Bodies without joints: free fall, and the spin about the middle axis that turns over."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine import Scene
from tests.verification.runs import G, energy_error, finished, tight

INERTIA = np.array([0.3, 0.5, 0.7])
SPIN = np.array([0.01, 4.0, 0.02])


def tumbler() -> Scene:
    return Scene(gravity=(0.0, 0.0, 0.0)).with_body(
        "body", mass=2.0, inertia=list(INERTIA), angular_velocity=list(SPIN), velocity=[0.3, -0.2, 0.1]
    )


@pytest.mark.parametrize("scheme", ["rk2", "rk4"])
def test_free_fall_is_exact(scheme):
    # r = r0 + v0 t + g t²/2: schemes of order 2 and more integrate it without error
    scene = Scene().with_body(
        "stone", mass=1.5, inertia=[0.1, 0.2, 0.25], position=[1.0, 2.0, 3.0], velocity=[0.4, -0.5, 6.0]
    )
    run = finished(scene, f"lagrange/{scheme}/none", 0.01, 2.0)
    for axis, start, speed, pull in (("x", 1.0, 0.4, 0.0), ("y", 2.0, -0.5, 0.0), ("z", 3.0, 6.0, -G)):
        wanted = start + speed * run.t + pull * run.t**2 / 2
        assert run.channel(f"body.stone.pos.{axis}") == pytest.approx(wanted, abs=1e-12)


def test_spin_about_the_middle_axis_follows_eulers_equations():
    # I ω' = (I ω) × ω in body axes
    run = tight(tumbler(), 20.0, dt=0.1)
    exact = solve_ivp(
        lambda _, w: np.cross(INERTIA * w, w) / INERTIA,
        (0.0, 20.0),
        SPIN,
        "DOP853",
        run.t,
        rtol=3e-14,
        atol=1e-14,
    ).y
    layout = run.segments[0].channels.layout
    found = run.samples[:, layout.v][:, 3:6].T
    assert found[1].min() < -3.9  # it has turned over
    assert np.abs(found - exact).max() < 1e-8


def test_free_body_keeps_energy_and_momentum():
    run = tight(tumbler(), 20.0, dt=0.1)
    assert energy_error(run) < 1e-9
    layout = run.segments[0].channels.layout
    spin = run.samples[:, layout.v][:, 3:6]
    w, x, y, z = run.samples[:, layout.q][:, 3:7].T
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    momentum = np.einsum("ijt,tj->ti", R, spin * INERTIA)
    assert momentum == pytest.approx(np.tile(INERTIA * SPIN, (len(run), 1)), abs=1e-9)
    assert run.channel("body.body.vel.x") == pytest.approx(0.3, abs=1e-13)
