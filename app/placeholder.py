"""A plain window until the program's own exists: it names the scene, how it moves, and how to run it."""

import signal
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QScrollArea

from app.qt import application
from app.resources import scene_argument
from engine import SceneError, check_scene, load_scene

_SIZE = (760, 480)  # px
_MARGIN = 16  # px


def describe(path: Path) -> str:
    """What the window says: the report of `trammel check`, or the problems of a broken scene."""
    try:
        report = check_scene(load_scene(path)).text()
    except SceneError as error:
        report = str(error)
    command = f"trammel run {scene_argument(path)} --out {path.stem}.csv"
    return f"{path.stem}\n\n{report}\n\nRun it from the command line:\n\n    {command}"


class PlaceholderWindow(QMainWindow):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.setWindowTitle(f"Trammel – {path.stem}")
        self.resize(*_SIZE)
        self._label = QLabel(describe(path))
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._label.setMargin(_MARGIN)
        self._label.setWordWrap(True)
        area = QScrollArea()
        area.setWidget(self._label)
        area.setWidgetResizable(True)
        self.setCentralWidget(area)

    def text(self) -> str:
        return self._label.text()


def show_window(path: Path) -> int:
    # Qt's loop does not look at Python's signals: let Ctrl-C in the terminal end the program
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    qt = application()
    window = PlaceholderWindow(path)
    window.show()
    return qt.exec()
