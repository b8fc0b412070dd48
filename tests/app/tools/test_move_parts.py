"""Handles on parts: shapes and points of a body, and joints, which move and turn on both their bodies."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.document.document import Ref
from app.document.element_ref import Piece
from app.edits.geometry.joint_frames import frames_of
from app.edits.geometry.move_on_body import move_joint, move_shape
from app.platform.resources import scene_paths
from app.tools.move.handles import Handle
from app.tools.move.part_subjects import JointSubject, ShapeSubject
from app.tools.move.subjects import subject_of
from app.tools.part_picking import first_hit
from engine.elements.base import AxisAngle
from engine.model.files.scene_file import load_scene
from engine.model.mass import mass_properties, rotation
from engine.model.scene import Scene
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.app.tools.sheet import LEFT, Sheet

QUARTER = rotation(AxisAngle(axis=(0.0, 0.0, 1.0), angle=math.pi / 2.0))
SKEW = rotation(AxisAngle(axis=(2.0, -1.0, 3.0), angle=0.7))


def compound(space: str = "planar") -> Scene:
    """Two boxes and a point on one body that stands askew, the second box with a density."""
    turned: dict[str, Any] = (
        {"angle": 0.3} if space == "planar" else {"orientation": {"axis": [1, 2, 0.5], "angle": 0.8}}
    )
    return (
        Scene(space=space)
        .with_parameter("h", 0.05)
        .with_body(
            "frame",
            position=[0.1, 0.05, 0.0],
            **turned,
            points=[{"name": "P", "position": [0.0, 0.25, 0.0]}],
            shapes=[
                {"kind": "box", "size": [0.1, 0.1, 0.05], "density": 1000.0},
                {"kind": "box", "size": [0.1, 0.1, 0.05], "position": [0.3, "h", 0.0], "density": 1000.0},
            ],
        )
    )


def spot(sheet: Sheet, handle: Handle, share: float = 0.8) -> QPoint:
    """A pixel on a handle."""
    points = sheet.viewport.tool.gizmo().outline(handle)
    x, y = sheet.viewport.view.camera.project(points[round(share * (len(points) - 1))])
    return QPoint(round(x), round(y))


def drag(sheet: Sheet, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(sheet.viewport, LEFT, pos=start)
    QTest.mouseMove(sheet.viewport, (start + end) / 2)
    QTest.mouseMove(sheet.viewport, end)
    sheet.viewport.grab()
    QTest.mouseRelease(sheet.viewport, LEFT, pos=end)


def pixel(sheet: Sheet, p: Any) -> QPoint:
    x, y = sheet.viewport.view.camera.project(np.asarray(p, float))
    return QPoint(round(x), round(y))


@pytest.fixture
def frame(sheet: Sheet) -> Iterator[Sheet]:
    """A compound body, with the move tool in hand."""
    sheet.session.document.load(compound())
    sheet.viewport.fit()
    sheet.session.selection.clear()
    sheet.take("move")
    yield sheet
    sheet.session.selection.clear()


def place_of(sheet: Sheet, p: tuple[float, ...]) -> np.ndarray:
    origin, R = sheet.viewport.view.stage.poses.get("frame")
    return origin + R @ np.array(p)


def test_a_second_click_takes_the_shape_a_third_one_the_body(frame: Sheet) -> None:
    at = pixel(frame, place_of(frame, (0.3, 0.05, 0.0)))
    QTest.mouseClick(frame.viewport, LEFT, pos=at)
    assert frame.session.selection.refs == (Ref("bodies", "frame"),)
    assert "click again" in frame.viewport.tool.hint
    QTest.mouseClick(frame.viewport, LEFT, pos=at)
    assert frame.session.selection.piece == Piece("shapes", 1)
    assert "box 2 of frame" in frame.viewport.tool.hint
    # the handles have moved to the shape, so it is clicked beside them
    QTest.mouseClick(frame.viewport, LEFT, pos=at + QPoint(-16, 16))
    assert frame.session.selection.piece is None
    point = pixel(frame, place_of(frame, (0.0, 0.25, 0.0)))
    QTest.mouseClick(frame.viewport, LEFT, pos=point)
    assert frame.session.selection.piece == Piece("points", 0)
    QTest.keyClick(frame.viewport, Qt.Key.Key_Escape)
    assert frame.session.selection.piece is None
    assert frame.session.selection.refs == (Ref("bodies", "frame"),)


def test_a_shape_is_turned_and_moved_by_its_handles_and_the_body_stays(frame: Sheet) -> None:
    frame.session.selection.set([Ref("bodies", "frame")])
    frame.session.selection.set_piece(Piece("shapes", 1))
    stack = frame.session.document.stack
    before, begin = frame.scene, stack.count()
    gizmo = frame.viewport.tool.gizmo()
    np.testing.assert_allclose(gizmo.centre, place_of(frame, (0.3, 0.05, 0.0)), atol=1e-12)
    ring = gizmo.outline(Handle("ring", 2))
    drag(frame, pixel(frame, ring[4]), pixel(frame, ring[4 + 12]))  # a quarter of 48 pieces
    body = frame.scene.body("frame")
    assert body.shapes[1].angle == pytest.approx(math.pi / 2.0)
    assert body.shapes[1].position == before.body("frame").shapes[1].position  # the expression, too
    assert body.position == before.body("frame").position
    assert stack.count() == begin + 1
    start = spot(frame, Handle("arrow", 0))
    drag(frame, start, start + QPoint(40, 0))
    moved = frame.scene.body("frame").shapes[1]
    shift = np.array(moved.position) - (0.3, 0.05, 0.0)
    assert np.linalg.norm(shift) > 0.01
    np.testing.assert_allclose(rotation((1, 0, 0, 0), 0.3) @ shift, [np.linalg.norm(shift), 0, 0], atol=1e-12)
    assert moved.angle == pytest.approx(math.pi / 2.0)
    assert stack.count() == begin + 2
    stack.undo()
    stack.undo()
    assert frame.scene == before


def test_a_point_is_moved_by_typed_numbers(frame: Sheet) -> None:
    frame.session.selection.set([Ref("bodies", "frame")])
    frame.session.selection.set_piece(Piece("points", 0))
    frame.viewport.tool.own_axes = True
    QTest.mouseClick(frame.viewport, LEFT, pos=spot(frame, Handle("arrow", 1)))
    frame.type("50 mm")
    assert frame.scene.body("frame").point("P").position[:2] == pytest.approx((0.0, 0.3))
    frame.viewport.tool.own_axes = False


def test_escape_in_a_drag_of_a_shape_leaves_it(frame: Sheet) -> None:
    frame.session.selection.set([Ref("bodies", "frame")])
    frame.session.selection.set_piece(Piece("shapes", 0))
    before, start = frame.scene, spot(frame, Handle("arrow", 0))
    QTest.mousePress(frame.viewport, LEFT, pos=start)
    QTest.mouseMove(frame.viewport, start + QPoint(50, 0))
    QTest.keyClick(frame.viewport, Qt.Key.Key_Escape)
    QTest.mouseRelease(frame.viewport, LEFT, pos=start + QPoint(50, 0))
    assert frame.scene is before


def test_a_piece_that_is_gone_leaves_the_handles_on_the_body(frame: Sheet) -> None:
    frame.session.selection.set([Ref("bodies", "frame")])
    frame.session.selection.set_piece(Piece("shapes", 7))
    frame.viewport.grab()
    assert not isinstance(subject_of(frame.viewport, frame.session), ShapeSubject)
    assert frame.viewport.tool.hint


def test_turning_a_shape_turns_its_inertia() -> None:
    """I' = R I Rᵀ about the same centre: the other shape is far enough to see a dropped term."""
    scene = Scene(space="spatial").with_body(
        "b", shapes=[{"kind": "box", "size": [0.1, 0.2, 0.4], "position": [0.1, -0.2, 0.3], "density": 700.0}]
    )
    old = mass_properties(scene.body("b"), "spatial")
    after = move_shape(scene, Ref("bodies", "b"), 0, np.array([0.01, 0.02, -0.03]), SKEW, old.com).after
    new = mass_properties(after.body("b"), "spatial")
    np.testing.assert_allclose(new.com, old.com + np.array([0.01, 0.02, -0.03]), atol=1e-15)
    np.testing.assert_allclose(new.inertia, SKEW @ old.inertia @ SKEW.T, atol=1e-15)


def placed_frames(scene: Scene, name: str) -> list[tuple[np.ndarray, np.ndarray]]:
    pair = frames_of(scene, scene.joint(name))
    return [(frame.p_W, frame.axes_W) for frame in pair]


@pytest.mark.parametrize("name", ["spatial_slider_crank", "slider_crank"])
def test_a_joint_that_is_moved_and_turned_stays_assembled(name: str) -> None:
    """Both frames go through one motion of space, so what the joint reads stays as it was."""
    scene = load_scene(scene_paths()[name])
    planar = scene.space == "planar"
    shift = np.array([0.02, -0.03, 0.0 if planar else 0.01])
    turn = rotation((1.0, 0.0, 0.0, 0.0), 0.4) if planar else SKEW
    for joint in scene.joints:
        if not hasattr(joint, "a"):
            continue
        old = placed_frames(scene, joint.name)
        after = move_joint(scene, Ref("joints", joint.name), shift, turn, old[0][0]).after
        for (p, axes), (q, turned) in zip(old, placed_frames(after, joint.name), strict=True):
            np.testing.assert_allclose(q, old[0][0] + turn @ (p - old[0][0]) + shift, atol=1e-12)
            np.testing.assert_allclose(turned, turn @ axes, atol=1e-12)
        residuals = []
        for given in (scene, after):
            mechanism = compile_scene(given)
            residuals.append(np.array(Evaluator(mechanism).at(0.0, mechanism.q).phi))
        np.testing.assert_allclose(residuals[1], residuals[0], atol=1e-9)


def test_a_joint_is_turned_by_its_ring(sheet: Sheet) -> None:
    sheet.session.document.load(load_scene(scene_paths()["spatial_slider_crank"]))
    sheet.viewport.fit()
    before, stack = sheet.scene, sheet.session.document.stack
    sheet.session.selection.set([Ref("joints", "guide")])
    sheet.take("move")
    assert isinstance(subject_of(sheet.viewport, sheet.session), JointSubject)
    QTest.mouseClick(sheet.viewport, LEFT, pos=spot(sheet, Handle("ring", 2), 0.15))
    sheet.viewport.grab()
    sheet.type("30 deg")
    assert stack.count() == 1
    (p, axes), _ = placed_frames(before, "guide")
    (q, turned), (_, turned_B) = placed_frames(sheet.scene, "guide")
    want = rotation((1.0, 0.0, 0.0, 0.0), math.radians(30.0)) @ axes
    np.testing.assert_allclose(q, p, atol=1e-12)
    np.testing.assert_allclose(turned, want, atol=1e-12)
    np.testing.assert_allclose(turned_B[:, 2], want[:, 2], atol=1e-12)
    stack.undo()
    assert sheet.scene == before


def test_a_ray_meets_the_nearest_triangle() -> None:
    near = np.array([[-1.0, -1.0, 2.0], [3.0, -1.0, 2.0], [-1.0, 3.0, 2.0]])
    far = near + np.array([0.0, 0.0, 3.0])
    assert first_hit(np.array([far, near]), np.zeros(3), np.array([0.0, 0.0, 1.0])) == pytest.approx(2.0)
    assert first_hit(np.array([far, near]), np.zeros(3), np.array([0.0, 0.0, -1.0])) == math.inf
    assert first_hit(np.zeros((0, 3, 3)), np.zeros(3), np.ones(3)) == math.inf
