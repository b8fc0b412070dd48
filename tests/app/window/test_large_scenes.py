"""Very large scenes are read on a thread and shown in turns: the window never stands still for all of it."""

import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.document import document as documents
from app.document.element_ref import Ref
from app.edits.fields import set_field
from app.panels.tree import TreePanel
from app.platform.resources import scene_paths
from app.window.handlers import file as files
from app.window.patience import patiently
from engine.errors import SceneError
from tests.app.window.windows import open_window


def test_work_goes_on_beside_the_window_which_stays_open(qtbot: QtBot) -> None:
    widget, threads, ticks = QWidget(), [], []
    qtbot.addWidget(widget)
    widget.show()
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(widget.close()))
    timer.start()

    def work() -> int:
        threads.append(threading.current_thread())
        time.sleep(0.1)
        return 7

    assert patiently(widget, work) == 7
    timer.stop()
    assert threads[0] is not threading.main_thread()
    assert not threads[0].is_alive()
    assert ticks
    assert not any(ticks)
    assert widget.isVisible()
    assert widget.close()


def test_what_the_work_raises_is_raised(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)

    def work() -> None:
        raise SceneError([])

    with pytest.raises(SceneError):
        patiently(widget, work)
    assert QApplication.overrideCursor() is None


def test_all_views_follow_a_large_change(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LARGE", 0)
    monkeypatch.setattr(files, "LARGE_FILE", 0)
    with open_window(tmp_path, warm=False) as window:
        document, view = window.session.document, window.viewport.view
        tree = window.docks.panel(TreePanel)
        assert window.open_path(scene_paths()["four_bar"])
        names = {body.name for body in document.scene.bodies}
        assert view.scene is document.scene  # another document is drawn at once
        qtbot.waitUntil(lambda: names <= {ref.name for ref in tree._items})
        body = next(body for body in document.scene.bodies if not body.fixed)
        document.apply(set_field(document.scene, [Ref("bodies", body.name)], "color", "#123456"))
        qtbot.waitUntil(lambda: view.scene is document.scene)
        document.stack.undo()
        qtbot.waitUntil(lambda: view.scene is document.scene)
        assert view.visuals.keys() >= {Ref("bodies", name) for name in names}
