"""The view, measured: where things are in the picture, what picking finds, what changes pixels."""

import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from app.document.document import EMPTY
from app.document.element_ref import Ref
from app.platform.resources import scene_paths
from app.viewport.canvas.style import Style
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals import SYMBOLS
from app.viewport.visuals.marks.arrows import Arrow
from engine import FORCES, JOINTS, MOTIONS
from tests.app.viewport.scenes import chain, crank_with_a_red_tip, red_blob, shipped, turned

CRANK = Ref("bodies", "crank")


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_the_crank_is_where_the_kinematics_says(scale: float) -> None:
    view = SceneView((round(640 * scale), round(480 * scale)), scale)
    view.set_scene(crank_with_a_red_tip())
    for angle in (0.0, 0.7, 2.0, 4.4):
        view.set_poses({"crank": (np.zeros(3), turned(angle))})
        tip = 0.5 * np.array([np.cos(angle), np.sin(angle), 0.0])
        assert np.hypot(*(np.array(red_blob(view.render())) - view.camera.project(tip))) < 2.0
    view.close()


@pytest.mark.parametrize("name", ["iso", "front", "right", "top"])
@pytest.mark.parametrize("orthographic", [False, True])
def test_project_agrees_with_the_picture_in_space(view: SceneView, name: str, orthographic: bool) -> None:
    scene = chain(3).with_body(
        "ball",
        mass=1.0,
        inertia=[1.0, 1.0, 1.0],
        position=[0.2, 0.1, 0.3],
        color="#FF0000",
        shapes=[{"kind": "sphere", "radius": 0.03}],
    )
    view.set_scene(scene)
    view.camera.orthographic(orthographic)
    view.view(name)
    # a perspective picture of a ball is not centred exactly on the ball's centre
    assert np.hypot(*(np.array(red_blob(view.render())) - view.camera.project([0.2, 0.1, 0.3]))) < 2.0


def test_unproject_is_the_inverse_of_project(view: SceneView) -> None:
    view.set_scene(shipped("bricard"))
    point = np.array([0.3, -0.4, 0.2])
    np.testing.assert_allclose(
        view.camera.unproject(*view.camera.project(point), through=point), point, atol=1e-9
    )


def test_a_pick_returns_what_is_there_from_front_to_back(view: SceneView) -> None:
    view.set_scene(shipped("four_bar"))
    view.render()
    middle = view.queries.position_of(CRANK)
    assert view.queries.pick(*view.camera.project(middle))[0] == CRANK
    on_joint = view.queries.pick(*view.camera.project(view.queries.position_of(Ref("joints", "B"))))
    assert on_joint[0] == Ref("joints", "B")
    assert {CRANK, Ref("bodies", "coupler")} <= set(on_joint)
    assert view.queries.pick(2, 2) == []


def test_a_pick_is_quick(view: SceneView, record_property: pytest.FixtureRequest) -> None:
    view.set_scene(chain(100))
    view.render()
    x, y = view.camera.project(view.queries.position_of(Ref("bodies", "b50")))
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        assert view.queries.pick(x, y)
        times.append(time.perf_counter() - begin)
    print(f"\npick among 100 bodies: {1e3 * sorted(times)[10]:.2f} ms")  # noqa: T201


def test_a_rectangle_takes_what_is_inside(view: SceneView) -> None:
    view.set_scene(shipped("four_bar"))
    everything = view.queries.pick_rect(0, 0, *view.camera.size)
    assert CRANK in everything
    x, y = view.camera.project(view.queries.position_of(CRANK))
    assert view.queries.pick_rect(x - 3, y - 3, x + 3, y + 3) == []
    assert CRANK in view.queries.pick_rect(x - 60, y - 60, x + 60, y + 60, touching=True)


def test_hover_and_selection_change_pixels_and_back(view: SceneView) -> None:
    view.set_scene(shipped("double_four_bar"))
    plain = view.render().copy()
    body = Ref("bodies", "coupler1")
    pictures = [plain]
    for refs, hovers in (([], [body]), ([body], []), ([body], [Ref("bodies", "crank0")])):
        view.set_selection(refs, hovers)
        picture = view.render().copy()
        assert all((picture != other).any() for other in pictures)
        pictures.append(picture)
    view.set_selection([])
    np.testing.assert_array_equal(view.render(), plain)


def test_layers_do_not_flicker() -> None:
    """Bars that lie upon each other: the upper one is seen alone, whatever the viewer's distance."""
    scene = crank_with_a_red_tip().with_body(
        "upper",
        layer=1,
        color="#00C000",
        mass=1.0,
        inertia=[0.1],
        shapes=[{"kind": "rod", "start": [0, 0], "end": [0.5, 0], "radius": 0.02}],
    )
    view = SceneView((640, 480))
    view.set_scene(scene)
    view.set_style(Style(joints=False, grid=False))
    for factor in (1.0, 1.01, 1.3, 0.7):
        view.camera.zoom(factor)
        first = view.render().copy()
        view.camera.dirty = True
        np.testing.assert_array_equal(view.render(), first)
        x, y = (round(v) for v in view.camera.project([0.25, 0.0, 0.0]))
        strip = first[y - 3 : y + 4, x - 30 : x + 31].astype(int)
        assert (strip[..., 1] > strip[..., 2] + 40).all()
    view.close()


def test_bars_that_fall_together_in_space_do_not_flicker(view: SceneView) -> None:
    """Two equal rods in the same place: the picture shows one of them, without spots of the other."""
    scene = chain(1).with_body(
        "twin",
        color="#FF0000",
        mass=1.0,
        inertia=[0.1, 0.1, 0.1],
        shapes=[{"kind": "rod", "start": [0, 0, 0], "end": [0.2, 0, 0], "radius": 0.02}],
    )
    view.set_scene(scene)
    view.set_style(Style(joints=False, grid=False))
    for angle in (0, 17, 31):
        view.camera.orbit(angle, 5)
        x, y = (round(v) for v in view.camera.project([0.1, 0.0, 0.0]))
        patch = view.render()[y - 4 : y + 5, x - 15 : x + 16].astype(int)
        red = patch[..., 0] > patch[..., 2]
        assert red.all() or not red.any()


def test_only_a_change_draws_again(view: SceneView) -> None:
    view.set_scene(shipped("pendulum"))
    first = view.render()
    assert not view.dirty
    assert view.render() is first
    view.set_poses({"bob": (np.array([0.0, -1.0, 0.0]), turned(1.5))})
    assert view.dirty
    assert view.render() is not first


def test_a_spring_stretches_with_its_ends(view: SceneView) -> None:
    view.set_scene(shipped("flyball_governor"))
    coil = view.visuals[Ref("forces", shipped("flyball_governor").forces[0].name)].parts[0]
    before = np.ptp(coil.world_points(), axis=0)
    view.set_poses({"slider": (np.array([0.0, 0.0, 0.1]), np.eye(3))})
    assert np.linalg.norm(np.ptp(coil.world_points(), axis=0)) > np.linalg.norm(before)


def test_no_actor_is_made_while_running(view: SceneView) -> None:
    view.set_scene(shipped("stewart_platform"))
    actors = list(view.camera.renderer.GetActors())
    for i in range(5):
        view.set_poses({"platform": (np.array([0.0, 0.0, 1.1 + 0.01 * i]), np.eye(3))}, t=0.1 * i)
        view.render()
    assert list(view.camera.renderer.GetActors()) == actors


@pytest.mark.parametrize("name", list(scene_paths()))
@pytest.mark.parametrize("dark", [False, True])
def test_every_shipped_scene_is_drawn_whole(view: SceneView, name: str, dark: bool) -> None:
    view.set_style(Style(dark=dark, grid=False))
    view.set_scene(shipped(name), Path())
    scene = view.scene
    for where in ("bodies", "joints", "forces", "motions"):
        for item in getattr(scene, where):
            assert Ref(where, item.name) in view.visuals
    picture = view.render()[..., :3].astype(int)
    # the background changes from top to bottom only
    drawn = (np.abs(picture - picture[:, :1]) > 12).any(axis=2)
    assert drawn.mean() > 0.004
    assert not drawn[:4].any()
    assert not drawn[-4:].any()


def test_every_symbol_of_the_engine_has_a_visual() -> None:
    for kinds in (JOINTS, FORCES, MOTIONS):
        for kind in kinds:
            assert kind.symbol in SYMBOLS


def test_style_shows_and_hides(view: SceneView) -> None:
    view.set_scene(shipped("four_bar"))
    pictures = [view.render().copy()]
    for style in (
        Style(frames=True),
        Style(com=True),
        Style(labels=True),
        Style(joints=False),
        Style(grid=False),
        Style(dark=True),
    ):
        view.set_style(style)
        pictures.append(view.render().copy())
    for i, one in enumerate(pictures):
        assert all((one != other).any() for other in pictures[i + 1 :])


def test_traces_and_arrows_are_drawn(view: SceneView) -> None:
    view.set_scene(shipped("pendulum"))
    view.set_style(Style(arrows=True))
    plain = view.render().copy()
    trace = Ref("traces", "path of the mass")
    view.set_trace(trace, [[-1, 0, 0], [-0.8, -0.6, 0], [0, -1, 0]])
    with_trace = view.render().copy()
    assert (with_trace != plain).any()
    view.set_arrows([Arrow(np.zeros(3), np.array([0.3, 0.3, 0.0]))])
    assert (view.render() != with_trace).any()
    view.set_arrows([])
    view.set_trace(trace, np.zeros((0, 3)))
    np.testing.assert_array_equal(view.render(), plain)


@pytest.mark.parametrize("name", ["pendulum", "spatial_four_bar"])
def test_a_point_that_has_not_moved_yet_is_marked(view: SceneView, name: str) -> None:
    """A trace was told by nothing in the picture until it moved; the dot lies before the body it is on."""
    scene = shipped(name)
    view.set_scene(scene)
    body = scene.bodies[-1].name
    here = view.stage.world_point(view.queries.frames_of(Ref("bodies", body))[0])
    plain = view.render().astype(int)
    view.set_trace(Ref("traces", scene.traces[0].name), [here])
    changed = np.argwhere(np.abs(view.render().astype(int) - plain).max(axis=2) > 40)
    x, y = view.camera.project(here)
    assert len(changed) > 8
    np.testing.assert_allclose(changed.mean(axis=0), [y, x], atol=2.0)


def test_zoom_keeps_what_is_under_the_cursor(view: SceneView) -> None:
    for name in ("four_bar", "bricard"):
        view.set_scene(shipped(name))
        under = view.camera.unproject(200, 130)
        view.camera.zoom(1.7, 200, 130)
        assert view.camera.project(under) == pytest.approx((200, 130), abs=1e-6)


def test_a_planar_scene_is_panned_where_a_spatial_one_is_turned(view: SceneView) -> None:
    view.set_scene(shipped("four_bar"))
    before = view.camera.project([0.0, 0.0, 0.0])
    view.camera.orbit(30, 10)
    assert view.camera.project([0.0, 0.0, 0.0]) == pytest.approx((before[0] + 30, before[1] + 10))
    view.view("iso")
    assert not view.camera.flat


@pytest.mark.parametrize("up", ["x", "y", "z", "-z"])
def test_up_is_up_in_every_side_view(view: SceneView, up: str) -> None:
    direction = np.zeros(3)
    direction["xyz".index(up[-1])] = -1.0 if up.startswith("-") else 1.0
    view.set_scene(chain(2))
    scene = chain(2)
    import msgspec

    view.set_scene(msgspec.structs.replace(scene, up=up))
    for name in ("front", "back", "left", "right", "iso"):
        view.view(name)
        low, high = view.camera.project(np.zeros(3)), view.camera.project(0.1 * direction)
        assert high[1] < low[1]


def test_a_body_without_shapes_is_drawn_between_its_joints(view: SceneView) -> None:
    from engine import Scene

    scene = Scene(space="planar").with_body(
        "bar",
        mass=1.0,
        inertia=[1.0],
        points=[{"name": "P", "position": [0, 0]}, {"name": "Q", "position": [1, 0]}],
    )
    view.set_scene(scene)
    view.render()
    assert view.queries.pick(*view.camera.project([0.5, 0.0, 0.0])) == [Ref("bodies", "bar")]


def test_a_broken_scene_is_drawn_as_far_as_it_goes(view: SceneView) -> None:
    scene = crank_with_a_red_tip().with_joint("revolute", "lost", a={"body": "nobody"}, b={"body": "crank"})
    scene = scene.with_body("odd", position=["no_such_parameter", 0], mass=1.0)
    view.set_scene(scene)
    assert CRANK in view.visuals
    assert Ref("joints", "lost") not in view.visuals
    view.render()


@pytest.mark.parametrize("name", ["double_four_bar", "chain of 100"])
def test_frame_time(name: str) -> None:
    scene = chain(100) if name.startswith("chain") else shipped(name)
    view = SceneView((800, 600))
    view.set_scene(scene)
    view.render()
    poses = dict(view.stage.poses)
    times = []
    for _ in range(15):
        begin = time.perf_counter()
        view.set_poses(poses)
        view.render()
        times.append(time.perf_counter() - begin)
    print(f"\n{name}: {1e3 * sorted(times)[7]:.1f} ms per frame at 800×600")  # noqa: T201
    view.close()


def test_nothing_of_vtk_is_left_after_close(no_vtk_left: None) -> None:
    view = SceneView((320, 240))
    view.set_scene(shipped("andrews"))
    view.set_selection([Ref("bodies", "K1")])
    view.render()
    view.queries.pick(100, 100)
    view.close()
    view.close()


def test_issue_18_an_empty_scene_looks_the_same_whatever_was_there_before(view: SceneView) -> None:
    view.set_scene(EMPTY)
    fresh = view.render().copy()
    assert len(np.unique(fresh[view.camera.size[1] // 3], axis=0)) > 1  # lines of the grid across a row
    view.set_scene(shipped("four_bar"))
    view.render()
    view.set_scene(EMPTY)
    np.testing.assert_array_equal(view.render(), fresh)


@pytest.mark.parametrize(
    ("path", "value"),
    [("bodies.coupler.position", (1e99, 0.0)), ("bodies.coupler.inertia", (1.0, 1.0))],
    ids=["beyond what can be drawn", "no inertia"],
)
def test_issue_17_a_scene_with_problems_is_drawn(view: SceneView, path: str, value: object) -> None:
    scene, field = shipped("four_bar"), path.rpartition(".")[2]
    changed = msgspec.structs.replace(scene.body("coupler"), **{field: value})
    bodies = tuple(changed if body.name == "coupler" else body for body in scene.bodies)
    view.set_scene(msgspec.structs.replace(scene, bodies=bodies))
    assert Ref("bodies", "coupler") in view.visuals
