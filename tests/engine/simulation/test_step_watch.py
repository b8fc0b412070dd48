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


def rubbing(stiffness: float, *, speed: float = 0.0, torque: float = 0.0) -> Scene:
    """A disc on bristles, already turning or driven."""
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body(
        "disc", mass=1.0, inertia=[0.04], angular_velocity=[0.0, 0.0, speed]
    )
    scene = scene.with_joint("revolute", "shaft", a={"body": "world"}, b={"body": "disc"})
    scene = scene.with_force("torque", "drive", body="disc", components=[0.0, 0.0, torque])
    dry = {"model": "lugre", "kinetic": 1.0, "static": 1.0, "bristle_stiffness": stiffness}
    scene = scene.with_force("friction", "rub", joint="shaft", **dry)
    return scene.with_simulation(dt=1e-3, duration=0.2, method="rk4")


def test_bristles_set_a_limit_of_their_own() -> None:
    """z' = u − σ0 |u|/g z: 1e4·6/1 = 6e4 1/s, of which RK4 follows up to 2.785/h."""
    run = simulate(rubbing(1e4, speed=6.0))
    assert f"limit of stability is {2.7853 / 6e4:.2e} s" in run.message
    assert run.message.count("bristles of friction 'rub'") == 2, "told at the start, and as the reason"
    assert run.problem.path == "forces.rub"


def test_the_remedies_for_bristles_work() -> None:
    """Slip against 1 N·m slows 0.04 kg m² down by 25 rad/s², after the bristles have bent."""
    scene = rubbing(1e4, speed=6.0)
    (edit,) = simulate(scene).problem.edits
    for better in (scene.with_simulation(method=edit.value), scene.with_simulation(dt=4.1e-5)):
        run = simulate(better, duration=0.1)
        assert run.message == ""
        assert run.channel("body.disc.omega.z")[-1] == pytest.approx(6.0 - 2.5, abs=5e-3)


def test_bristles_that_become_too_quick_on_the_way_are_named() -> None:
    run = simulate(rubbing(4e4, torque=1.5))
    assert run.problem is not None, "from rest to a speed at which they are too quick"
    assert run.problem.path == "forces.rub"


def test_a_method_that_is_proposed_takes_the_scene() -> None:
    run = simulate(rubbing(1e6, speed=6.0), method="dopri5", duration=0.02)
    assert "crawls" in run.message
    assert "such as bdf2" in run.message
