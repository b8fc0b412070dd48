"""Scene files: what is written is read back, in a form that people can read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Scene, dumps, load_scene, loads, save_scene
from engine.elements.bodies.body import Body, Point
from engine.elements.bodies.shapes import Box, Outline
from engine.model.files.migrations import migrate, migration
from engine.model.scene import Parameter, Simulation
from tests.engine.model.good import planar, spatial

finite = st.floats(-1e6, 1e6).map(lambda x: x + 0.0)
positive = st.floats(1e-6, 1e6)
words = st.text(st.characters(codec="utf-8"), max_size=20)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_\-]{0,8}", fullmatch=True).filter(lambda name: name != "world")
vectors = st.tuples(finite, finite, finite)
shapes = st.one_of(
    st.builds(Box, size=st.tuples(positive, positive, positive), density=st.none() | positive),
    st.builds(
        Outline, points=st.just(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))), thickness=positive, position=vectors
    ),
)
points = st.lists(st.builds(Point, name=names, position=vectors), max_size=3, unique_by=lambda p: p.name).map(
    tuple
)
bodies = st.lists(
    st.builds(
        Body,
        name=names,
        position=vectors,
        velocity=vectors,
        mass=positive,
        notes=words,
        layer=st.integers(-5, 5),
        visible=st.booleans(),
        fixed=st.booleans(),
        points=points,
        shapes=st.lists(shapes, max_size=2).map(tuple),
    ),
    max_size=4,
    unique_by=lambda body: body.name,
).map(tuple)
views = st.recursive(
    st.none() | st.booleans() | finite | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
scenes = st.builds(
    Scene,
    title=words,
    notes=words,
    gravity=st.none() | vectors,
    parameters=finite.map(lambda value: (Parameter(name="p", value=value), Parameter(name="q", value="p/2"))),
    bodies=bodies,
    simulation=st.builds(Simulation, dt=positive, duration=positive.map(lambda d: min(d, 1.0))),
    view=st.dictionaries(words, views, max_size=3),
)


@given(scene=scenes)
def test_a_saved_scene_is_read_back_equal_and_saves_the_same_text(scene):
    text = dumps(scene)
    assert loads(text) == scene
    assert dumps(loads(text)) == text


@pytest.mark.parametrize("raw", [planar(), spatial()], ids=["planar", "spatial"])
def test_files_survive_save_and_load(raw, tmp_path):
    scene = loads(json.dumps(raw))
    path = tmp_path / "scene.json"
    save_scene(scene, path)
    assert load_scene(path) == scene
    assert [entry.name for entry in tmp_path.iterdir()] == ["scene.json"]


def test_the_text_is_readable():
    scene = Scene(space="planar", title="A").with_body("crank", mass=1, position=[0.5, 0], inertia=["1/12"])
    scene = scene.with_joint("revolute", "J", a={"body": "world"}, b={"body": "crank"})
    assert dumps(scene) == (
        "{\n"
        '  "format": "trammel-scene",\n'
        '  "version": 1,\n'
        '  "title": "A",\n'
        '  "space": "planar",\n'
        '  "bodies": [\n'
        '    {"name": "crank", "position": [0.5, 0], "mass": 1, "inertia": ["1/12"]}\n'
        "  ],\n"
        '  "joints": [\n'
        '    {"name": "J", "kind": "revolute", "a": {"body": "world"}, "b": {"body": "crank"}}\n'
        "  ]\n"
        "}\n"
    )


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "scene.json"
    save_scene(Scene(title="old"), path)
    with pytest.raises(ValueError, match="JSON"):
        save_scene(Scene(title="new", view={"zoom": float("nan")}), path)
    assert load_scene(path).title == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["scene.json"]


def test_a_byte_order_mark_is_no_problem():
    assert loads(b"\xef\xbb\xbf" + dumps(Scene()).encode()) == Scene()


def test_old_files_go_through_each_step():
    steps = {}

    @migration(from_version=1, into=steps)
    def rename_stiffness(raw):
        for force in raw["forces"]:
            force["stiffness"] = force.pop("k")

    @migration(from_version=2, into=steps)
    def add_note(raw):
        raw["notes"] = "from version 2"

    raw = {"format": "trammel-scene", "version": 1, "forces": [{"k": 3}]}
    assert migrate(raw, steps=steps, current=3) == []
    assert raw == {
        "format": "trammel-scene",
        "version": 3,
        "forces": [{"stiffness": 3}],
        "notes": "from version 2",
    }
    with pytest.raises(ValueError, match="two migrations"):
        migration(from_version=1, into=steps)(add_note)
    [problem] = migrate({"format": "trammel-scene", "version": 0}, steps=steps, current=3)
    assert "no way from version 0" in problem.message
