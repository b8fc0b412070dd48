"""Planar angles of bodies that the file has beyond half a turn: what B takes from A is at zero there."""

import math
from typing import Any

import numpy as np
import pytest

from engine import Scene, simulate

T, INERTIA, STIFFNESS = 0.5, 0.3, 2.0  # s, kg·m², N·m/rad


def hinged(angle: float, under: float, *, still: bool, **b: Any) -> Scene:
    """A body at an angle on another one, by a hinge in its centre of mass, a spring and a bushing."""
    base = {"mass": 1e9, "inertia": [1e9], "angle": under, "fixed": still}
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body("base", **base)
    scene = scene.with_body("arm", mass=1.0, inertia=[INERTIA], angle=angle)
    ends = {"a": {"body": "base"}, "b": {"body": "arm", **b}}
    scene = scene.with_joint("revolute", "hinge", **ends)
    scene = scene.with_force("rotational_spring", "spring", joint="hinge", stiffness=0.5 * STIFFNESS)
    about = {"stiffness": [0.0] * 3, "rotational_stiffness": [0.0, 0.0, 0.5 * STIFFNESS]}
    return scene.with_force("bushing", "pad", **ends, **about)


@pytest.mark.parametrize("still", [True, False])
@pytest.mark.parametrize("under", [0.0, 1.9, -2.5, 3.3])
@pytest.mark.parametrize("angle", [0.5, 3.2, -3.2, 4.7, 20.0])
def test_a_frame_that_is_taken_begins_at_zero(angle: float, under: float, still: bool) -> None:
    """Nothing is strained as given, so that nothing moves."""
    run = simulate(hinged(angle, under, still=still), dt=0.01, duration=T)
    np.testing.assert_allclose(run.channel("joint.hinge.angle"), 0.0, atol=1e-12)
    np.testing.assert_allclose(run.channel("body.arm.angle"), angle, atol=1e-12)


@pytest.mark.parametrize("still", [True, False])
@pytest.mark.parametrize("under", [0.0, 1.9, 3.3, -9.0])
@pytest.mark.parametrize("twist", [0.4, 3.3, 7.0])
def test_a_frame_that_is_given_keeps_its_whole_turns(twist: float, under: float, still: bool) -> None:
    """θ(t) = θ₀ cos √(k/I) t of the hinge, by the spring and the bushing that begin with all its turns."""
    scene = hinged(under + twist, under, still=still, reference=[1.0, 0.0])
    run = simulate(scene, dt=0.005, duration=T)
    exact = twist * np.cos(math.sqrt(STIFFNESS / INERTIA) * run.t)
    np.testing.assert_allclose(run.channel("joint.hinge.angle"), exact, atol=1e-7)
