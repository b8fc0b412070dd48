"""Non-holonomic rows in closed form: a disc that rolls in a circle, and Chaplygin's sleigh."""

import numpy as np
import pytest

from engine import Scene
from tests.verification.runs import G, energy_error, tight

MASS, RADIUS = 1.4, 0.25
ACROSS, ALONG = MASS * RADIUS**2 / 4, MASS * RADIUS**2 / 2


def test_leaning_disc_rolls_in_a_circle():
    # Lean α towards the axis of the circle, its centre at the distance ρ, turning with Ω about z. Rolling
    # without slip gives the spin about the axle relative to the turning frame, s = −Ω (ρ + r sin α)/r;
    # balance of moments about the centre gives   Ω² (I1 sin α + ρ (I3/r + m r)) = m g r tan α.
    alpha, rho = 0.3, 0.9
    resisting = ACROSS * np.sin(alpha) + rho * (ALONG / RADIUS + MASS * RADIUS)
    turn = np.sqrt(MASS * G * RADIUS * np.tan(alpha) / resisting)
    spin = -turn * (rho + RADIUS * np.sin(alpha)) / RADIUS
    axle = np.array([np.cos(alpha), 0.0, np.sin(alpha)])  # at x = ρ, moving along y
    scene = (
        Scene()
        .with_body(
            "disc",
            position=[rho, 0.0, RADIUS * np.cos(alpha)],
            orientation={"axis": [0.0, 1.0, 0.0], "angle": np.pi / 2 - alpha},
            velocity=[0.0, turn * rho, 0.0],
            angular_velocity=list(turn * np.array([0.0, 0.0, 1.0]) + spin * axle),
            mass=MASS,
            inertia=[ACROSS, ACROSS, ALONG],
        )
        .with_joint(
            "rolling",
            "floor",
            a={"body": "world", "axis": [0.0, 0.0, 1.0]},
            b={"body": "disc", "point": [0.0, 0.0, 0.0], "axis": [0.0, 0.0, 1.0]},
            radius=RADIUS,
        )
    )
    run = tight(scene, 3.0)
    x, y, z = (run.channel(f"body.disc.pos.{axis}") for axis in "xyz")
    assert x == pytest.approx(rho * np.cos(turn * run.t), abs=1e-9)
    assert y == pytest.approx(rho * np.sin(turn * run.t), abs=1e-9)
    assert z == pytest.approx(RADIUS * np.cos(alpha), abs=1e-10)
    assert energy_error(run) < 1e-9


def test_chaplygins_sleigh():
    # Blade at the distance a behind the centre of mass, J = I + m a²: u' = a ω², J ω' = −m a u ω. With the
    # invariant A² = u² + ω² J/m:  u = A tanh(β t + c),  ω = √(m/J) A / cosh(β t + c),  β = a m A/J.
    inertia, offset, speed, omega = 0.35, 0.2, 0.3, 2.0
    about = inertia + MASS * offset**2
    A = np.sqrt(speed**2 + omega**2 * about / MASS)
    beta, c = offset * MASS * A / about, np.arctanh(speed / A)
    scene = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body(
            "sleigh",
            mass=MASS,
            com=[offset, 0.0],
            inertia=[inertia],
            velocity=[speed, 0.0],
            angular_velocity=[0.0, 0.0, omega],
        )
        .with_joint(
            "knife_edge",
            "blade",
            a={"body": "world"},
            b={"body": "sleigh", "point": [0.0, 0.0], "axis": [0.0, 1.0]},
        )
    )
    run = tight(scene, 5.0)
    u = np.hypot(run.channel("body.sleigh.vel.x"), run.channel("body.sleigh.vel.y"))
    assert u == pytest.approx(np.abs(A * np.tanh(beta * run.t + c)), abs=1e-9)
    wanted = np.sqrt(MASS / about) * A / np.cosh(beta * run.t + c)
    assert run.channel("body.sleigh.omega.z") == pytest.approx(wanted, abs=1e-9)
    assert energy_error(run) < 1e-9
