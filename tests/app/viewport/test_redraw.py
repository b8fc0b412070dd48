"""After an edit only what looks different is drawn again, and the picture is the one of a new view."""

from pathlib import Path

import numpy as np
import pytest

from app.document.element_ref import Ref
from app.edits import move_start
from app.platform.resources import scene_paths
from app.viewport.scene.redraw import redrawn
from app.viewport.scene.scene_view import SceneView
from engine import Scene, load_scene, set_value
from engine.analyses.kinematics.poses import body_poses
from engine.model.resolve import resolve
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator


def scene(name: str = "four_bar") -> tuple[Scene, Path]:
    path = scene_paths()[name]
    return load_scene(path), path.parent


@pytest.mark.parametrize(
    ("path", "value"), [("gravity", (0.0, -3.0)), ("bodies.crank.mass", 7.0), ("simulation.dt", 0.01)]
)
def test_a_number_that_does_not_show_draws_nothing_again(view: SceneView, path: str, value: object) -> None:
    given, folder = scene()
    view.set_scene(given, folder)
    before, built = dict(view.visuals), view.visuals_built
    view.change_scene(set_value(given, path, value), folder)
    assert view.visuals_built == built
    assert dict(view.visuals) == before


def test_a_body_that_changes_is_drawn_again_with_what_hangs_on_it(view: SceneView) -> None:
    given, folder = scene("double_four_bar")
    view.set_scene(given, folder)
    before = dict(view.visuals)
    view.change_scene(set_value(given, "bodies.crank0.shapes.0.radius", 0.05), folder)
    anew = {ref for ref, visual in view.visuals.items() if before[ref] is not visual}
    hinges = {Ref("joints", joint.name) for joint in given.joints if "crank0" in (joint.a.body, joint.b.body)}
    assert len(hinges) == 2
    assert anew == {Ref("bodies", "crank0"), *hinges}
    assert list(view.visuals) == list(before)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("four_bar", "bodies.crank.color", "#CC0000"),
        ("four_bar", "bodies.coupler.shapes.0.opacity", 0.3),
        ("double_four_bar", "bodies.crank0.shapes.0.radius", 0.05),
        ("flyball_governor", "forces.left coupler.color", "#CC0000"),
    ],
)
def test_the_picture_is_that_of_a_new_view(view: SceneView, name: str, path: str, value: object) -> None:
    given, folder = scene(name)
    after = set_value(given, path, value)
    view.set_scene(given, folder)
    view.change_scene(after, folder)
    changed = view.render().copy()
    fresh = SceneView((640, 480))
    try:
        fresh.set_scene(given, folder)
        fresh.set_scene(after, folder, keep_camera=True)
        whole = fresh.render()
        assert not np.array_equal(whole, _picture_of(given, folder))
        assert (np.abs(changed.astype(int) - whole) > 8).any(axis=2).mean() < 1e-3
    finally:
        fresh.close()


def test_other_elements_need_everything_anew() -> None:
    given = resolve(scene()[0])
    assert redrawn(given, resolve(scene()[0].with_body("more", mass=1.0))) is None
    assert redrawn(given, given) == set()


def test_a_parameter_changes_what_depends_on_it(view: SceneView) -> None:
    given, folder = scene("double_four_bar")
    given = given.with_parameter("width", 0.02)
    given = set_value(given, "bodies.crank0.shapes.0.radius", "width")
    view.set_scene(given, folder)
    built = view.visuals_built
    view.change_scene(set_value(given, "parameters.width.value", 0.03), folder)
    assert 0 < view.visuals_built - built < built


def _picture_of(given: Scene, folder: Path) -> np.ndarray:
    made = SceneView((640, 480))
    try:
        made.set_scene(given, folder)
        return made.render().copy()
    finally:
        made.close()


@pytest.mark.parametrize("name", ["stewart_platform", "four_bar_spring_damper"])
def test_a_mechanism_that_starts_elsewhere_is_moved_not_drawn(view: SceneView, name: str) -> None:
    """Only springs, whose coils are as wide as their length asks for, are made anew."""
    given, folder = scene(name)
    start = compile_scene(given)
    poses = {body: (p + 0.02, R) for body, (p, R) in body_poses(Evaluator(start), start.q).items()}
    given = move_start(given, body_poses(Evaluator(start), start.q), before=start).after
    after = move_start(given, poses, before=compile_scene(given)).after
    assert any(a.position != b.position for a, b in zip(given.bodies, after.bodies, strict=True))
    view.set_scene(given, folder)
    before = dict(view.visuals)
    view.change_scene(after, folder)
    anew = {ref.where for ref, visual in view.visuals.items() if before[ref] is not visual}
    assert anew <= {"forces"}
    view.set_poses(poses)
    moved = view.render().copy()
    fresh = SceneView((640, 480))
    try:
        fresh.set_scene(given, folder)
        fresh.set_scene(after, folder, keep_camera=True)
        fresh.set_poses(poses)
        assert (np.abs(moved.astype(int) - fresh.render()) > 8).any(axis=2).mean() < 2e-3
    finally:
        fresh.close()


def test_a_joint_that_sits_elsewhere_is_drawn_again_with_its_body(view: SceneView) -> None:
    given, folder = scene("double_pendulum")
    (pin, *_) = (joint for joint in given.joints if joint.a.body == "world")
    view.set_scene(given, folder)
    before = dict(view.visuals)
    after = set_value(given, f"joints.{pin.name}.a.point", (0.1, 0.05))
    view.change_scene(after, folder)
    assert before[Ref("joints", pin.name)] is not view.visuals[Ref("joints", pin.name)]
