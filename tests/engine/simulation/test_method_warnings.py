"""What is said when a run begins with a method that is known to fail on the mechanism."""

import pytest

from engine import Scene, simulate
from engine.model.resolve import resolve
from engine.simulation.checks.method_warnings import forces_of_velocity, method_warnings
from engine.solvers.catalogue import find_method
from tests.verification.runs import shipped


def oscillator(**force: object) -> Scene:
    made = Scene(space="planar", gravity=(0.0, 0.0)).with_body(
        "m", mass=1.0, inertia=[0.1], position=[0.3, 0.0]
    )
    ends = {"a": {"body": "world", "point": [0.0, 0.0]}, "b": {"body": "m", "point": [0.0, 0.0]}}
    return made.with_force("spring", "strut", **ends, stiffness=100.0, free_length=0.25, **force)


@pytest.mark.parametrize("force", [{"damping": 0.5}, {"force": "-0.5*v"}, {"force": "2*t + v^3"}])
def test_d3_and_d4_warn_of_forces_against_the_velocity(force: dict[str, object]) -> None:
    scene = resolve(oscillator(**force))
    for name in ("d3", "d4"):
        (warning,) = method_warnings(find_method(name), scene)
        assert "'strut'" in warning
        assert "unstable" in warning
    for name in ("d2", "rk4"):
        assert method_warnings(find_method(name), scene) == ()


def test_what_does_not_depend_on_velocities_is_not_warned_of() -> None:
    scene = resolve(oscillator(force="2*t + 0.1*x"))
    assert list(forces_of_velocity(scene)) == []
    assert method_warnings(find_method("d3"), scene) == ()


def test_a_motor_that_holds_a_speed_damps() -> None:
    made = oscillator().with_joint("revolute", "A", a={"body": "world", "point": [0.3, 0.0]}, b={"body": "m"})
    made = made.with_force("motor", "drive", joint="A", speed=1.0, gain=2.0)
    assert list(forces_of_velocity(resolve(made))) == ["drive"]


def test_the_warning_is_true_and_is_told_with_the_run() -> None:
    """D3 grows on a damped oscillator that rk4 brings to rest, and the run says so."""
    scene = oscillator(damping=5.0)
    size = {}
    for name in ("d3", "rk4"):
        trajectory = simulate(scene, method=name, dt=0.02, duration=20.0)
        size[name] = abs(trajectory.channel("body.m.pos.x")[-1] - 0.25)
        assert ("unstable" in trajectory.message) == (name == "d3")
    assert not size["d3"] < 1.0
    assert size["rk4"] < 1e-3


@pytest.mark.parametrize("method", ["newmark_index3/fox_goodwin", "newmark_index3/linear_acceleration"])
def test_rules_that_fail_on_the_index_three_equations_are_warned_of(method: str) -> None:
    """The warning is true: within 100 steps the energy has lost all meaning or the run has broken off."""
    trajectory = simulate(shipped("four_bar"), method=method, dt=1e-3, duration=0.1)
    assert "fails within some tens of steps" in trajectory.message
    assert trajectory.status.failed or abs(trajectory.channel("energy.error")).max() > 1.0


@pytest.mark.parametrize("method", ["generalized_alpha", "hht"])
def test_closing_positions_only_is_warned_of_where_wheels_roll(method: str) -> None:
    bicycle = shipped("bicycle")
    wrong = simulate(bicycle, method=method, dt=0.01, duration=0.7, options={"index": 0})
    assert "Take index = 1" in wrong.message
    assert wrong.channel("violation.velocity").max() > 1.0  # m/s: what the warning is about
    right = simulate(bicycle, method=method, dt=0.01, duration=0.7)
    assert right.message == ""
    assert right.channel("violation.velocity").max() < 1e-8
    assert simulate(shipped("pendulum"), method=method, duration=0.01, options={"index": 0}).message == ""


def test_plain_newmark_is_warned_of_before_it_breaks_off() -> None:
    trajectory = simulate(shipped("bicycle"), method="newmark_index3", dt=1e-3, duration=1.0)
    assert trajectory.status.failed
    assert "soon breaks off" in trajectory.message
