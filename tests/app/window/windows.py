"""What tests of the whole window share: a window of its own, waiting, and what it must not leave."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.session import Session
from app.window.main_window import MainWindow

PATIENCE = 150_000  # ms; a first run may have to compile
SMALL = (1280, 800)
GOING = ("playing", "paused")
BREAKS = {"double_rocker": "joint 'D'"}  # asked on purpose to go where no pose closes it; what is then named


@contextmanager
def open_window(folder: Path, *, warm: bool = True) -> Iterator[MainWindow]:
    """A window with settings and autosaves of its own, deleted in the end."""
    session = Session(Document(autosave=folder / "autosave"), warm=warm)
    window = MainWindow(session, Settings(folder / "settings.ini"))
    window.resize(*SMALL)
    window.show()
    try:
        yield window
    finally:
        window.session.document.stack.setClean()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()


def wait(qtbot: QtBot, condition: Callable[[], object]) -> None:
    qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE)


def play_through(window: MainWindow, qtbot: QtBot, name: str, seconds: float) -> None:
    """Open a shipped scene, play it at its own speed for so long, scrub back, return, reset."""
    session = window.session
    assert window.open_path(scene_paths()[name])
    wait(qtbot, lambda: session.state == "ready")
    window.act("run.toggle")
    wait(qtbot, lambda: session.t > 0.0)
    qtbot.wait(round(1000 * seconds))
    assert session.state in (*GOING, *(["failed"] if name in BREAKS else [])), (name, session.state)
    session.transport.seek(session.t / 2.0)
    qtbot.wait(30)
    assert session.state == "detached", name
    window.act("run.live")
    session.transport.pause()
    window.act("run.reset")
    wait(qtbot, lambda: session.state == "ready" and session.t == 0.0)
    assert [run.kind for run in session.runs] == ["finished", "live"], name
