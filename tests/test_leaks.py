"""The check for leaks that all tests go through finds each kind of leak, and only leaks."""

import threading

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.viewport.scene.scene_view import SceneView
from tests.leaks import Belongings


def test_a_thread_that_goes_on_is_found(qtbot: QtBot) -> None:
    before, enough = Belongings(), threading.Event()
    thread = threading.Thread(target=enough.wait, name="does not end", daemon=True)
    thread.start()
    assert "does not end" in before.left(patience=0.01)
    enough.set()
    assert before.left() == ""


def test_a_widget_that_nobody_deletes_is_found(qtbot: QtBot) -> None:
    before = Belongings()
    label = QLabel("forgotten")
    label.setObjectName("forgotten")
    assert "QLabel 'forgotten'" in before.left()
    label.deleteLater()
    assert before.left() == ""


def test_a_view_that_is_not_closed_is_found(qtbot: QtBot) -> None:
    before = Belongings()
    view = SceneView((64, 48))
    view.render()
    assert "1 VTK window(s)" in before.left()
    view.close()
    assert before.left() == ""


def test_what_only_hangs_in_a_cycle_is_no_leak(qtbot: QtBot) -> None:
    before = Belongings()
    label = QLabel()
    label.itself = label
    del label
    assert before.left() == ""
