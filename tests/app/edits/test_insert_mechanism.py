"""Inserting a template into a scene: one step, free names, the same mechanism at another place."""

import numpy as np
import pytest

from app.document.document import Document
from app.edits.building.insert_template import insert_mechanism
from engine import TEMPLATES, Scene, SceneError, compile_scene, load_scene, simulate, validate
from engine.system.assembly.assemble import assemble
from tests.paths import SCENES

FOUR_BAR = load_scene(SCENES / "four_bar.json")


@pytest.mark.parametrize("template", list(TEMPLATES), ids=lambda t: t.name)
def test_a_template_goes_into_an_empty_scene_and_twice_into_its_own(template, tmp_path):
    made = template.make().scene
    document = Document(autosave=tmp_path)
    empty = document.scene
    document.apply(insert_mechanism(empty, made, title=template.title))
    once = document.scene
    assert once.space == made.space
    assert once.bodies == made.bodies
    assert once.joints == made.joints
    assert once.simulation == made.simulation
    document.apply(insert_mechanism(once, made, (2.0, 0.5, 0.25), template.title))
    twice = document.scene
    assert validate(twice) == []
    for where in ("bodies", "joints", "forces", "motions", "traces", "measures"):
        names = [item.name for item in getattr(twice, where)]
        assert len(names) == 2 * len(getattr(made, where)) == len(set(names))
    assert assemble(compile_scene(twice)).violation_before < 1e-10
    # one step each, there and back
    assert document.stack.count() == 2
    assert document.stack.undoText() == f"Insert {template.title}"
    document.stack.undo()
    assert document.scene == once
    document.stack.undo()
    assert document.scene == empty
    document.stack.redo()
    document.stack.redo()
    assert document.scene == twice


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "pantograph", "gear_train", "jansen_leg"])
def test_a_planar_template_stands_in_space(name):
    made = TEMPLATES[name].make().scene
    room = Scene().with_body("block", mass=1, inertia=[1, 1, 1], fixed=True)
    after = insert_mechanism(room, made, (1.0, 2.0, 3.0)).after
    assert validate(after) == []
    start = assemble(compile_scene(after))
    assert start.violation_before < 1e-10
    assert start.rate_before < 1e-8
    # the traced point moves as in the plane: x, and z in place of y unless it is led along world axes
    trace = made.traces[0]
    flat, solid = (simulate(s, duration=0.2) for s in (made, after))
    upright = name != "pantograph"
    point = f"body.{trace.body}.point.{trace.point}.pos"
    np.testing.assert_allclose(solid.channel(f"{point}.x") - 1.0, flat.channel(f"{point}.x"), atol=1e-8)
    up, base = ("z", 3.0) if upright else ("y", 2.0)
    np.testing.assert_allclose(solid.channel(f"{point}.{up}") - base, flat.channel(f"{point}.y"), atol=1e-8)


def test_a_spatial_template_is_refused_in_a_planar_scene():
    with pytest.raises(SceneError, match=r"Bennett linkage is spatial[\s\S]*new scene"):
        insert_mechanism(FOUR_BAR, TEMPLATES["bennett"].make().scene)


def test_it_moves_the_same_at_another_place():
    made = TEMPLATES["klann_leg"].make().scene
    there = insert_mechanism(Scene(), made, (-1.5, 0.75, 0.0)).after
    one, two = (simulate(s, duration=0.5) for s in (made, there))
    for axis, step in (("x", -1.5), ("y", 0.75)):
        channel = f"body.leg.point.X.pos.{axis}"
        np.testing.assert_allclose(two.channel(channel), one.channel(channel) + step, atol=1e-9)
