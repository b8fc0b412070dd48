"""The welcome page: pictures take the room that there is."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.platform.resources import find_scene
from app.window.welcome import AROUND, NARROWEST, PICTURE, fitting_width
from tests.app.window.windows import open_window, wait


@pytest.mark.parametrize("size", [(2350, 1240), (1600, 900), (1063, 560), (700, 300), (100, 100), (0, 0)])
def test_pictures_fill_the_page(size: tuple[int, int]) -> None:
    room, count = QSize(*size), 33
    width = fitting_width(room, count)
    assert NARROWEST <= width <= PICTURE.width()
    across = room.width() // (width + AROUND.width())
    if across:
        high = width * PICTURE.height() // PICTURE.width() + AROUND.height()
        all_seen = -(-count // across) * high <= room.height()
        left_over = room.width() - across * (width + AROUND.width())
        assert all_seen or left_over < across * 8 + 32
    assert fitting_width(QSize(2350, 1240), count) > 1.5 * NARROWEST


def test_issue_18_the_first_start_welcomes_and_can_be_told_not_to(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path, warm=False) as window:
        window.begin(find_scene("four_bar"), welcome=True)
        page = window.welcome
        assert page.isVisible()
        assert window.session.document.title  # the default mechanism is there, behind it
        offered = {button.objectName() for button in page.findChildren(QPushButton)}
        assert {f"welcome.{name}" for name in ("new", "template", "guide", "open", "news", "back")} <= offered
        assert page.scenes.count() > 20
        page.at_start.click()
        assert not window.settings.preferences.welcome
        window.pages.hide_welcome()
        window.begin(find_scene("four_bar"), welcome=True)
        assert not page.isVisible()
    with open_window(tmp_path, warm=False) as window:
        assert not window.welcome.at_start.isChecked()  # remembered
        window.begin(find_scene("four_bar"), welcome=True)
        assert not window.welcome.isVisible()


def test_escape_leaves_the_page(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path, warm=False) as window:
        window.begin(find_scene("four_bar"), welcome=True)
        window.activateWindow()
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)
        assert not window.welcome.isVisible()
        assert window.viewport.isVisible()


def test_a_shipped_scene_moves_as_soon_as_its_picture_is_clicked(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path) as window:
        window.begin(find_scene("four_bar"), welcome=True)
        page = window.welcome
        titles = {page.scenes.item(i).text(): page.scenes.item(i) for i in range(page.scenes.count())}
        page.scenes.itemClicked.emit(titles["Simple pendulum"])
        assert window.session.document.title == "Simple pendulum"
        wait(qtbot, lambda: window.session.state == "playing" and window.session.t > 0.1)
