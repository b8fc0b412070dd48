"""What a drag says and leaves: off the path, the end of the reach, numbers without rounding noise."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.edits import set_start
from tests.app.tools.test_dragging import Mouse, four_bar, pixel, shown, world

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def viewport(qtbot: QtBot, tmp_path: Any) -> Any:
    with shown(qtbot, four_bar(), tmp_path) as widget:
        yield widget


def test_beside_its_path_is_not_the_end_of_its_reach(viewport: Any, qtbot: QtBot) -> None:
    """The crank's end goes round a circle: the pointer off it in the direction of the radius is beside it."""
    session = viewport._session
    A, B = world(session, "crank", "O"), world(session, "crank", "A")
    mouse = Mouse(viewport, qtbot)
    mouse.press(pixel(viewport, B - 0.35 * (B - A)))
    mouse.move(pixel(viewport, A + 1.6 * (B - A)))
    assert "off its path" in viewport.tool.hint
    assert "end of its reach" not in viewport.tool.hint
    qtbot.keyClick(viewport, Qt.Key.Key_Escape)


def test_events_after_the_end_are_ignored(viewport: Any, qtbot: QtBot) -> None:
    viewport.use_tool("bar")
    viewport.shutdown()
    for at in (QPoint(20, 20), QPoint(60, 40)):
        qtbot.mouseMove(viewport, at)
        qtbot.mouseClick(viewport, LEFT, pos=at)
    qtbot.keyClick(viewport, Qt.Key.Key_Escape)


def test_places_have_no_rounding_noise() -> None:
    scene = four_bar()
    poses = {
        "crank": (np.array([2.8e-17, -4.2e-17, 0.0]), np.eye(3)),
        "rocker": (np.array([0.8, 1e-3, 0.0]), np.eye(3)),
    }
    after = set_start(scene, poses).after
    assert after.body("crank").position == (0.0, 0.0, 0.0)
    assert after.body("rocker").position == (0.8, 1e-3, 0.0)
