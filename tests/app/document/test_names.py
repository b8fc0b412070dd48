"""Everything a user can touch or read has a stable name, everything that acts an icon and a tooltip."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextBrowser,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.dialogs.about import AboutDialog
from app.dialogs.action_search import CommandDialog
from app.dialogs.channels.channel_search import ChannelDialog
from app.dialogs.crash_report import FailureDialog
from app.dialogs.exporting.film import FilmDialog
from app.dialogs.exporting.plots import PlotExportDialog
from app.dialogs.exporting.report import ReportDialog
from app.dialogs.exporting.run import ExportDialog
from app.dialogs.help.help_window import HelpDialog
from app.dialogs.importing.mesh import MeshDialog
from app.dialogs.importing.series import SeriesDialog
from app.dialogs.importing.urdf import UrdfDialog
from app.dialogs.preferences import PreferencesDialog
from app.document.document import Document, Ref
from app.exchange.sheets.sheets import Sheet
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.recorded.run import Run
from app.session.session import Session
from app.window.actions import ACTIONS
from app.window.main_window import MainWindow

TOUCHED = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextBrowser,
)
OWN = (QScrollBar, QHeaderView)  # parts that Qt makes inside its own widgets
HOSTS = (QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit, QTabBar)  # whose insides are Qt's


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session = Session(Document(autosave=tmp_path / "autosave"), warm=False)
    made = MainWindow(session, Settings(tmp_path / "settings.ini"))
    made.resize(1280, 800)
    made.show()
    made.open_path(scene_paths()["four_bar"])
    yield made
    made.session.document.stack.setClean()
    made.close()
    made.deleteLater()
    QApplication.processEvents()


def nameless(root: QWidget) -> list[str]:
    """Widgets that need a name and have none, with where they are."""
    found = []
    for widget in root.findChildren(QWidget):
        own = isinstance(widget, OWN) or widget.objectName().startswith("qt_")
        if isinstance(widget, TOUCHED) and not own and not widget.objectName() and not _inside(widget):
            parents, parent = [], widget.parentWidget()
            while parent is not None and parent is not root:
                parents.append(parent.objectName() or type(parent).__name__)
                parent = parent.parentWidget()
            words = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
            found.append(f"{type(widget).__name__} {words!r} in {' < '.join(parents)}")
    return found


def _inside(widget: QWidget) -> bool:
    """Whether Qt made the widget as a part of one of its own."""
    parent: Any = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, HOSTS):
            return True
        parent = parent.parentWidget()
    return False


def test_every_widget_of_the_window_has_a_name(window: MainWindow) -> None:
    scene = window.session.document.scene
    first = [Ref(where, getattr(scene, where)[0].name) for where in ("parameters", "bodies", "joints")]
    missing: set[str] = set(nameless(window))
    for refs in ([], *([ref] for ref in first), [Ref("bodies", body.name) for body in scene.bodies]):
        window.session.selection.set(refs)
        missing |= set(nameless(window))
    assert not missing, "\n".join(sorted(missing))


def dialogs(window: MainWindow) -> Iterator[QDialog]:
    yield AboutDialog(window, "OpenGL")
    yield ChannelDialog(window, Run(0, window.session.document.scene), "Add", several=True)
    yield CommandDialog(window, window.menus.actions)
    run, sheet = Run(0, window.session.document.scene), Sheet("a", "", "", False, (0.0, 1.0), ())
    yield ExportDialog(window, run, [])
    yield FilmDialog(window, run, 0.0, {}, sheets=[], style=[], folder=Path())
    yield ReportDialog(window, run, {}, [])
    yield SeriesDialog(window, window.session.document.scene, window.look, Path("none.csv"))
    yield MeshDialog(window, window.session.document.scene, window.look, Path("none.stl"), "")
    yield UrdfDialog(window, Path("none.urdf"))
    yield PlotExportDialog(window, [sheet], window.look.theme, Path())
    yield FailureDialog(window, "a report", None)
    yield HelpDialog(window, "guide")
    yield PreferencesDialog(window, window.settings.preferences)


def test_every_widget_of_the_dialogs_has_a_name(window: MainWindow) -> None:
    missing = []
    for dialog in dialogs(window):
        assert dialog.objectName(), type(dialog).__name__
        missing += [f"{type(dialog).__name__}: {text}" for text in nameless(dialog)]
    assert not missing, "\n".join(missing)


def test_names_are_unique_among_buttons(window: MainWindow) -> None:
    window.session.selection.set([Ref("bodies", "crank")])
    QApplication.processEvents()
    buttons = [button for button in window.findChildren(QAbstractButton) if not _inside(button)]
    names = [button.objectName() for button in buttons if not button.objectName().startswith("qt_")]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)


def test_every_button_says_what_it_does(window: MainWindow) -> None:
    window.session.selection.set([Ref("bodies", "crank")])
    silent = [
        button.objectName()
        for button in window.findChildren(QToolButton)
        if not (button.toolTip() or button.text() or button.objectName().startswith("qt_") or _inside(button))
    ]
    assert not silent


def test_every_action_has_an_icon_a_tooltip_and_a_place_in_a_menu(window: MainWindow) -> None:
    in_menus: set[str] = set()

    def walk(menu: QMenu) -> None:
        for action in menu.actions():
            submenu: Any = action.menu()
            if submenu is not None:
                walk(submenu)
            else:
                in_menus.add(action.objectName())

    for action in window.menuBar().actions():
        submenu: Any = action.menu()
        walk(submenu)
    for entry in ACTIONS:
        made: QAction = window.menus.actions[entry.id]
        assert not made.icon().isNull(), entry.id
        assert made.toolTip() not in ("", made.text()), entry.id
        assert entry.id in in_menus, entry.id
    others = [action for action in window.findChildren(QAction) if action in window.actions()]
    assert {action.objectName() for action in others} <= {entry.id for entry in ACTIONS}
