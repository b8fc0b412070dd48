"""The first picture holds the whole motion, and the viewer can go along with a body."""

import math
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest

from app.platform.resources import scene_paths
from app.session.recorded.run import Run
from app.viewport.camera.reach import known_box, reach_points
from app.viewport.motion.recorded_reach import recorded_points
from app.viewport.scene.framing import Framing
from app.viewport.scene.scene_view import SceneView
from engine import Scene, load_scene
from engine.simulation.live.live_simulation import LiveSimulation

SCENES = ("double_pendulum", "four_bar", "pantograph", "slider_crank", "spatial_four_bar")


def bodies(view: SceneView) -> Any:
    return {
        ref.name: np.concatenate([part.world_points() for part in visual.parts])
        for ref, visual in view.visuals.items()
        if ref.where == "bodies" and visual.parts
    }


@cache
def run_of(name: str, until: float = 3.0) -> Run:
    scene = load_scene(scene_paths()[name])
    simulation = LiveSimulation(scene)
    while simulation.t < until and not simulation.done:
        simulation.advance(until)
    return Run(1, scene, record=simulation.record)


def test_reach_is_worked_out_once_for_a_first_picture(
    view: SceneView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes as long as all else about the camera, where there are many bodies."""
    asked = []
    monkeypatch.setattr(Framing, "reach", lambda self, ask=Framing.reach: asked.append(1) or ask(self))
    view.set_scene(load_scene(scene_paths()["double_pendulum"]))
    assert len(asked) == 1


@pytest.mark.parametrize("name", SCENES)
def test_nothing_leaves_the_first_picture(view: SceneView, name: str) -> None:
    scene = load_scene(scene_paths()[name])
    view.set_scene(scene)
    camera = view.camera.state()
    run = run_of(name)
    for t in np.linspace(0.0, run.t_last, 40):
        view.set_poses(run.poses_at(t), t)
        pixels = view.camera.viewpoint.project(np.concatenate(list(bodies(view).values())))
        assert pixels.min() >= 0.0
        assert (pixels <= view.camera.size).all()
    assert view.camera.state() == camera


@pytest.mark.parametrize("name", SCENES)
def test_every_motion_stays_in_the_estimate(view: SceneView, name: str) -> None:
    scene = load_scene(scene_paths()[name])
    view.set_scene(scene)
    limit = reach_points(view.stage, bodies(view))
    low, high = limit.min(axis=0), limit.max(axis=0)
    slack = 0.05 * view.stage.extent  # pins are thicker than the eight outermost points tell
    run = run_of(name)
    for t in np.linspace(0.0, run.t_last, 40):
        view.set_poses(run.poses_at(t), t)
        cloud = np.concatenate(list(bodies(view).values()))
        assert (cloud > low - slack).all()
        assert (cloud < high + slack).all()


def test_the_slider_crank_is_bounded_exactly(view: SceneView) -> None:
    scene = load_scene(scene_paths()["slider_crank"])
    view.set_scene(scene)
    limit = reach_points(view.stage, bodies(view))
    # crank and rod of 1 m each: the slider reaches 2 m, the pin 1 m; slider and bars have their own size
    assert (limit[:, 0].min(), limit[:, 0].max()) == pytest.approx((-2.0, 2.0), abs=0.15)
    assert (limit[:, 1].min(), limit[:, 1].max()) == pytest.approx((-1.0, 1.0), abs=0.05)


def scissor_lift(stages: int) -> Scene:
    """Crossed bars of 1 m, nearly folded: 0.25 m high and 0.97 m wide per stage; its chain is long."""
    half, rise = 0.97, 0.25
    turn = math.atan2(rise, half)
    scene = Scene(space="planar")
    for k in range(stages):
        for name, x, angle in ((f"up {k}", 0.0, turn), (f"down {k}", half, math.pi - turn)):
            ends = [{"name": "a", "position": [0.0, 0.0]}, {"name": "b", "position": [1.0, 0.0]}]
            rod = {"kind": "rod", "start": [0, 0], "end": [1, 0], "radius": 0.02, "density": 1000.0}
            scene = scene.with_body(name, position=[x, rise * k], angle=angle, points=ends, shapes=[rod])
        a, b = {"body": f"up {k}", "point": [0.5, 0.0]}, {"body": f"down {k}", "point": [0.5, 0.0]}
        scene = scene.with_joint("revolute", f"middle {k}", a=a, b=b)
        if k:
            for one, other in (("up", "down"), ("down", "up")):
                a, b = {"body": f"{one} {k - 1}", "point": "b"}, {"body": f"{other} {k}", "point": "a"}
                scene = scene.with_joint("revolute", f"{one} {k}", a=a, b=b)
    return scene.with_joint(
        "revolute", "foot", a={"body": "world", "point": [0, 0]}, b={"body": "up 0", "point": "a"}
    )


def shares(view: SceneView, points: Any) -> Any:
    """How much of the picture points take, in x and y; more than 1 when some are outside."""
    middle = np.array(view.camera.size) / 2.0
    return np.abs(view.camera.viewpoint.project(points) - middle).max(axis=0) / middle


def test_issue_18_fit_all_fits_the_picture_and_not_what_the_chain_could_reach(view: SceneView) -> None:
    view.set_scene(scissor_lift(4))
    for fit in (lambda: None, view.framing.fit):  # the first picture, and F
        fit()
        taken = shares(view, np.concatenate(list(bodies(view).values())))
        assert 0.8 < taken.max() <= 1.0


def test_issue_18_fit_all_holds_the_recorded_motion(view: SceneView) -> None:
    """Without the box of the scene: a motion nobody told about."""
    run = run_of("four_bar")
    scene = msgspec.structs.replace(run.scene, view={}, traces=())
    view.set_scene(scene)
    view.framing.recorded = lambda: recorded_points(view, run)
    view.set_poses(run.poses_at(0.4), 0.4)
    view.framing.fit()
    clouds = []
    for t in np.linspace(0.0, run.t_last, 97):
        view.set_poses(run.poses_at(float(t)), float(t))
        clouds.append(np.concatenate(list(bodies(view).values())))
    taken = shares(view, np.concatenate(clouds))
    assert 0.8 < taken.max() <= 1.0


def test_issue_18_what_flew_away_is_fitted_where_it_is(view: SceneView) -> None:
    ball = {"kind": "sphere", "radius": 0.1, "density": 1000.0}
    scene = Scene(space="planar").with_body("ball", position=[0.0, 0.0], shapes=[ball])
    simulation = LiveSimulation(scene)
    while simulation.t < 3.0 and not simulation.done:
        simulation.advance(3.0)
    view.set_scene(scene)
    assert not len(recorded_points(view, Run(1, scene, record=simulation.record)))


@pytest.mark.parametrize(
    "box", [None, [], [[0, 0, 0]], "box", [[1, 1, 1], [0, 0, 0]], [[0, 0, "x"], [1, 1, 1]]]
)
def test_a_box_that_makes_no_sense_is_left_out(box: object) -> None:
    assert known_box({"box": box}) is None
    assert known_box({}) is None


def test_the_viewer_goes_along_with_a_body(view: SceneView) -> None:
    scene = load_scene(scene_paths()["bicycle"])
    view.set_scene(scene)
    assert view.followed == "frame"
    before = view.camera.viewpoint.project(view.queries.position_of(_ref("frame")))
    poses = {
        name: (p + np.array([50.0, -3.0, 0.0]), R)
        for name, (p, R) in view.stage.poses.items()
        if name != "world"
    }
    view.set_poses(poses, 1.0)
    assert view.camera.viewpoint.project(view.queries.position_of(_ref("frame"))) == pytest.approx(
        before, abs=0.5
    )
    view.follow("")
    view.set_poses(poses, 2.0)
    assert view.followed == ""


def test_an_edit_forgets_where_the_motion_went(view: SceneView) -> None:
    scene = load_scene(scene_paths()["pantograph"])
    view.set_scene(scene)
    assert view.framing.box is not None
    view.set_scene(msgspec.structs.replace(scene, title="another"), keep_camera=True)
    assert view.framing.box is None


def _ref(name: str) -> Any:
    from app.document.document import Ref

    return Ref("bodies", name)


def test_issue_17_a_body_that_is_nowhere_bounds_nothing(view: SceneView) -> None:
    scene = load_scene(scene_paths()["spatial_four_bar"])
    first, *others = scene.bodies
    lost = msgspec.structs.replace(first, position=("1/0", 0.0, 0.0))
    view.set_scene(msgspec.structs.replace(scene, bodies=(lost, *others)))
    assert set(bodies(view)) >= {body.name for body in others if body.shapes}
    assert np.isfinite(view.camera.state()["position"]).all()
