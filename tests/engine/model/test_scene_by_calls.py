"""A scene that is begun in Python takes its fields as the file does."""

from typing import Any

import numpy as np
import pytest

from engine import Scene, SceneError, dumps, loads, simulate


def falling(**fields: Any) -> float:
    """Acceleration of a free body along y."""
    planar = fields.get("space") == "planar"
    scene = Scene(**fields).with_body("ball", mass=2, inertia=[1] if planar else [1, 1, 1])
    assert dumps(loads(dumps(scene))) == dumps(scene)
    return float(simulate(scene, duration=0.0).channel("body.ball.acc.y")[0])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"space": "planar", "gravity": [0, -1.62]}, -1.62),
        ({"space": "planar", "gravity": (0, "-2*0.5")}, -1.0),
        ({"gravity": np.array([0.0, -5.0, 0.0])}, -5.0),
        ({"gravity": ["0", "-2*g", 0], "parameters": [{"name": "g", "value": 2}]}, -4.0),
        ({"space": "planar", "simulation": {"dt": 0.01}}, -9.81),
    ],
)
def test_fields_are_taken_as_in_a_file(fields: dict[str, Any], expected: float) -> None:
    assert falling(**fields) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"space": "plan"}, "planar"),
        ({"gravity": 3}, "gravity: 3 is not a list"),
        ({"gravity": [0, 1]}, "two numbers where a spatial scene needs three"),
        ({"up": "q"}, "up"),
        ({"title": 3}, "title: 3 is not text"),
        ({"bodies": [{"name": "a", "mas": 1}]}, "did you mean 'mass'"),
        ({"simulation": {"step": 1}}, "unknown field 'step'"),
    ],
)
def test_what_is_wrong_is_named(fields: dict[str, Any], word: str) -> None:
    with pytest.raises(SceneError, match=word):
        falling(**fields)


def test_a_path_is_no_scene_and_says_so() -> None:
    with pytest.raises(TypeError, match="load_scene"):
        simulate("four_bar.json")  # type: ignore[arg-type]


def test_a_run_shows_how_it_went() -> None:
    run = simulate(Scene(title="fall").with_body("ball", mass=1, inertia=[1, 1, 1]), duration=0.01)
    assert repr(run) == "<Trajectory of 'fall' by lagrange/rk4/projection: 11 samples, finished>"
    assert run.meaning("body.ball.com.vel.z") == "velocity of the centre of mass, world axes"
    with pytest.raises(KeyError, match="did you mean"):
        run.meaning("body.ball.com.vel.q")
