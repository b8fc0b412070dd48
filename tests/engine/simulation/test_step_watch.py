"""Steps beyond the limit of stability are told before a run and on its way, and others are not."""

import math

import numpy as np
import pytest

from engine import Scene, simulate
from engine.results.stepping import stepping_of
from tests.engine.analyses.test_stability import OMEGA, wheel

LIMITS = {"rk4": math.sqrt(8.0), "central_differences": 2.0, "newmark_nullspace/fox_goodwin": math.sqrt(6.0)}


@pytest.mark.parametrize("method", LIMITS)
def test_the_limit_is_a_channel_and_a_message(method: str) -> None:
    good, bad = (
        simulate(wheel(), method=method, dt=f * LIMITS[method] / OMEGA, duration=5.0) for f in (0.9, 1.1)
    )
    np.testing.assert_allclose(good.channel("method.step_limit"), LIMITS[method] / OMEGA, rtol=1e-3)
    np.testing.assert_allclose(good.channel("method.frequency"), OMEGA, rtol=1e-3)
    assert "limit of stability" not in good.message
    assert "limit of stability" in bad.message
    assert f"{LIMITS[method] / OMEGA:.3g} s" in bad.message


def test_methods_without_a_limit_say_nothing() -> None:
    run = simulate(wheel(), method="hht", dt=1.0, duration=5.0)
    assert "method.step_limit" not in run.names()
    assert "limit of stability" not in run.message
    assert stepping_of(run.mechanism).reach is not None
    run = simulate(wheel(), method="dopri5", dt=0.5, duration=1.0)
    assert stepping_of(run.mechanism).reach is None


@pytest.mark.parametrize(("duration", "told"), [(1.0, False), (1000.0, True)])
def test_a_weak_growth_is_told_where_it_adds_up(duration: float, told: bool) -> None:
    """Heun's rule lets ωh = 0.2 grow by (ωh)⁴/8 = 2e-4 a step: nothing in 50 steps, e¹⁰ in 50,000."""
    run = simulate(wheel(), method="rk2", dt=0.02, duration=duration)
    assert ("limit of stability" in run.message) == told


def hardening() -> Scene:
    """A mass that runs onto a spring whose stiffness grows with its way: ω² = 3·10⁷ x² + 1."""
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("m", mass=1.0, inertia=[1.0], velocity=[10.0, 0.0])
        .with_joint("prismatic", "guide", a={"body": "world"}, b={"body": "m"})
        .with_force("motor", "spring", joint="guide", coordinate="displacement", effort="-1e7*x^3 - x")
        .with_simulation(dt=0.01, duration=0.2, method="rk4")
    )


def test_what_becomes_stiff_on_the_way_is_told_with_its_instant() -> None:
    run = simulate(hardening())
    assert "from t = " in run.message
    assert "limit of stability" in run.message


def test_what_rests_on_a_rope_turns_in_no_circle() -> None:
    """Velocities of rounding across the pull are no circle of 1e-18 m, whose speed no step could follow."""
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body(
        "m", position=[0.3, 0.1], mass=1.0, inertia=[0.1]
    )
    ends = {"a": {"body": "world", "point": [0.1, 0.05]}, "b": {"body": "m", "point": [0.0, 0.0]}}
    scene = scene.with_force("rope", "line", **ends, longest=math.hypot(0.2, 0.05), law="rigid")
    scene = scene.with_force("force", "pull", body="m", components=[0.2, 0.05, 0.0])
    run = simulate(scene, duration=0.3)
    assert 0.0 < np.abs(run.channel("body.m.vel.y")).max() < 1e-15, "the case: rounding, and no more"
    assert run.message == ""
