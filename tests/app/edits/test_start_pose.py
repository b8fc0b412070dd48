"""Moving bodies by hand: what the scene took from the given pose stays as it was."""

import math

import numpy as np
import pytest

from app.edits import move_start
from engine import Scene
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator

TURNED = 0.6  # rad


def pose(angle: float) -> tuple[np.ndarray, np.ndarray]:
    c, s = math.cos(angle), math.sin(angle)
    return np.zeros(3), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rod(scene: Scene) -> Scene:
    return scene.with_body("rod", mass=1.0, com=[0.5, 0.0], inertia=[0.1])


def test_a_hinge_on_a_fixed_body_keeps_its_zero() -> None:
    """The frame on the fixed body was taken from the new pose, as if the hinge had not been turned."""
    frame = Scene(space="planar").with_body("frame", fixed=True, position=[-0.3, 0.2], angle=0.9)
    scene = rod(frame).with_joint("revolute", "hinge", a={"body": "rod"}, b={"body": "frame"})
    after = move_start(scene, {"rod": pose(TURNED)}, before=compile_scene(scene)).after
    mechanism = compile_scene(after)
    evaluator = Evaluator(mechanism).at(0.0, mechanism.q)
    angle = evaluator.coordinate_functions[mechanism.coordinates["hinge", "angle"], 0]
    assert abs(angle) == pytest.approx(TURNED, abs=1e-9)
    assert np.abs(evaluator.phi).max() < 1e-12


def test_a_spring_keeps_its_free_length_beside_a_force_on_a_body() -> None:
    """The free length was read from the first law whose target has the same number, a body or a coordinate
    function."""
    scene = (
        rod(Scene(space="planar"))
        .with_force("force", "weight", body="rod", components=[0.0, -1.0])
        .with_force(
            "spring",
            "coil",
            a={"body": "world", "point": [1.0, -0.6]},
            b={"body": "rod", "point": [1.0, 0.0]},
            stiffness=50.0,
        )
    )
    before = compile_scene(scene)
    assert before.force_coordinates["coil"] == (0,)  # the number of the body, too
    after = move_start(scene, {"rod": pose(TURNED)}, before=before).after
    assert after.forces[1].free_length == pytest.approx(0.6)  # type: ignore[attr-defined]
