"""Unhandled errors: a dialog with a report, after the work has been saved; never just the terminal."""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.about import diagnostics
from app.platform.appearance import button_box, label
from app.widgets.show_once import show_once

Save = Callable[[], Path | None]


class FailureDialog(QDialog):
    def __init__(self, parent: QWidget | None, report: str, saved: Path | None) -> None:
        super().__init__(parent)
        self.setObjectName("failure")
        self.setWindowTitle("Something went wrong in Trammel")
        self.resize(640, 440)
        kept = f"Your work was saved to {saved}." if saved else "There was no unsaved work."
        words = label(
            f"This is a mistake of the program, not yours. {kept} You may go on; please send the report.",
            name="failure.words",
        )
        words.setWordWrap(True)
        text = QPlainTextEdit(report)
        text.setObjectName("failure.report")
        text.setReadOnly(True)
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        copy = QPushButton("Copy report")
        copy.setObjectName("failure.copy")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(report))
        buttons = button_box(QDialogButtonBox.StandardButton.Close, "failure")
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(words)
        column.addWidget(text, 1)
        column.addWidget(buttons)


class FailureHook:
    """Replaces `sys.excepthook` while the window is open; one dialog at a time."""

    def __init__(self, parent: QWidget, save: Save, renderer: Callable[[], str]) -> None:
        self._parent, self._save, self._renderer = parent, save, renderer
        self._open = False
        self._seen: set[str] = set()
        self._before = sys.excepthook

    def install(self) -> None:
        sys.excepthook = self

    def remove(self) -> None:
        if sys.excepthook is self:
            sys.excepthook = self._before

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        if self._open or text in self._seen:
            return
        self._open = True
        self._seen.add(text)
        # not now: whoever raised may be painting, and Qt does not survive a dialog's loop inside of that
        QTimer.singleShot(0, self._parent, lambda: self._tell(text))

    def _tell(self, text: str) -> None:
        try:
            saved = self._save()
            show_once(FailureDialog(self._parent, f"{text}\n{diagnostics(self._renderer())}", saved))
        finally:
            self._open = False
