"""Actions of the View menu reach the viewport's style."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.document.document import Document, Edit
from app.platform.resources import find_scene
from app.platform.settings import Settings
from app.platform.theme import apply_theme
from app.session.session import Session
from app.window.main_window import MainWindow
from app.window.view_memory import ARROWS
from tests.app.window.windows import open_window, wait


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session = Session(Document(autosave=tmp_path), warm=False)
    made = MainWindow(session, Settings(tmp_path / "settings.ini"))
    yield made
    made.close()
    made.deleteLater()


@pytest.mark.parametrize("name", ["ghosts", "velocities"])
def test_a_toggle_changes_the_style(window: MainWindow, name: str) -> None:
    before = getattr(window.viewport.view_style, name)
    window.menus.actions[f"view.{name}"].trigger()
    assert getattr(window.viewport.view_style, name) is not before
    assert window.menus.actions[f"view.{name}"].isChecked() is not before


def test_arrows_get_longer_shorter_and_their_own_length(window: MainWindow) -> None:
    window.act("view.arrows_longer")
    window.act("view.arrows_longer")
    assert window.viewport.view_style.arrow_scale == pytest.approx(2.0)
    window.act("view.arrows_reset")
    assert window.viewport.view_style.arrow_scale == 1.0
    for _ in range(30):
        window.act("view.arrows_shorter")
    assert window.viewport.view_style.arrow_scale == ARROWS[0]


def test_the_analysis_action_shows_its_panel(window: MainWindow) -> None:
    window.docks["analyses"].hide()
    window.act("run.analyse")
    assert not window.docks["analyses"].isHidden()
    assert "nothing to analyse" in window.docks.panels["analyses"].answer.toPlainText()


def test_issue_18_menus_show_which_toggles_are_on(window: MainWindow) -> None:
    menu = next(item.menu() for item in window.menuBar().actions() if item.text() == "&View")
    assert isinstance(menu, QMenu)
    apply_theme(QApplication.instance(), window.look.theme)
    action, accent = window.menus.actions["view.frames"], QColor(window.look.theme["accent"]).rgb()
    marked = []
    for on in (False, True):
        action.setChecked(on)
        menu.popup(QPoint(0, 0))
        QApplication.processEvents()
        picture = menu.grab(menu.actionGeometry(action)).toImage()
        places = ((x, y) for x in range(picture.width()) for y in range(picture.height()))
        marked.append(sum(picture.pixel(x, y) == accent for x, y in places))
        menu.hide()
    assert marked[0] == 0
    assert marked[1] > 20


def test_what_is_much_larger_than_the_scene_before_is_seen_as_a_whole(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path, warm=False) as window:
        window.open_path(find_scene("spatial_four_bar"))
        document, view = window.session.document, window.viewport.view
        far = [{"name": "top", "position": [200, 0, 0]}]
        document.apply(
            Edit("Add mast", document.scene.with_body("mast", mass=1, inertia=[1, 1, 1], points=far))
        )
        wait(qtbot, lambda: view.stage.extent > 200.0)
        assert view.framing.frames_all()
        near = view.camera.scale
        beside = document.scene.with_body("rod", mass=1, inertia=[1, 1, 1], position=[300, 0, 0])
        document.apply(Edit("Add rod", beside))
        wait(qtbot, lambda: view.stage.body("rod") is not None)
        assert view.camera.scale == near  # the user's camera, when the scene is of about the same size
