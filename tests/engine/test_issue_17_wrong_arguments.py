"""Python calls with arguments that they cannot take: told by the name of the argument, with what to give."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine import Scene, SceneError, Study, set_value, simulate
from tests.engine.simulation.scenes import rod_pendulum

SHORT = 0.01  # s


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"dt": "fast"}, "dt is fast; give a number"),
        ({"dt": [0.001]}, r"dt is \[0.001\]"),
        ({"dt": True}, "dt is True"),
        ({"duration": None, "sample_every": 1.5}, "sample_every is 1.5; give a whole number"),
        ({"method": 4}, 'method takes a str, not 4; give a name, such as "rk4"'),
        ({"options": [1]}, r"options is \[1\]; give values by name"),
        ({"progress": 1}, "progress is 1; give a function"),
    ],
)
def test_a_run_tells_which_argument_is_wrong(given: dict[str, Any], told: str) -> None:
    """They were AttributeErrors and TypeErrors of private things."""
    with pytest.raises(TypeError, match=told):
        simulate(rod_pendulum(), **{"duration": SHORT, **given})


def test_numbers_of_numpy_and_fractions_are_numbers() -> None:
    run = simulate(
        rod_pendulum(), dt=np.float32(0.0009765625), duration=Fraction(1, 128), sample_every=np.int64(2)
    )
    assert run.t == pytest.approx([0.0, 1 / 512, 1 / 256, 3 / 512, 1 / 128])
    assert set_value(rod_pendulum(), "bodies.rod.mass", Fraction(3, 2)).body("rod").mass == 1.5


@pytest.mark.parametrize("value", [object(), Path("x"), (i for i in range(3)), 1j, {"a": object()}])
def test_what_is_no_data_is_refused_at_its_place(value: Any) -> None:
    """It was `AttributeError: 'PosixPath' object has no attribute 'tolist'`."""
    with pytest.raises(SceneError, match=r"bodies\.rod\.mass: this is no data"):
        set_value(rod_pendulum(), "bodies.rod.mass", value)
    with pytest.raises(SceneError, match='bodies "new": this is no data'):
        rod_pendulum().with_body("new", mass=value)
    with pytest.raises(SceneError, match="gravity: this is no data"):
        Scene(gravity=value)


@pytest.mark.parametrize(
    "name", ["dumps", "validate", "check_scene", "compile_scene", "resolve", "parameter_values", "to_python"]
)
@pytest.mark.parametrize("value", [None, "scene.json", 3, Study])
def test_what_is_no_scene_is_told(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"{name} takes a Scene, not .*load_scene"):
        getattr(engine, name)(value)


def test_names_that_are_no_texts_are_unknown_names() -> None:
    scene, run = rod_pendulum(), simulate(rod_pendulum(), duration=SHORT)
    for look in (run.channel, run.unit, run.meaning, scene.body, scene.joint, engine.METHODS.__getitem__):
        for name in (None, 3, ["energy.total"], np.zeros(2)):
            with pytest.raises((KeyError, TypeError), match=r"unknown|no (body|joint)|no name"):
                look(name)  # type: ignore[operator]
    with pytest.raises(TypeError, match=r"give a list of names, such as \[.energy.total.\]"):
        run.table("energy.total")  # was asked for a channel named e
    with pytest.raises(TypeError, match="is no element of a scene"):
        scene.add("rod")  # type: ignore[arg-type]


def test_half_of_a_character_is_refused_by_name() -> None:
    with pytest.raises(SceneError, match=r"space: .*half of a character"):
        Scene(space="\ud800")  # type: ignore[arg-type]


def test_a_file_from_nan_on_is_refused(tmp_path: Path) -> None:
    run = simulate(rod_pendulum(), duration=SHORT)
    with pytest.raises(ValueError, match="give finite numbers"):
        run.save(tmp_path / "x.csv", begin=float("nan"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"dts": 0.01}, "dts is 0.01; give a list of numbers"),
        ({"duration": "x"}, "duration is x"),
        ({"channels": "energy.total"}, "give a list of names"),
        ({"options": {"rho": 0.8}}, "option 'rho' is 0.8; give a list"),
    ],
)
def test_a_comparison_tells_which_argument_is_wrong(given: dict[str, Any], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        engine.compare(rod_pendulum(), ["rk4"], **given)
