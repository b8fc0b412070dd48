"""Moving by handles: along arrows, in squares, about rings; snapped, typed, taken back; linkages follow."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.document.document import Ref, refs_of
from app.platform.resources import scene_paths
from app.tools.move.handles import RING, SIZE, SQUARE, Gizmo, Handle
from app.tools.move.move_tool import MoveTool
from engine.model.files.scene_file import load_scene
from engine.model.scene import Scene
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.app.tools.test_dragging import Mouse, four_bar, shown, world

ALT = Qt.KeyboardModifier.AltModifier
X, Y, Z = np.eye(3)


def blocks(space: str) -> Scene:
    scene = Scene(space=space)  # type: ignore[arg-type]
    inertia = [0.1] if space == "planar" else [0.1, 0.2, 0.3]
    size = [0.3, 0.2, 0.1]
    for name, position in (("one", [0.13, 0.21, 0.0]), ("two", [1.4, 0.8, 0.0])):
        scene = scene.with_body(
            name, mass=1.0, inertia=inertia, position=position, shapes=[{"kind": "box", "size": size}]
        )
    return scene


@pytest.fixture(params=["planar", "spatial"])
def viewport(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Any) -> Iterator[Any]:
    with shown(qtbot, blocks(request.param), tmp_path) as widget:
        widget._session.selection.set([Ref("bodies", "one")])
        widget.use_tool("move")
        yield widget


def spot(viewport: Any, handle: Handle, share: float = 0.8) -> QPoint:
    """A pixel on a handle."""
    gizmo = viewport.tool.gizmo()
    points = gizmo.outline(handle)
    if handle.kind == "square":
        at = points[:4].mean(axis=0)
    elif handle.kind == "arrow":
        at = points[round(share * (len(points) - 1))]
    else:
        at = points[6]
    x, y = viewport.view.camera.project(at)
    return QPoint(round(x), round(y))


def drag(viewport: Any, qtbot: QtBot, start: QPoint, by: QPoint, *, free: bool = False) -> None:
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    mouse = Mouse(viewport, qtbot)
    mouse.move(start + by / 2)
    if free:
        from PySide6.QtCore import QPointF

        from app.tools.base import Pointer

        viewport.tool.drag(Pointer(QPointF(start + by), ALT))
        mouse.at = start + by
    else:
        mouse.move(start + by)


def pose(viewport: Any, name: str = "one") -> tuple[Any, Any]:
    return viewport._session.poses()[name]


def test_an_arrow_moves_along_its_axis_only(viewport: Any, qtbot: QtBot) -> None:
    before = pose(viewport)[0].copy()
    start = spot(viewport, Handle("arrow", 0))
    drag(viewport, qtbot, start, QPoint(70, 20), free=True)
    shift = pose(viewport)[0] - before
    assert shift[0] > 0.05
    np.testing.assert_allclose(shift[1:], 0.0, atol=1e-12)
    assert viewport._session.document.stack.count() == 0
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=start + QPoint(70, 20))
    after = viewport._session.document.scene.body("one")
    np.testing.assert_allclose(after.position, before + shift, atol=1e-12)
    assert viewport._session.document.stack.undoText() == "Move one"
    viewport._session.document.stack.undo()
    np.testing.assert_allclose(pose(viewport)[0], before, atol=1e-12)


def test_an_arrow_snaps_to_the_grid_and_to_other_bodies(viewport: Any, qtbot: QtBot) -> None:
    gizmo = viewport.tool.gizmo()
    # a place beside the other body: level with it
    viewport.tool._take(Handle("arrow", 1))
    near = 0.8 - 0.21 + 3.0 * gizmo.size / SIZE  # three pixels off
    assert viewport.tool._snap(np.array([near]), free=False)[0] == pytest.approx(0.8 - 0.21)
    assert "level with" in viewport.tool._snapped.title
    assert viewport.tool._snap(np.array([near]), free=True)[0] == near
    # elsewhere: a whole part of the grid, counted in the world
    at = 0.21 + viewport.tool._snap(np.array([-3.3]), free=False)[0]
    from app.tools.snapping import grid_step

    cell = grid_step(gizmo.size / SIZE) / 5.0
    assert at / cell == pytest.approx(round(at / cell), abs=1e-9)


def test_a_ring_turns_by_whole_steps_or_freely(viewport: Any, qtbot: QtBot) -> None:
    origin, R = (part.copy() for part in pose(viewport))
    viewport.tool._take(Handle("ring", 2))
    viewport.tool._amounts = viewport.tool._snap(np.array([math.radians(43.0)]), free=False)
    viewport.tool._show()
    c = math.sqrt(0.5)
    np.testing.assert_allclose(pose(viewport)[1] @ R.T, [[c, -c, 0], [c, c, 0], [0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(pose(viewport)[0], origin, atol=1e-12)  # about its centre of mass
    viewport.tool._commit()
    after = viewport._session.document.scene.body("one")
    if viewport.view.stage.planar:
        assert after.angle == pytest.approx(math.pi / 4)
    else:
        assert after.orientation[3] == pytest.approx(math.sin(math.pi / 8))


def test_numbers_are_typed_while_a_handle_is_held(viewport: Any, qtbot: QtBot) -> None:
    before = pose(viewport)[0].copy()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=spot(viewport, Handle("arrow", 1)))
    qtbot.keyClicks(viewport, "25 mm")
    viewport.grab()
    qtbot.keyClick(viewport, Qt.Key.Key_Return)
    np.testing.assert_allclose(pose(viewport)[0] - before, 0.025 * Y, atol=1e-12)
    assert viewport._session.document.stack.count() == 1
    assert isinstance(viewport.tool, MoveTool)
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=spot(viewport, Handle("arrow", 1)))
    qtbot.keyClicks(viewport, "nonsense")
    qtbot.keyClick(viewport, Qt.Key.Key_Escape)
    qtbot.keyClick(viewport, Qt.Key.Key_Escape)
    assert viewport._session.document.stack.count() == 1


def test_escape_while_dragging_puts_it_back(viewport: Any, qtbot: QtBot) -> None:
    before = pose(viewport)[0].copy()
    start = spot(viewport, Handle("square", 2))
    drag(viewport, qtbot, start, QPoint(60, -40))
    assert np.linalg.norm(pose(viewport)[0] - before) > 0.02
    viewport.grab()
    qtbot.keyClick(viewport, Qt.Key.Key_Escape)
    np.testing.assert_array_equal(pose(viewport)[0], before)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=start + QPoint(60, -40))
    assert viewport._session.document.stack.count() == 0


def test_own_axes_turn_with_the_body(viewport: Any, qtbot: QtBot) -> None:
    viewport.tool._take(Handle("ring", 2))
    viewport.tool._amounts = np.array([0.5])
    viewport.tool._show()
    viewport.tool._commit()
    qtbot.keyClick(viewport, Qt.Key.Key_L)
    assert "own axes" in viewport.tool.hint
    np.testing.assert_allclose(
        viewport.tool.gizmo().axes[:, 0], [math.cos(0.5), math.sin(0.5), 0.0], atol=1e-9
    )


def test_a_linkage_follows_its_handle(qtbot: QtBot, tmp_path: Any) -> None:
    with shown(qtbot, four_bar(), tmp_path) as viewport:
        session = viewport._session
        session.selection.set([Ref("bodies", "crank")])
        viewport.use_tool("move")
        viewport.tool._take(Handle("ring", 2))
        viewport.tool._amounts = np.array([0.4])
        before = world(session, "crank", "A")
        viewport.tool._show()
        c, s = math.cos(0.4), math.sin(0.4)
        turned = np.array([c * before[0] - s * before[1], s * before[0] + c * before[1], 0.0])
        # the crank turns about its pin, as it must, by the angle that was asked for
        np.testing.assert_allclose(world(session, "crank", "A"), turned, atol=1e-5)
        viewport.tool._commit()
        closed = compile_scene(session.document.scene)
        assert np.abs(Evaluator(closed).at(0.0, closed.q).phi).max() <= 1e-9
        assert session.document.stack.count() == 1


def test_points_joints_and_the_ground_are_moved_too(qtbot: QtBot, tmp_path: Any) -> None:
    base = {"kind": "box", "size": [0.2, 0.2, 0.1]}
    scene = four_bar().with_body("base", fixed=True, position=[0.4, -0.3], shapes=[base])
    with shown(qtbot, scene, tmp_path) as viewport:
        session = viewport._session

        def moved(ref: Ref, shift: list[float]) -> Scene:
            session.selection.set([ref])
            viewport.use_tool("move")
            viewport.tool._take(Handle("square", 2))
            viewport.tool._amounts = np.array(shift)
            viewport.tool._show()
            viewport.grab()
            viewport.tool._commit()
            return session.document.scene

        after = moved(Ref("bodies", "base"), [0.1, 0.2])
        np.testing.assert_allclose(after.body("base").position[:2], [0.5, -0.1], atol=1e-12)
        after = moved(Ref("bodies", "coupler", "B"), [0.0, 0.05])
        np.testing.assert_allclose(after.body("coupler").point("B").position[:2], [0.75, 0.6], atol=1e-9)
        after = moved(Ref("joints", "Q rocker"), [0.02, 0.0])
        joint: Any = after.joint("Q rocker")
        np.testing.assert_allclose(joint.a.point[:2], [0.82, 0.0], atol=1e-9)
        assert session.document.stack.count() == 3
        session.selection.clear()
        assert viewport.tool.gizmo() is None
        assert "Select" in viewport.tool.hint


def test_what_is_no_body_has_no_handles(qtbot: QtBot, tmp_path: Any) -> None:
    with shown(qtbot, load_scene(scene_paths()["stewart_platform"]), tmp_path) as viewport:
        session = viewport._session
        viewport.use_tool("move")
        for ref in (*refs_of(session.document.scene), Ref("simulation", ""), Ref("scene", "gravity")):
            session.selection.set([ref])
            assert (viewport.tool.gizmo() is None) == (ref.where not in ("bodies", "joints")), ref


def test_amounts_of_a_line_of_sight() -> None:
    gizmo = Gizmo(np.array([1.0, 2.0, 0.0]), np.eye(3), 1.0, planar=False)
    eye = np.array([1.4, 2.3, 5.0])
    assert gizmo.amounts(Handle("arrow", 0), eye, -Z) == pytest.approx([0.4])
    assert gizmo.amounts(Handle("square", 2), eye, -Z) == pytest.approx([0.4, 0.3])
    assert gizmo.amounts(Handle("ring", 2), eye, -Z) == pytest.approx([math.atan2(0.3, 0.4)])
    assert gizmo.amounts(Handle("arrow", 2), eye, -Z) is None  # it points at the viewer
    assert gizmo.amounts(Handle("ring", 0), eye, -Z) is None  # seen from its edge
    flat = lambda p: p[:, :2]  # noqa: E731
    assert gizmo.under(np.array([1.7, 2.0]), lambda p: 100.0 * flat(p) / 100.0) is not None
    middle = sum(SQUARE) / 2.0
    assert gizmo.under(100.0 * np.array([1.0 + middle, 2.0 + middle]), lambda p: 100.0 * flat(p)) == Handle(
        "square", 2
    )
    on_ring = 100.0 * (np.array([1.0, 2.0]) + RING * np.array([-0.6, -0.8]))
    assert gizmo.under(on_ring, lambda p: 100.0 * flat(p)) == Handle("ring", 2)
