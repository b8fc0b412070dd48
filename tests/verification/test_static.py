"""Static equilibrium against closed forms, with and without springs; stability; what has none."""

import numpy as np
import pytest

from engine import Scene
from engine.analyses.answers.result import Result
from engine.analyses.base import Question
from engine.analyses.dynamics.static import STATIC, StaticOptions
from engine.simulation.analysis_motions import trajectory_of
from tests.verification.runs import G, shipped


def at_rest(scene: Scene, wanted: str = "stable") -> Result:
    return STATIC.run(Question(scene, StaticOptions(wanted=wanted)))  # type: ignore[arg-type]


def value(result: Result, joint: str) -> float:
    """A joint coordinate; angles count from the given pose."""
    for table in result.tables:
        for row in table.rows:
            if "at rest" in table.title and str(row[0]) == joint:
                return float(row[1])  # type: ignore[arg-type]
    raise AssertionError(joint)


def bar(angle: float) -> Scene:
    """A uniform bar of 2 kg and 0.6 m, pinned at its end."""
    return (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body("bar", mass=2.0, inertia=[0.06], com=[0.3, 0.0], angle=angle)
        .with_joint("revolute", "pin", a={"body": "world"}, b={"body": "bar"})
    )


def test_a_bar_pulled_aside() -> None:
    """A horizontal force F at the tip: tan φ = 2F/(m g) from the vertical."""
    scene = bar(0.3).with_force("force", "wind", body="bar", point=[0.6, 0.0], components=[5.0, 0.0])
    result = at_rest(scene)
    assert result.summary.startswith("Stable equilibrium")
    assert 0.3 + value(result, "pin") == pytest.approx(-np.pi / 2 + np.arctan(2 * 5.0 / (2.0 * G)), abs=1e-12)
    run = trajectory_of(result.motions[0])
    assert run.channel("joint.pin.reaction.fx")[0] == pytest.approx(-5.0, abs=1e-10)
    assert run.channel("joint.pin.reaction.fy")[0] == pytest.approx(2.0 * G, abs=1e-10)


def arch(theta: float, push: float, spring: float = 400.0, length: float = 0.5, free: float = 0.6) -> Scene:
    """Two light bars hinged on top, one foot pinned, one sliding against a spring, a load on the hinge."""
    ground, origin = {"body": "world"}, {"body": "world", "point": [0.0, 0.0]}
    top = [length * np.cos(theta), length * np.sin(theta)]
    end = [2 * length * np.cos(theta), 0.0]
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("left", mass=0.1, inertia=[0.01], angle=theta)
        .with_body("right", mass=0.1, inertia=[0.01], position=top, angle=-theta)
        .with_body("foot", mass=0.1, inertia=[0.01], position=end)
        .with_joint("revolute", "O", a=ground, b={"body": "left"})
        .with_joint("revolute", "top", a={"body": "left", "point": [length, 0.0]}, b={"body": "right"})
        .with_joint("revolute", "heel", a={"body": "right", "point": [length, 0.0]}, b={"body": "foot"})
        .with_joint("prismatic", "slide", a=origin, b={"body": "foot", "point": [0.0, 0.0]})
        .with_force(
            "spring",
            "tie",
            a=origin,
            b={"body": "foot", "point": [0.0, 0.0]},
            stiffness=spring,
            free_length=free,
        )
        .with_force("force", "load", body="left", point=[length, 0.0], components=[0.0, -push])
    )


def test_a_linkage_on_a_spring() -> None:
    """x = 2l cos θ:  dV/dθ = 0 gives  2k tan θ (2l cos θ − x₀) = P."""
    theta = 0.7
    push = 2 * 400.0 * np.tan(theta) * (2 * 0.5 * np.cos(theta) - 0.6)
    result = at_rest(arch(0.85, push))
    assert result.summary.startswith("Stable equilibrium")
    assert 0.85 + value(result, "O") == pytest.approx(theta, abs=1e-10)
    assert value(result, "slide") == pytest.approx(np.cos(theta), abs=1e-10)
    tie = 400.0 * (np.cos(theta) - 0.6)
    transfer = {str(row[0]): row[1] for row in result.tables[-1].rows}
    assert transfer["heel"] == pytest.approx(np.hypot(tie, push / 2), abs=1e-8)


def test_an_unstable_pose_is_told_and_left() -> None:
    nearest = at_rest(bar(np.pi / 2 - 0.2), "nearest")
    assert nearest.summary.startswith("Unstable equilibrium")
    assert value(nearest, "pin") == pytest.approx(0.2, abs=1e-12)
    fallen = at_rest(bar(np.pi / 2))
    assert fallen.summary.startswith("Stable equilibrium")
    assert abs(value(fallen, "pin")) == pytest.approx(np.pi, abs=1e-12)


def test_a_balanced_lamp_stays_where_it_is_put() -> None:
    """A spring of free length 0 from a point h above the pin with k h l = m g l/2 balances at every angle."""
    h = 0.5
    scene = bar(0.4).with_force(
        "spring",
        "balance",
        a={"body": "world", "point": [0.0, h]},
        b={"body": "bar", "point": [0.6, 0.0]},
        stiffness=2.0 * G * 0.3 / (h * 0.6),
        free_length=0.0,
    )
    result = at_rest(scene)
    assert result.summary.startswith("Indifferent equilibrium")
    assert value(result, "pin") == pytest.approx(0.0, abs=1e-9)


def test_a_motion_holds() -> None:
    scene = bar(0.0).with_motion("joint_motion", "drive", joint="pin", function="0.5 + t")
    result = at_rest(scene)
    assert "cannot move" in result.summary
    assert result.tables[1].rows[0][1] == pytest.approx(2.0 * G * 0.3 * np.cos(0.5), abs=1e-12)


def test_what_falls_freely_has_none() -> None:
    loose = Scene(space="planar", gravity=(0.0, -G)).with_body("stone", mass=1.0, inertia=[0.1])
    result = at_rest(loose)
    assert result.summary.startswith("No equilibrium was found")
    assert "stone keeps moving" in result.summary


@pytest.mark.parametrize("name", ["five_bar_pendulum", "spatial_slider_crank", "bricard"])
def test_spatial_mechanisms_come_to_rest(name: str) -> None:
    """Nothing accelerates there: checked with the accelerations of a run that starts at that pose."""
    scene = shipped(name)
    result = at_rest(scene)
    assert result.summary.startswith(("Stable", "Indifferent")), result.summary
    motion = result.motions[0]
    from engine.system.assembly.assemble import assemble
    from engine.system.assembly.scaling import scales_of
    from engine.system.equations.evaluator import Evaluator
    from engine.system.small_motions.force_balance import State, balance

    evaluator, scales = Evaluator(motion.mechanism), scales_of(motion.mechanism)
    start = assemble(motion.mechanism, q=motion.q[0], v=np.zeros(motion.mechanism.nv), evaluator=evaluator)
    a = balance(evaluator, scales, State(0.0, start.q, start.v, start.angles)).a
    assert np.max(np.abs(a)) < 1e-7
