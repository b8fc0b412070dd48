"""Dialogs and menus that are closed go, with all they hold: the window keeps none of them."""

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from app.platform.resources import scene_paths
from tests.app.use.monkey import no_desktop
from tests.app.window.windows import open_window

LEAVE = 10  # ms between two looks for something in front


@pytest.mark.usefixtures("qapp")
def test_no_dialog_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_desktop(monkeypatch)
    leaving = QTimer(interval=LEAVE)  # dialogs have loops of their own, so who opens one cannot close it
    leaving.timeout.connect(_leave)
    with open_window(tmp_path) as window:
        assert window.open_path(scene_paths()["four_bar"])
        asking = [a for a in window.menus.actions.values() if a.text().endswith("…") and a.isEnabled()]
        assert len(asking) > 5
        before = _kept()
        leaving.start()
        for action in asking:
            action.trigger()
        leaving.stop()
        assert _kept() == before


def _leave() -> None:
    front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if isinstance(front, QDialog):
        front.reject()
    elif front is not None:
        front.close()


def _kept() -> Counter[str]:
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    widgets = QApplication.allWidgets()
    return Counter(type(widget).__name__ for widget in widgets if isinstance(widget, QDialog | QMenu))
