"""The viewport in a window: clicks, rectangles, hovering, keys, device pixels."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.platform.resources import scene_paths
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.tools.navigation import PRESETS

LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
CRANK = Ref("bodies", "crank")


@pytest.fixture
def viewport(qtbot: QtBot, tmp_path: Any) -> Iterator[ViewportWidget]:
    session = Session(warm=False)
    session.document.open(scene_paths()["four_bar"])
    widget = ViewportWidget(session)
    widget.resize(640, 480)
    widget.show()
    qtbot.waitExposed(widget)
    yield widget
    widget.shutdown()
    session.close()
    widget.deleteLater()


def at(viewport: ViewportWidget, ref: Ref) -> QPoint:
    return viewport.pixel_of(ref).toPoint()


def test_the_picture_fills_the_widget(viewport: ViewportWidget) -> None:
    picture = viewport.picture()
    ratio = viewport.devicePixelRatioF()
    assert picture.width() == pytest.approx(640 * ratio, abs=1)
    assert picture.height() == pytest.approx(480 * ratio, abs=1)


def test_what_is_painted_is_the_picture(viewport: ViewportWidget) -> None:
    painted, picture = viewport.grab().toImage(), viewport.picture()
    middle = QPoint(painted.width() // 2, painted.height() // 2)
    assert painted.pixelColor(middle).rgb() == picture.pixelColor(middle).rgb()


def test_a_hint_of_two_lines_has_the_room_of_one(
    viewport: ViewportWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options of a tool lay over the second line of what it said after the first click."""
    heights = {}
    for words in (4, 30, 90):
        monkeypatch.setattr(viewport, "_tool", SimpleNamespace(hint="click " * words))
        heights[words] = viewport.hint_height
        assert viewport._hint_area().bottom() < heights[words]
    assert heights[4] == heights[30] < heights[90]


def test_a_click_selects_and_a_click_beside_clears(viewport: ViewportWidget, qtbot: QtBot) -> None:
    qtbot.mouseClick(viewport, LEFT, pos=at(viewport, CRANK))
    assert viewport._session.selection.refs == (CRANK,)
    qtbot.mouseClick(viewport, LEFT, pos=QPoint(3, 3))
    assert viewport._session.selection.refs == ()


def test_clicks_at_one_place_go_through_what_lies_beneath(viewport: ViewportWidget, qtbot: QtBot) -> None:
    seen = []
    place = at(viewport, Ref("joints", "B"))
    count = len(viewport.refs_at(QPointF(place)))
    assert count >= 3
    for _ in range(count + 1):
        qtbot.mouseClick(viewport, LEFT, pos=place)
        seen.append(viewport._session.selection.refs[0])
    assert len(set(seen)) == count
    assert seen[0] == seen[-1]


def test_shift_adds_and_takes_away(viewport: ViewportWidget, qtbot: QtBot) -> None:
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mouseClick(viewport, LEFT, pos=at(viewport, CRANK))
    qtbot.mouseClick(viewport, LEFT, shift, pos=at(viewport, Ref("bodies", "rocker")))
    assert len(viewport._session.selection.refs) == 2
    qtbot.mouseClick(viewport, LEFT, shift, pos=at(viewport, CRANK))
    assert viewport._session.selection.refs == (Ref("bodies", "rocker"),)


def drag(qtbot: QtBot, viewport: ViewportWidget, button: Qt.MouseButton, start: QPoint, end: QPoint) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    qtbot.mousePress(viewport, button, pos=start)
    for share in (0.5, 1.0):
        place = QPointF(start + (end - start) * share)
        none = Qt.KeyboardModifier.NoModifier
        move = QMouseEvent(
            QEvent.Type.MouseMove, place, viewport.mapToGlobal(place), Qt.MouseButton.NoButton, button, none
        )
        QApplication.sendEvent(viewport, move)
    qtbot.mouseRelease(viewport, button, pos=end)


def test_a_rectangle_selects(viewport: ViewportWidget, qtbot: QtBot) -> None:
    drag(qtbot, viewport, LEFT, QPoint(1, 1), QPoint(638, 478))
    assert CRANK in viewport._session.selection.refs
    assert Ref("joints", "A") in viewport._session.selection.refs


@pytest.mark.parametrize("preset", list(PRESETS))
def test_dragging_moves_a_planar_scene_with_the_pointer(
    viewport: ViewportWidget, qtbot: QtBot, preset: str
) -> None:
    viewport.set_navigation(preset)
    before = viewport.pixel_of(CRANK)
    drag(qtbot, viewport, MIDDLE, QPoint(300, 200), QPoint(340, 230))
    after = viewport.pixel_of(CRANK)
    assert (after.x() - before.x(), after.y() - before.y()) == pytest.approx((40, 30), abs=1.0)


def test_the_wheel_zooms_to_the_pointer(viewport: ViewportWidget, qtbot: QtBot) -> None:
    place = viewport.pixel_of(CRANK)
    far = viewport.pixel_of(Ref("bodies", "rocker"))
    event = QWheelEvent(
        place,
        viewport.mapToGlobal(place),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    viewport.wheelEvent(event)
    now = viewport.pixel_of(CRANK)
    assert (now.x(), now.y()) == pytest.approx((place.x(), place.y()), abs=0.5)
    assert abs(viewport.pixel_of(Ref("bodies", "rocker")).x() - place.x()) > abs(far.x() - place.x())


def test_keys_choose_views(viewport: ViewportWidget, qtbot: QtBot) -> None:
    qtbot.keyClick(viewport, Qt.Key.Key_0)
    assert not viewport.view.camera.flat
    qtbot.keyClick(viewport, Qt.Key.Key_1)
    assert viewport.view.camera.flat
    qtbot.keyClick(viewport, Qt.Key.Key_F)


def test_the_selection_of_others_is_shown(viewport: ViewportWidget) -> None:
    plain = viewport.picture()
    viewport._session.selection.set((CRANK,))
    assert viewport.picture() != plain
    viewport._session.selection.clear()
    assert viewport.picture() == plain


def test_the_view_follows_an_edit_and_keeps_the_camera(viewport: ViewportWidget) -> None:
    before = viewport.view.camera.state()
    document = viewport._session.document
    from app.edits import set_field

    document.apply(set_field(document.scene, [CRANK], "color", "#FF0000"))
    assert viewport.view.camera.state() == before
    assert viewport.view.scene.body("crank").color == "#FF0000"


def test_an_empty_scene_says_what_to_do(viewport: ViewportWidget) -> None:
    viewport._session.document.new()
    picture = viewport.grab().toImage()
    assert not picture.isNull()
    assert viewport.refs_at(QPointF(10, 10)) == []


def test_after_shutdown_nothing_is_drawn_and_nothing_fails(viewport: ViewportWidget) -> None:
    viewport.shutdown()
    viewport.shutdown()
    viewport._session.selection.set((CRANK,))
    viewport.repaint()
    assert np.isfinite(viewport.width())
