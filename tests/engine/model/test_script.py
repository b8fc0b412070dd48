"""The Python script of a scene builds an equal scene."""

import json

import numpy as np
import pytest

from engine import TEMPLATES, Scene, load_scene, loads, simulate, to_python
from tests.engine.model.good import planar, spatial
from tests.paths import ROOT

SCENES = sorted((ROOT / "scenes").glob("*.json"))


def rebuilt(scene: Scene) -> Scene:
    names: dict[str, object] = {"__name__": "script"}
    exec(compile(to_python(scene), "script.py", "exec"), names)
    found = names["scene"]
    assert isinstance(found, Scene)
    return found


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_the_script_of_a_shipped_scene_gives_it_back(path):
    scene = load_scene(path)
    assert rebuilt(scene) == scene


@pytest.mark.parametrize("template", list(TEMPLATES), ids=lambda t: t.name)
def test_the_script_of_a_template_gives_it_back(template):
    scene = template.make().scene
    assert rebuilt(scene) == scene


@pytest.mark.parametrize("name", ["four_bar", "stewart_platform", "tether"])
def test_a_rebuilt_scene_runs_alike(name):
    scene = load_scene(next(path for path in SCENES if path.stem == name))
    one, two = (simulate(s, duration=0.05) for s in (scene, rebuilt(scene)))
    assert one.names() == two.names()
    assert np.array_equal(one.table(one.names()), two.table(two.names()))


def test_it_reads_well():
    scene = load_scene(next(path for path in SCENES if path.stem == "four_bar"))
    text = to_python(scene)
    lines = text.splitlines()
    places = [text.index(f"# {part}") for part in ("parameters", "bodies", "joints", "traces", "simulation")]
    assert places == sorted(places)
    assert 'scene = scene.with_parameter("L1", 0.1, unit="m", min=0.05, max=0.12, note="crank AB")' in lines
    # nothing that is as by default, and lines of a screen's width but for long words
    assert "visible" not in text
    assert "opacity=1" not in text
    assert sum(len(line) > 100 for line in lines) <= 6
    compile(text, "four_bar.py", "exec")


@pytest.mark.parametrize(
    "words",
    [
        'it said "no"',
        "back\\slash",
        "two\nlines\tand a tab",
        "naïve — ω²",
        '"""',
        "'",
        "\x00\ud800",
        "",
        "\\N{BEL}",
    ],
)
def test_any_words_survive(words):
    scene = Scene(title=words, notes=words, author=words, view={words: [words, 1.5, None, True, {"a": []}]})
    scene = scene.with_body("bob", mass=1, notes=words).with_group("all", members=["bodies.bob"], note=words)
    assert rebuilt(scene) == scene


def test_all_kinds_of_fields_survive():
    for raw in (planar(), spatial()):
        case = loads(json.dumps(raw))
        assert rebuilt(case) == case
    scene = (
        Scene(space="planar", gravity=(0.0, "-g"), up="y")
        .with_parameter("g", 9.81)
        .with_parameter("k", "2*g", min=0)
        .with_body("b", mass=1e-9, inertia=[1e20], position=[-0.0, 1 / 3], fixed=False)
        .with_joint("revolute", "J", a={"body": "world"}, b={"body": "b"}, start={"angle": {"speed": 1}})
        .with_force("motor", "m", joint="J", effort={"points": [[0, 1], [1, "k"]], "outside": "periodic"})
        .with_measure("expression", "e", expression="joint.J.angle*2")
        .with_simulation(stop_when=["joint.J.angle - 1"], options={"rho": 0.5}, method="generalized_alpha")
    )
    assert rebuilt(scene) == scene
    assert rebuilt(Scene()) == Scene()
