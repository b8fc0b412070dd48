"""Small things of the window that surprised its users."""

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from app.document.document import Ref, refs_of
from app.panels.palette.palette import PalettePanel
from app.platform.application import within_screen
from app.platform.resources import scene_paths
from app.tools.suggestions import suggestions
from app.window.main_window import SIZE, MainWindow
from engine import load_scene
from tests.app.window.windows import open_window, wait
from tests.linkages import linkage


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with open_window(tmp_path, warm=False) as window:
        yield window


def seen(window: MainWindow, dock: str) -> bool:
    """Whether a panel is in front, not only there."""
    return not window.docks[dock].visibleRegion().isEmpty()


def test_a_scene_from_a_template_is_unsaved_work(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    made = SimpleNamespace(scene=load_scene(scene_paths()["four_bar"]))
    dialog = SimpleNamespace(exec=lambda: True, taken=made, new_scene=True, deleteLater=lambda: None)
    monkeypatch.setattr("app.dialogs.template.template.TemplateDialog", lambda *_, **__: dialog)
    window.handlers.templates.insert()
    asked: list[str] = []

    def ask(*arguments: object) -> QMessageBox.StandardButton:
        asked.append(str(arguments[2]))
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", ask)
    window.act("file.new")
    assert "not saved" in asked[0]
    assert window.session.document.scene is made.scene


def test_an_emptied_scene_has_no_degrees_of_freedom(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    assert window.open_path(scene_paths()["four_bar"])
    wait(qtbot, lambda: session.lifecycle.check is not None)
    session.transport.play()
    wait(qtbot, lambda: session.t > 0.0)
    session.transport.pause()
    session.selection.set([ref for ref in refs_of(session.document.scene) if ref.where == "bodies"])
    window.act("edit.delete")
    wait(qtbot, lambda: not session.busy)
    assert session.state == "empty"
    assert window.fields.labels["dof"].text() == "DOF –"
    window.act("edit.undo")
    wait(qtbot, lambda: session.state == "ready" and session.lifecycle.check is not None)
    assert window.fields.labels["dof"].text() == "DOF 1"


def test_a_search_in_the_tree_ends_with_its_scene(window: MainWindow) -> None:
    assert window.open_path(scene_paths()["four_bar"])
    window.docks.panels["tree"].search.setText("rocker")
    assert window.open_path(scene_paths()["pendulum"])
    assert window.docks.panels["tree"].search.text() == ""


def test_searching_and_renaming_bring_the_tree_to_the_front(window: MainWindow, qtbot: QtBot) -> None:
    assert window.open_path(scene_paths()["four_bar"])
    window.docks["insert"].raise_()
    wait(qtbot, lambda: not seen(window, "tree"))
    window.act("edit.find")
    wait(qtbot, lambda: seen(window, "tree"))
    window.docks.panels["tree"].search.setText("coupler")
    window.docks["insert"].raise_()
    wait(qtbot, lambda: not seen(window, "tree"))
    window.session.selection.set([Ref("bodies", "rocker")])
    window.act("edit.rename")
    wait(qtbot, lambda: seen(window, "tree"))
    assert window.docks.panels["tree"].search.text() == ""  # it had hidden what is renamed
    assert window.docks.panels["tree"].view.state() == window.docks.panels["tree"].view.State.EditingState


def test_space_plays_after_a_field_was_finished(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    assert window.open_path(scene_paths()["four_bar"])
    wait(qtbot, lambda: session.state == "ready")
    window.activateWindow()
    step = window.transport.step
    step.setFocus()
    qtbot.waitUntil(step.hasFocus)
    QTest.keyClicks(step, " ")  # a field that is being edited takes it as a letter
    assert session.state == "ready"
    step.selectAll()
    QTest.keyClicks(step, "0.002 s")
    QTest.keyClick(step, Qt.Key.Key_Return)
    wait(qtbot, lambda: session.state == "ready" and session.document.scene.simulation.dt == 0.002)
    dialog = QDialog(window)  # it stays finished behind what comes before it
    dialog.open()
    qtbot.waitUntil(lambda: not step.hasFocus())
    dialog.close()
    window.activateWindow()  # what a window manager does
    qtbot.waitUntil(step.hasFocus)
    QTest.keyClick(step, Qt.Key.Key_Space)
    assert step.text() == "0.002 s"
    wait(qtbot, lambda: session.state == "playing" and session.t > 0.0)  # halted before it moves it is ready
    QTest.keyClick(step, Qt.Key.Key_Space)
    wait(qtbot, lambda: session.state == "paused")
    QTest.keyClick(step, Qt.Key.Key_Home)
    wait(qtbot, lambda: session.state == "ready" and session.t == 0.0)
    assert not window.viewport.view.style.velocities
    QTest.keyClick(step, Qt.Key.Key_V)
    assert window.viewport.view.style.velocities
    assert step.text() == "0.002 s"
    QTest.keyClick(step, Qt.Key.Key_3)  # no key of the window: the line is edited again
    QTest.keyClick(step, Qt.Key.Key_V)
    assert step.text() == "3v0.002 s"


def test_undo_in_a_finished_field_is_that_of_the_scene(window: MainWindow, qtbot: QtBot) -> None:
    """After a value and Return, Ctrl+Z did nothing: the field took it and had nothing to undo."""
    document = window.session.document
    assert window.open_path(scene_paths()["four_bar"])
    wait(qtbot, lambda: window.session.state == "ready")
    window.activateWindow()
    step, control = window.transport.step, Qt.KeyboardModifier.ControlModifier
    step.setFocus()
    qtbot.waitUntil(step.hasFocus)
    before = document.scene.simulation.dt
    step.selectAll()
    QTest.keyClicks(step, "0.002 s")
    QTest.keyClick(step, Qt.Key.Key_Z, control)  # of what is being typed
    assert document.scene.simulation.dt == before
    step.selectAll()
    QTest.keyClicks(step, "0.004 s")
    QTest.keyClick(step, Qt.Key.Key_Return)
    assert document.scene.simulation.dt == 0.004
    QTest.keyClick(step, Qt.Key.Key_Z, control)
    assert document.scene.simulation.dt == before
    assert step.text() == "0.001 s"
    QTest.keyClick(step, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
    assert document.scene.simulation.dt == 0.004


def test_a_motor_tool_asks_for_its_joint_after_one_was_made(window: MainWindow, qtbot: QtBot) -> None:
    """A pin that was just made is selected by the program: nobody has chosen it for a motor."""
    session = window.session
    assert window.open_path(scene_paths()["four_bar"])
    session.selection.set([Ref("bodies", "coupler", "C")])
    palette = window.findChild(PalettePanel)
    palette.chosen.emit(next(o for o in palette._offers if o.text.endswith("to the ground")))
    made = session.selection.refs
    assert made[0].where == "joints"
    before = session.document.scene.motions
    window.act("insert.motor")
    assert session.document.scene.motions == before
    assert window.viewport.tool.id == "motor"
    QTest.keyClick(palette, Qt.Key.Key_Escape)  # whoever has the focus
    assert window.viewport.tool.id == "select"
    # chosen by the user, it gets its motor at once
    session.selection.set([Ref("joints", "A")])
    window.act("insert.motor")
    assert len(session.document.scene.motions) == len(before) + 1


def test_the_menu_of_a_bar_offers_its_length(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was cut off after two pins and two traces, and in a low window the panel has it out of sight."""
    monkeypatch.setattr("app.window.menus.show_once", lambda menu, _: shown.append(menu))
    shown: list[QMenu] = []
    window.session.document.load(linkage({"bar": {"A": (0.0, 0.0), "B": (0.2, 0.0)}}, {}))
    window.menus.show_context(QPoint(0, 0), Ref("bodies", "bar"))
    offers = list(takewhile(lambda action: not action.isSeparator(), shown[0].actions()))
    assert "Vary its length by a slider" in [action.text() for action in offers]
    traces = next(action.menu() for action in offers if action.text() == "Trace of")
    assert isinstance(traces, QMenu)
    before = window.session.document.scene
    traces.actions()[-1].trigger()
    made = window.session.document.scene.traces[-1]
    assert window.session.document.scene != before
    assert (made.body, made.point) == ("bar", traces.actions()[-1].text())


def test_a_pin_is_not_offered_where_it_would_lock_a_linkage() -> None:
    scene = load_scene(scene_paths()["four_bar"])
    pinned = {
        suggestion.short
        for suggestion in suggestions(scene, (Ref("bodies", "coupler"),))
        if suggestion.tool == "pin"
    }
    held = {side.point for joint in scene.joints for side in (joint.a, joint.b) if side.body == "coupler"}
    assert held
    assert pinned
    assert not held & pinned


@pytest.mark.parametrize(
    ("platform", "expected"), [("xcb", QSize(1024, 700)), ("offscreen", QSize(1280, 800))]
)
def test_a_window_opens_within_its_screen(
    monkeypatch: pytest.MonkeyPatch, platform: str, expected: QSize
) -> None:
    screen = SimpleNamespace(availableSize=lambda: QSize(1024, 700))
    monkeypatch.setattr(QGuiApplication, "primaryScreen", lambda: screen)
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: platform)
    assert within_screen(SIZE) == expected
