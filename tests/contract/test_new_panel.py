"""A panel that no list of the program names. What one costs: a file as here and a line in the registry."""

from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.panels.base import PanelContext, PanelKind
from app.panels.registry import PANELS
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.session import Session
from app.window.main_window import SIZE, MainWindow


class BodyCount(QLabel):
    """Shows a number: how many bodies the scene has."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("body_count")
        self._document = session.document
        self._document.changed.connect(self._refresh)
        self.ended = 0

    def _refresh(self) -> None:
        self.setText(str(len(self._document.scene.bodies)))

    def shutdown(self) -> None:
        self.ended += 1


def make(given: PanelContext) -> BodyCount:
    return BodyCount(given.session)


def test_a_new_panel_has_its_dock_its_action_and_its_place(qtbot: QtBot, tmp_path: Path) -> None:
    panels = (*PANELS, PanelKind("body_count", "Bodies", "tree", "bottom", make))

    def open_window() -> MainWindow:
        session = Session(Document(autosave=tmp_path), warm=False)
        window = MainWindow(session, Settings(tmp_path / "settings.ini"), panels=panels)
        window.show()
        qtbot.waitExposed(window)
        return window

    def close(window: MainWindow) -> None:
        window.close()
        window.deleteLater()

    window = open_window()
    assert window.size() == SIZE  # however many panels there are
    panel, dock = window.docks.panel(BodyCount), window.docks["body_count"]
    action = window.menus.actions["window.body_count"]
    assert dock.objectName() == "dock.body_count"  # by this name the layout is kept
    assert action in window.menus.menus["Window"].actions()
    assert action.text() == "Bodies"
    assert not action.icon().isNull()
    assert not action.shortcut().toString()  # Alt and the ten digits belong to the first ten
    assert window.menus.actions["window.insert"].shortcut().toString() == "Alt+0"
    neighbours = {window.docks[kind.id] for kind in PANELS if kind.area == "bottom" and not kind.hidden}
    assert neighbours <= set(window.tabifiedDockWidgets(dock))

    assert window.open_path(scene_paths()["four_bar"])
    assert panel.text() == str(len(window.session.document.scene.bodies))
    assert panel.text() != "0"
    window.act("window.body_count")  # from behind its neighbours to the front
    assert not dock.visibleRegion().isEmpty()
    assert action.isChecked()
    window.act("window.body_count")
    assert dock.isHidden()
    assert not action.isChecked()
    close(window)
    assert panel.ended == 1

    again = open_window()  # with the layout of the last time
    assert again.docks["body_count"].isHidden()
    assert not again.menus.actions["window.body_count"].isChecked()
    again.act("window.layout")
    assert not again.docks["body_count"].isHidden()
    assert again.menus.actions["window.body_count"].isChecked()
    close(again)
