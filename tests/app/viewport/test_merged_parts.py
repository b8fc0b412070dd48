"""Very many elements are drawn as one actor: the same picture, the same picks, far fewer actors."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from app.document.element_ref import Ref
from app.viewport import picking
from app.viewport.canvas.style import Style
from app.viewport.scene import drawn_elements
from app.viewport.scene.scene_view import SceneView
from engine.model.scene import Scene
from engine.templates import TEMPLATES
from tests.app.viewport.scenes import shipped, turned

NAMES = ["four_bar", "stewart_platform"]


@pytest.fixture
def masses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every scene has very many elements."""
    monkeypatch.setattr(drawn_elements, "MASSES", 0)
    monkeypatch.setattr(picking, "MAX_PARTS_AT_ONCE", 0)


def different(one: np.ndarray, other: np.ndarray) -> float:
    """Share of pixels that differ by more than what rounding makes of an edge."""
    return float((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 24).mean())


def picture_and_picks(scene: Scene) -> tuple[np.ndarray, list[list[Ref]], int]:
    view = SceneView((320, 240))
    view.set_scene(scene)
    view.set_selection([Ref("bodies", scene.bodies[0].name)], [Ref("bodies", scene.bodies[1].name)])
    poses = {body.name: (np.array([0.1, 0.02, 0.0]), turned(0.3)) for body in scene.bodies[:1]}
    view.set_poses(poses)
    picture = view.render().copy()
    picks = [view.queries.pick(x, y) for x in range(8, 320, 16) for y in range(8, 240, 16)]
    actors = view.camera.renderer.GetActors().GetNumberOfItems()
    view.close()
    return picture, picks, actors


@pytest.mark.parametrize("name", NAMES)
def test_pictures_and_picks_are_those_of_single_actors(name: str, request: pytest.FixtureRequest) -> None:
    scene = shipped(name)
    picture, picks, actors = picture_and_picks(scene)
    request.getfixturevalue("masses")
    merged, merged_picks, fewer = picture_and_picks(scene)
    assert different(picture, merged) < 0.01
    assert merged_picks == picks
    assert any(picks)
    assert fewer < actors


@pytest.mark.usefixtures("masses")
def test_what_is_hidden_is_not_drawn_and_comes_back(view: SceneView) -> None:
    scene = shipped("four_bar")
    view.set_style(Style(grid=False))  # it goes down with what is shown
    view.set_scene(scene)
    before = view.render().copy()
    hidden = tuple(msgspec.structs.replace(body, visible=False) for body in scene.bodies)
    view.change_scene(msgspec.structs.replace(scene, bodies=hidden))
    assert different(before, view.render()) > 0.01
    view.change_scene(scene)
    assert different(before, view.render()) < 1e-3


def test_hundreds_of_bars_are_one_actor_and_pictures_make_no_more(view: SceneView) -> None:
    scene = TEMPLATES["pendulum_chain"].make(count=250, length=0.04, start=0.4).scene
    view.set_scene(scene)
    view.render()
    assert view.camera.renderer.GetActors().GetNumberOfItems() < 20
    middle = Ref("bodies", "bar 125")
    x, y = view.camera.project(view.queries.position_of(middle))
    assert middle in view.queries.pick(x, y)
    made = sum(part.made for visual in view.visuals.values() for part in visual.parts)
    assert made < 30  # only what is near the pointer
