"""Long work beside the window: it goes on being painted, while mouse and keys wait for the end."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

LOOKS = 10  # ms between two looks whether it is done

T = TypeVar("T")


class _StaysOpen(QObject):
    """Keeps a window from being closed under the work."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close:
            event.ignore()
            return True
        return False


def patiently(window: QWidget, work: Callable[[], T]) -> T:
    """What the work gives or raises; it is done on a thread and touches nothing of the window."""
    outcome: Future[T] = Future()

    def do() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:  # whatever it is, it is raised where the work was asked for
            outcome.set_exception(error)

    thread = threading.Thread(target=do, name="patience")
    loop, guard = QEventLoop(), _StaysOpen()
    looks = QTimer(interval=LOOKS)
    looks.timeout.connect(lambda: loop.quit() if outcome.done() else None)
    window.installEventFilter(guard)
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        thread.start()
        looks.start()
        loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    finally:
        QGuiApplication.restoreOverrideCursor()
        window.removeEventFilter(guard)
        looks.stop()
        thread.join()
    return outcome.result()
