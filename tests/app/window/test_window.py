"""The whole window: panels edit the document, files are opened and saved, settings are remembered."""

import gc
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.about import AboutDialog
from app.dialogs.action_search import CommandDialog
from app.dialogs.channels.channel_search import ChannelDialog
from app.dialogs.crash_report import FailureDialog
from app.dialogs.help.help_window import HelpDialog
from app.dialogs.preferences import PreferencesDialog
from app.dialogs.recovery import Answer
from app.document.document import Document, Edit, Ref
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.session import Session
from app.window.context import WindowContext
from app.window.main_window import MainWindow
from engine import save_scene
from tests.app.window.windows import open_window

PATIENCE = 90_000  # ms; a first run may have to compile
SMALL = (1280, 800)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session = Session(Document(autosave=tmp_path / "autosave"))
    made = MainWindow(session, Settings(tmp_path / "settings.ini"))
    made.resize(*SMALL)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.session.document.stack.setClean()
    made.close()
    made.deleteLater()
    QApplication.processEvents()


def opened(window: MainWindow, qtbot: QtBot, name: str = "four_bar") -> MainWindow:
    assert window.open_path(scene_paths()[name])
    qtbot.waitUntil(lambda: window.session.state == "ready", timeout=PATIENCE)
    return window


def find(window: QWidget, kind: type[Any], name: str) -> Any:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def typed(line: QLineEdit, text: str) -> None:
    """What a user does: type and press Return."""
    line.setFocus()
    line.setText(text)
    line.textEdited.emit(text)
    line.returnPressed.emit()


def wait(qtbot: QtBot, condition: Callable[[], object]) -> None:
    qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE)


def test_closing_while_it_runs_takes_less_than_two_seconds(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot).act("run.toggle")
    wait(qtbot, lambda: window.session.t > 0.0)
    began = time.monotonic()
    window.close()
    assert time.monotonic() - began < 2.0


def opened_and_closed(qtbot: QtBot, folder: Path) -> list[weakref.ref[Any]]:
    with open_window(folder) as window:
        assert window.open_path(scene_paths()["four_bar"])
        wait(qtbot, lambda: window.session.state == "ready")
        return [
            weakref.ref(thing)
            for thing in (
                window,
                window.session,
                window.viewport,
                window.handlers,
                window.docks.panels["plots"],
            )
        ]


def test_nothing_keeps_a_closed_window(qtbot: QtBot, tmp_path: Path) -> None:
    """A signal of its session connected to a lambda would: Python does not see that cycle."""
    left = opened_and_closed(qtbot, tmp_path)
    gc.collect()
    assert [ref() for ref in left] == [None] * len(left)


@pytest.mark.smoke
def test_the_window_shows_what_there_is(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    wait(qtbot, lambda: window.session.lifecycle.check is not None)
    pages = window.pages
    assert pages.width() * pages.height() >= window.width() * window.height() / 3.0
    assert window.docks.panels["plots"].boxes[0].plot.height() >= 120  # px: curves can be read
    shown = {name: field.text() for name, field in window.fields.labels.items()}
    assert shown["dof"] == "DOF 1"
    assert shown["redundant"] == "0 redundant"
    assert shown["method"] == "lagrange/rk4/projection"
    assert "four_bar" in window.windowTitle()
    assert not window.isWindowModified()
    assert not [w for w in window.findChildren(QLineEdit) if not w.objectName()]


# inspector


def test_warnings_of_another_run_or_of_mended_problems_are_taken_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    session, bar = opened(window, qtbot).session, window.statusBar()
    session.message.emit("warning", "do not trust this run", None)
    session.runs.changed.emit()
    assert bar.currentMessage() == "do not trust this run"
    session.lifecycle.reset()
    wait(qtbot, lambda: session.state == "ready")
    assert bar.currentMessage() == ""
    good = session.document.scene
    session.document.apply(Edit("break", good.with_simulation(method="nonsense")))
    wait(qtbot, lambda: session.state == "failed")
    assert "nonsense" in bar.currentMessage()
    session.document.stack.undo()
    wait(qtbot, lambda: session.state == "ready")
    assert bar.currentMessage() == ""


def test_an_edit_in_the_inspector_is_one_undo_step(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    document = window.session.document
    before = document.scene
    window.session.selection.set([Ref("bodies", "crank")])
    typed(find(window, QLineEdit, "inspector.mass"), "250 g")
    assert document.scene.body("crank").mass == pytest.approx(0.25)
    assert document.stack.count() == 1
    assert window.isWindowModified()
    step = document.stack.undoText()
    window.act("edit.undo")
    assert document.scene == before
    assert window.statusBar().currentMessage() == f"Undone: {step}"
    assert find(window, QLineEdit, "inspector.mass").text() == "rho*L1"


def test_wrong_text_stays_red_with_the_reason(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    document = window.session.document
    window.session.selection.set([Ref("bodies", "crank")])
    before = document.scene
    line = find(window, QLineEdit, "inspector.mass")
    for text, word in (("25 mm", "unknown unit"), ("-1", "at least 0"), ("L77", "L77")):
        typed(line, text)
        assert line.text() == text
        assert line.property("wrong")
        assert word in find(window, QLabel, "inspector.mass.reason").text()
    assert document.scene == before
    typed(line, "rho*L1*2")
    assert not line.property("wrong")
    assert document.scene.body("crank").mass == "rho*L1*2"


def test_several_elements_are_edited_together(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    document = window.session.document
    names = [body.name for body in document.scene.bodies]
    window.session.selection.set(Ref("bodies", name) for name in names)
    line = find(window, QLineEdit, "inspector.mass")
    assert line.text() == ""
    typed(line, "2")
    assert [body.mass for body in document.scene.bodies] == [2.0] * len(names)
    assert document.stack.count() == 1


def test_a_field_goes_back_to_its_default(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    window.session.selection.set([Ref("bodies", "crank")])
    find(window, QWidget, "inspector.mass.reset").click()
    assert window.session.document.scene.body("crank").mass is None


@pytest.mark.parametrize(
    "name", ["andrews", "stewart_platform", "flyball_governor", "bicycle", "cardan_shaft"]
)
def test_every_element_can_be_inspected(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.session.document.open(scene_paths()[name])
    scene = window.session.document.scene
    for where in ("bodies", "joints", "forces", "motions", "traces", "measures", "parameters"):
        for item in getattr(scene, where):
            window.session.selection.set([Ref(where, item.name)])
            assert find(window, QLabel, "inspector.heading").text() == item.name
    assert window.session.document.clean


# tree


def test_a_rename_in_the_tree_is_one_undo_step(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    document, tree = window.session.document, window.docks.panels["tree"]
    before = document.scene
    window.session.selection.set([Ref("bodies", "crank")])
    tree._items[Ref("bodies", "crank")].setText(0, "arm")
    assert document.scene.body("arm")
    assert "arm" in str(document.scene.joint("A"))
    assert window.session.selection.refs == (Ref("bodies", "arm"),)
    window.act("edit.undo")
    assert document.scene == before


def test_a_name_that_is_taken_is_refused(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    item = window.docks.panels["tree"]._items[Ref("bodies", "crank")]
    item.setText(0, "rocker")
    assert item.text(0) == "crank"
    assert window.session.document.clean


def test_selection_is_the_same_everywhere(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    window.docks.panels["tree"].view.clearSelection()
    window.docks.panels["tree"]._items[Ref("joints", "B")].setSelected(True)
    assert window.session.selection.refs == (Ref("joints", "B"),)
    assert find(window, QLabel, "inspector.heading").text() == "B"
    window.session.selection.set([Ref("bodies", "rocker")])
    assert [item.text(0) for item in window.docks.panels["tree"].view.selectedItems()] == ["rocker"]


def test_search_and_visibility(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    window.docks.panels["tree"].search.setText("coup")
    shown = [
        ref.name
        for ref, item in window.docks.panels["tree"]._items.items()
        if not item.isHidden() and ref.where == "bodies"
    ]
    assert shown == ["coupler"]
    window.session.selection.set([Ref("bodies", "coupler")])
    window.act("edit.visible")
    assert not window.session.document.scene.body("coupler").visible


# files


def test_a_dropped_file_is_opened_and_remembered(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(scene_paths()["pendulum"].read_text(encoding="utf-8"), encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(QPoint(5, 5)),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    assert window.session.document.path == path
    assert window.settings.recent == [path.resolve()]


def test_unsaved_work_is_asked_about(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    document = window.session.document
    document.apply(Edit("Add", document.scene.with_parameter("a", 1.0)))
    answers = iter([QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Save])
    monkeypatch.setattr(QMessageBox, "question", lambda *_: next(answers))
    monkeypatch.setattr(
        "app.window.handlers.file.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "kept"), "")
    )
    assert not window.handlers.saving.may_leave()
    assert window.handlers.saving.may_leave()
    assert (tmp_path / "kept.json").is_file()
    assert document.clean


def test_a_broken_file_leaves_the_old_scene(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda parent, title, text: told.append(text))
    path = tmp_path / "broken.json"
    path.write_text("{")
    assert not window.open_path(path)
    assert "1 problem" in told[0]


def test_work_lost_in_a_crash_is_offered(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "autosave"
    folder.mkdir(exist_ok=True)
    save_scene(window.session.document.scene.with_parameter("lost", 3.0), folder / "copy.json")
    (folder / "copy.info").write_text('{"path": "", "pid": 999999999}')
    monkeypatch.setattr("app.window.handlers.file.ask_recovery", lambda parent, copies: Answer.OPEN)
    window.handlers.file.offer_recovery()
    assert window.session.document.scene.parameter("lost").value == 3.0
    assert not window.session.document.clean


def test_issue_17_work_that_cannot_be_read_is_told(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "autosave"
    folder.mkdir(exist_ok=True)
    (folder / "torn.json").write_text("{")
    told: list[str] = []
    monkeypatch.setattr(WindowContext, "complain", lambda _, *texts: told.extend(texts))
    monkeypatch.setattr("app.window.handlers.file.ask_recovery", lambda parent, copies: Answer.OPEN)
    window.handlers.file.offer_recovery()
    assert "kept" in told[0]
    assert (folder / "torn.json").is_file()


# the rest


def test_layout_and_preferences_are_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    from dataclasses import replace

    settings = Settings(tmp_path / "settings.ini")
    settings.preferences = replace(settings.preferences, theme="dark", units={"m": "mm"}, font_size=9.5)
    again = Settings(tmp_path / "settings.ini").preferences
    assert (again.theme, again.units, again.font_size) == ("dark", {"m": "mm"}, 9.5)
    for hidden in (False, True):
        session = Session(Document(autosave=tmp_path / "autosave"))
        made = MainWindow(session, Settings(tmp_path / "settings.ini"))
        assert made.docks["tree"].isHidden() == hidden
        assert made.docks.panels["insert"].folded() == (["Joints"] if hidden else [])
        made.docks["tree"].hide()
        made.docks.panels["insert"].fold(["Joints"])
        made.close()
        made.deleteLater()


def test_theme_and_units_can_change_at_any_time(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    window.session.selection.set([Ref("bodies", "crank")])
    dark = window.look.theme.dark
    window.act("view.theme")
    assert window.look.theme.dark != dark
    from dataclasses import replace

    window.settings.preferences = replace(window.settings.preferences, units={"kg": "g"})
    window.handlers.preferences.apply()
    typed(find(window, QLineEdit, "inspector.mass"), "300")
    assert window.session.document.scene.body("crank").mass == pytest.approx(0.3)


def test_plots_show_any_channel(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    view = window.docks.panels["plots"].save_view()
    box = window.docks.panels["plots"].add_plot(["body.crank.angle", "joint.A.reaction.fx"])
    window.docks.panels["plots"].add_plot(["body.crank.angle", "body.crank.omega.z"], kind="phase")
    window.act("plots.range")
    window.act("run.toggle")
    wait(qtbot, lambda: window.session.t > 0.2)
    window.act("run.toggle")
    window.act("plots.spectrum")
    window.docks.panels["plots"].refresh(force=True)
    run = window.session.current
    assert run is not None
    drawn = box.curves.by_key[(run.id, "body.crank.angle")]
    assert len(drawn.data) > 50
    # shown in degrees, at first
    _, angle = run.channel("body.crank.angle")
    assert drawn.data.y[-1] == pytest.approx(angle[len(drawn.data) - 1] * 57.29577951308232)
    window.docks.panels["tree"]._items[Ref("bodies", "crank")].setText(0, "arm")
    assert box.channels[0] == "body.arm.angle"
    window.docks.panels["plots"].load_view(view)
    assert window.docks.panels["plots"].save_view() == view


def test_return_in_the_search_for_a_channel_takes_what_is_found(window: MainWindow, qtbot: QtBot) -> None:
    assert window.open_path(scene_paths()["four_bar"])
    wait(qtbot, lambda: window.session.state == "ready")
    for several in (False, True):
        dialog = ChannelDialog(window, window.session.current, "Channels", several=several)
        qtbot.addWidget(dialog)
        top = dialog.view.item(0)
        top.setSelected(True)
        first = [top.data(Qt.ItemDataRole.UserRole)] if several else []
        dialog.search.setText("rocker.angle")  # lists the nearest first
        qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
        assert dialog.names() == [*first, "body.rocker.angle"]


def test_command_search_finds_and_runs(window: MainWindow, qtbot: QtBot) -> None:
    dialog = CommandDialog(window, window.menus.actions)
    qtbot.addWidget(dialog)
    dialog.search.setText("whole mech")
    assert dialog.shown() == ["view.fit"]
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.chosen == "view.fit"


def test_commands_are_found_by_what_they_are_called_elsewhere(window: MainWindow, qtbot: QtBot) -> None:
    """`video` found nothing, and an empty list was a dead end."""
    dialog = CommandDialog(window, window.menus.actions)
    qtbot.addWidget(dialog)
    for typed, id in (
        ("video", "file.film"),
        ("screenshot", "file.picture"),
        ("graph", "plots.add"),
        ("tutorial", "help.first_build"),
        ("collisions", "window.events"),
        ("slow motion", "run.slower"),
        ("dark", "view.theme"),
    ):
        dialog.search.setText(typed)
        assert id in dialog.shown(), typed
    dialog.search.setText("gyroscopic")
    assert dialog.shown() == []
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert (dialog.chosen, dialog.asked_help) == (None, "gyroscopic")


def test_every_dialog_opens(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    for dialog in (
        PreferencesDialog(window, window.settings.preferences),
        HelpDialog(window, "methods"),
        AboutDialog(window, window.handlers.help.gl_renderer()),
        FailureDialog(window, "a report", None),
        ChannelDialog(window, window.session.current, "Channels", several=True, prefix="crank"),
    ):
        qtbot.addWidget(dialog)
        dialog.show()
        assert dialog.objectName()
        dialog.close()
    window.handlers.layout.show_welcome()
    assert window.welcome.scenes.count() == len(scene_paths())
    window.pages.hide_welcome()


def test_an_unhandled_error_is_told_and_the_work_saved(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []
    monkeypatch.setattr(FailureDialog, "exec", lambda self: told.append(self.windowTitle()))
    document = window.session.document
    document.apply(Edit("Add", document.scene.with_parameter("a", 1.0)))
    error = RuntimeError("a mistake")
    window.hook(RuntimeError, error, None)
    window.hook(RuntimeError, error, None)
    assert not told  # whoever raised may be painting: no loop of a dialog inside of that
    QApplication.processEvents()
    assert len(told) == 1
    assert list((Path(document._autosave)).glob("*.json"))
