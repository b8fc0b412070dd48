"""A window of its own for scripts and measurements: it touches neither settings nor autosaves of the user."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.document.document import Document
from app.platform.application import application
from app.platform.settings import Settings
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.window.main_window import MainWindow

_TRIES = 20  # dialogs that may be open at the end


@contextmanager
def own_window(
    *, offscreen: bool = False, viewport: Callable[[Session], ViewportWidget] = ViewportWidget
) -> Iterator[MainWindow]:
    """The window, shown; at the end it is closed without asking for unsaved work."""
    # the dialogs of a desktop belong to other programs and cannot be driven
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    application(offscreen=offscreen)
    with TemporaryDirectory(prefix="trammel") as folder:
        document = Document(autosave=Path(folder) / "autosave")
        window = MainWindow(Session(document), Settings(Path(folder) / "settings.ini"), viewport=viewport)
        window.show()
        window.activateWindow()
        try:
            yield window
        finally:
            close_dialogs()
            window.session.document.stack.setClean()
            window.close()
            window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            QApplication.processEvents()


def close_dialogs() -> None:
    """Leave all menus and dialogs, as Escape would."""
    for _ in range(_TRIES):
        open_one = in_front()
        if open_one is None:
            return
        open_one.reject() if isinstance(open_one, QDialog) else open_one.close()


def in_front() -> QWidget | None:
    """The menu or dialog that keeps input away from the window."""
    return QApplication.activePopupWidget() or QApplication.activeModalWidget()


def whole_picture(window: QWidget) -> QPixmap:
    """The window with the menus and dialogs in front of it."""
    picture = window.grab()
    painter = QPainter(picture)
    origin = window.mapToGlobal(QPoint(0, 0))
    for top in QApplication.topLevelWidgets():
        if top is not window and top.isVisible():
            painter.drawPixmap(top.mapToGlobal(QPoint(0, 0)) - origin, top.grab())
    painter.end()
    return picture
