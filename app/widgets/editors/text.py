"""Words: in one line, or in several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit

from app.widgets.editors.base import SEVERAL, Editor
from app.widgets.editors.editor_kind import EditorKind
from app.widgets.editors.parts.text_line import LineEditor

MULTILINE = ("description", "notes", "source", "title")  # fields whose words need several lines
MAX_LINES = 8  # of a field for notes; more is scrolled


class TextEditor(LineEditor):
    """Words in one line."""

    def __init__(self, name: str, check: Callable[[str], Any] = str) -> None:
        super().__init__()
        line = self._add_line(check, name)
        line.finished.connect(self.committed)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        text = "" if mixed or value is None else str(value)
        self.lines[0].setPlaceholderText(SEVERAL if mixed else "")
        self.lines[0].show_text(text, text)


class NotesEditor(Editor):
    """Words on several lines; leaving the field finishes the edit."""

    wide = True

    def __init__(self, name: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.box = _Notes()
        self.box.setObjectName(name)
        self.box.left.connect(self._finish)
        row.addWidget(self.box)
        self._shown = ""

    def busy(self) -> bool:
        return self.box.hasFocus() and self.box.toPlainText() != self._shown

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self._shown = "" if mixed else str(value or "")
        self.box.setPlaceholderText(SEVERAL if mixed else "")
        if self.box.toPlainText() != self._shown:
            self.box.setPlainText(self._shown)
        self.box.grow()

    def _finish(self) -> None:
        text = self.box.toPlainText()
        if text != self._shown:
            self._shown = text
            self.committed.emit(text)


class _Notes(QPlainTextEdit):
    """As high as its text, within limits."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setMinimumWidth(40)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self.grow)

    def grow(self) -> None:
        lines = min(max(int(self.document().size().height()), 1), MAX_LINES)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 16)
        more = self.document().size().height() > MAX_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if more else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if policy != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)
            # Qt leaves out a layout that is asked for within another: words would lie under the bar
            mode = self.lineWrapMode()
            self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
            self.setLineWrapMode(mode)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.grow()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


NOTES = EditorKind(
    "notes",
    lambda ask: ask.bare is str and ask.field.name in MULTILINE,
    lambda ask: NotesEditor(ask.name),
)
KIND = EditorKind("text", lambda ask: ask.bare is str, lambda ask: TextEditor(ask.name))
