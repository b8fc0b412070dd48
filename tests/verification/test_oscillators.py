"""Springs and dampers in closed form: x(t) = e^(−δt) (a cos ω t + b sin ω t)."""

import numpy as np
import pytest

from engine import Scene
from tests.verification.runs import energy_error, finished, tight

STIFFNESS, DAMPING, MASS = 80.0, 1.2, 2.0


def weight() -> Scene:
    """A weight on rails, tied to the world by a spring; starts 0.1 m beyond the free length."""
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("weight", position=[1.1, 0.0], mass=MASS, inertia=[0.1])
        .with_joint("prismatic", "rail", a={"body": "world", "point": [1.1, 0.0]}, b={"body": "weight"})
        .with_force(
            "spring",
            "coil",
            a={"body": "world", "point": [0.0, 0.0]},
            b={"body": "weight", "point": [0.0, 0.0]},
            stiffness=STIFFNESS,
            damping=DAMPING,
            free_length=1.0,
        )
    )


def decay(t: np.ndarray, start: float, delta: float, omega0: float) -> np.ndarray:
    omega = np.sqrt(omega0**2 - delta**2)
    return start * np.exp(-delta * t) * (np.cos(omega * t) + delta / omega * np.sin(omega * t))


def test_damped_translation():
    run = tight(weight(), 3.0)
    wanted = 1.0 + decay(run.t, 0.1, DAMPING / (2 * MASS), np.sqrt(STIFFNESS / MASS))
    assert run.channel("body.weight.pos.x") == pytest.approx(wanted, abs=1e-10)
    assert energy_error(run) < 1e-10  # with what the damper took


def test_rk4_error_is_that_of_the_linear_test_equation():
    # phase error of RK4 per unit of time: ω (ω h)⁴ / 120; ω = 6.3, h = 1 ms, t = 3 s: 0.1 · 2.5e-10 m
    run = finished(weight(), "rk4", 1e-3, 3.0)
    wanted = 1.0 + decay(run.t, 0.1, DAMPING / (2 * MASS), np.sqrt(STIFFNESS / MASS))
    assert np.abs(run.channel("body.weight.pos.x") - wanted).max() < 5e-11


def test_damped_rotation():
    # I φ'' + c φ' + k (φ − φ0) = 0
    scene = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("wheel", mass=1.0, inertia=[0.2])
        .with_joint("revolute", "axle", a={"body": "world"}, b={"body": "wheel", "point": [0.0, 0.0]})
        .with_force("rotational_spring", "twist", joint="axle", stiffness=5.0, damping=0.3, free_angle=-0.4)
    )
    run = tight(scene, 3.0)
    wanted = -0.4 + decay(run.t, 0.4, 0.3 / (2 * 0.2), np.sqrt(5.0 / 0.2))
    assert run.channel("joint.axle.angle") == pytest.approx(wanted, abs=1e-10)
