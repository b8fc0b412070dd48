"""What is said when a run begins with a method that is known to fail on the mechanism."""

import pytest

from engine import Scene, simulate
from engine.model.resolve import resolve
from engine.runtime.cautions import cautions, forces_of_velocity
from engine.runtime.methods import find_method


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
        (remark,) = cautions(find_method(name), scene)
        assert "'strut'" in remark
        assert "unstable" in remark
    for name in ("d2", "rk4"):
        assert cautions(find_method(name), scene) == ()


def test_what_does_not_depend_on_velocities_is_not_warned_of() -> None:
    scene = resolve(oscillator(force="2*t + 0.1*x"))
    assert list(forces_of_velocity(scene)) == []
    assert cautions(find_method("d3"), scene) == ()


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
