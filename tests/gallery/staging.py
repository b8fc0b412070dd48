"""What leads to a picture: shots, waiting, scenes that are opened, modal dialogs that are grabbed.

A shot is a generator: it brings the window into a state, yields the widget to take (None: the whole window
with what is in front of it), and tidies up after that.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, QEventLoop, QPoint, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.cli.driving.private_window import close_dialogs
from app.platform.resources import scene_paths
from app.window.main_window import MainWindow
from tests.gallery.checks import cut_texts, faint_texts, overlaps

PATIENCE = 150_000  # ms; kernels may have to be compiled
Steps = Iterator[QWidget | None]


@dataclass(frozen=True)
class Shot:
    """One picture by its name, such as `dialogs/about`."""

    name: str
    steps: Callable[[MainWindow], Steps]


def pass_time(milliseconds: float, until: Callable[[], bool] = lambda: False) -> bool:
    """Let the window live; whether `until` came true."""
    clock = QElapsedTimer()
    clock.start()
    while not until():
        if clock.elapsed() > milliseconds:
            return False
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        # outside of `exec` nothing else ends what was left to be deleted, old tab bars for instance
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return True


def settle(window: MainWindow) -> None:
    """Until nothing is being worked out any more."""
    session = window.session
    done = pass_time(PATIENCE, lambda: not session.busy and session.state not in ("compiling", "playing"))
    assert done, session.state
    pass_time(60)


def show_scene(window: MainWindow, name: str, until: float = 0.0) -> None:
    """Open a shipped scene and let it run, as fast as possible, to a share of its duration."""
    session = window.session
    session.document.stack.setClean()
    assert window.open_path(scene_paths()[name])
    settle(window)
    if until > 0.0:
        end, speed = until * session.transport.t_end, session.transport.speed
        session.transport.set_speed(float("inf"))
        session.transport.play()
        assert pass_time(PATIENCE, lambda: session.t >= end or session.state != "playing"), name
        session.transport.pause()
        session.transport.seek(min(end, session.t))
        session.transport.set_speed(speed)
    settle(window)


def dialog(name: str, make: Callable[[MainWindow], QWidget]) -> Shot:
    """A dialog that is made for the picture."""

    def steps(window: MainWindow) -> Steps:
        made = make(window)
        made.move(window.mapToGlobal(QPoint(120, 70)))
        made.show()
        pass_time(80)
        yield made
        made.close()
        made.deleteLater()

    return Shot(f"dialogs/{name}", steps)


def asked(
    name: str,
    ask: Callable[[MainWindow], object],
    then: Callable[[Any], object] = lambda box: None,
    *,
    scene: str = "",
) -> Shot:
    """A dialog that the window opens by itself and waits for; `then` does something in it first."""

    def steps(window: MainWindow) -> Steps:
        taken: list[QWidget] = []

        # it is grabbed inside its own event loop, then left as Escape would
        def take() -> None:
            box = QApplication.activeModalWidget()
            if box is not None:
                then(box)
                pass_time(80)
                taken.append(Still(box))
            close_dialogs()

        run = window.session.current
        moved = run is not None and run.moved
        if scene and not (moved and window.session.document.path == scene_paths()[scene]):
            show_scene(window, scene, 0.2)
        QTimer.singleShot(150, take)
        ask(window)
        pass_time(60)
        assert taken, name
        yield taken[0]
        taken[0].deleteLater()

    return Shot(f"dialogs/{name}", steps)


class Still(QWidget):
    """A widget as it looked; modal boxes are gone by the time a picture is taken of them."""

    def __init__(self, box: QWidget) -> None:
        super().__init__()
        self._picture = box.grab()
        self.faults = cut_texts(box) + overlaps(box) + faint_texts(box)
        self.resize(box.size())

    def grab(self, *_: Any) -> Any:
        return self._picture
