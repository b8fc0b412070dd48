"""Painlevé's rod: its tip slides on a plane with so much friction that slip presses or lifts it by itself."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.model.scene import Scene
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

G, LONG, LEAN = 9.81, 1.0, 1.1  # m/s², m, rad
INERTIA = LONG**2 / 12.0  # of 1 kg


def slide(friction: float, speed: float, duration: float) -> Trajectory:
    """The lower end touches; the rod leans to the right and is pushed along."""
    place = [0.0, 0.5 * LONG * math.sin(LEAN)]
    scene = Scene(space="planar", gravity=(0.0, -G)).with_body(
        "rod", position=place, angle=LEAN, velocity=[speed, 0.0], mass=1.0, inertia=[INERTIA]
    )
    ends = {
        "a": {"body": "world", "point": [0, 0], "reference": [0, 1]},
        "b": {"body": "rod", "point": [-0.5 * LONG, 0.0]},
    }
    law = {"shape_a": "plane", "shape_b": "point", "law": "rigid", "friction": friction}
    scene = scene.with_force("contact", "tip", **ends, **law)
    result = simulate(scene, method="lagrange/rk4/projection", dt=1e-4, duration=duration)
    assert not result.status.failed, result.message
    return result


@pytest.mark.parametrize(("friction", "speed"), [(2.0, 1.0), (5.0, 1.0), (1.0, -1.0), (1.3, -1.0)])
def test_the_rod_slides_until_an_independent_integration_says(friction: float, speed: float) -> None:
    """N = (g + φ′² y)/p, p = 1 + (x² ± µ x y)/I, x and y from the centre; twice µ |x y| is above I + x².

    With µ = 1.3 backwards a push is answered by one that is nearly as large, the other way."""
    way = math.copysign(1.0, speed)

    def rates(t: float, state: np.ndarray) -> list[float]:
        _, _, phi, vx, vy, omega = state
        x, y = -0.5 * LONG * math.cos(phi), -0.5 * LONG * math.sin(phi)
        p = 1.0 + (x * x + friction * way * x * y) / INERTIA
        push = (G + omega**2 * y) / p
        turn = (x + friction * way * y) * push / INERTIA
        return [vx, vy, omega, -friction * way * push, push - G, turn]

    def slip(t: float, state: np.ndarray) -> float:
        return float(state[3] + state[5] * 0.5 * LONG * math.sin(state[2]))

    slip.terminal = True  # type: ignore[attr-defined]
    start = [0.0, 0.5 * LONG * math.sin(LEAN), LEAN, speed, 0.0, 0.0]
    free = solve_ivp(rates, (0.0, 0.2), start, rtol=1e-11, atol=1e-12, events=slip)
    result = slide(friction, speed, 0.1)
    assert result.events[0].kind == "stick"
    assert result.events[0].t == pytest.approx(float(free.t[-1]), abs=1e-9)
    assert np.abs(result.channel("energy.error")).max() < 1e-9


def test_where_no_push_is_possible_the_slip_ends_in_an_impact_without_collision() -> None:
    """p < 0: friction lifts the tip by more than its push presses it down; it jams at once [Glocker 2001]."""
    result = slide(1.5, -1.0, 0.05)
    impact = result.events[0]
    assert impact.kind == "impact"
    assert impact.t < 1e-5  # when it is first seen to fall
    assert impact.impulse > 0.0
    assert impact.loss > 0.0
    tip = result.channel("body.rod.vel.x") + result.channel("body.rod.omega.z") * 0.5 * LONG * np.sin(
        result.channel("body.rod.angle")
    )
    assert np.abs(tip[result.t > 1e-3]).max() < 1e-9
