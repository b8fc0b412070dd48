"""Lines of text: what most editors are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit

from app.platform.appearance import restyle
from app.platform.units import UnitError
from app.widgets.editors.base import Editor
from app.widgets.event_filter import EventFilter
from engine.maths.expressions import ExpressionError

NARROWEST = 36  # px
FRAME = 14  # px that a line takes around its text
TRANSPORT = (Qt.Key.Key_Space, Qt.Key.Key_Home, Qt.Key.Key_End)  # play, back to start, live
IN_FRONT = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)  # it will come back


class LineEdit(QLineEdit):
    """A line that checks itself while typed; Return or leaving finishes, Escape brings the old text back,
    or leaves the dialog that it stands in.

    After Return the line is done with until it is touched again: Space plays, Home goes back to the start and
    F fits the picture, as they do elsewhere. Undo and redo are those of the scene wherever nothing has been
    typed that is not yet finished.
    """

    finished = Signal(object)
    complained = Signal(str)

    def __init__(self, read: Callable[[str], Any]) -> None:
        super().__init__()
        self._read = read
        self._shown = self._tip = ""
        self._done = False
        self.setMinimumWidth(NARROWEST)
        EventFilter(self, self._take)
        self.textEdited.connect(self._check)
        self.returnPressed.connect(self.finish)

    @property
    def dirty(self) -> bool:
        return self.text() != self._shown

    @property
    def needed(self) -> int:
        """Width in which the text can be read [px]."""
        return self.fontMetrics().horizontalAdvance(self.text() or self.placeholderText()) + FRAME

    def show_text(self, text: str, tip: str = "") -> None:
        self._shown, self._tip = text, tip
        self.setText(text)
        self.setCursorPosition(0)
        self._tell_whole()
        self.complain("")

    def _tell_whole(self) -> None:
        """The tooltip, with the text before it when that is too long, and what its editor is for."""
        cut = self.needed > self.width() and self._shown not in self._tip
        editor = self.parentWidget()
        about = (
            editor.toolTip() if editor is not None and (cut or self._tip) else ""
        )  # else Qt shows that one
        self.setToolTip("\n".join(filter(None, (self._shown if cut else "", self._tip, about))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_whole()

    def finish(self) -> None:
        if not self.dirty:
            return
        try:
            value = self._read(self.text())
        except (UnitError, ExpressionError, ValueError) as error:
            self.complain(str(error))
            return
        self.complain("")
        self._shown = self.text()
        self.finished.emit(value)

    def complain(self, reason: str) -> None:
        wrong = bool(reason)
        if bool(self.property("wrong")) != wrong:
            self.setProperty("wrong", wrong)
            restyle(self)
        self.complained.emit(reason)

    def _take(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if (self._done and _is_for_the_window(event)) or (not self.dirty and _is_undo(event)):
            event.ignore()  # a shortcut, not a letter
            return True
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._done = False
        super().mousePressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() not in IN_FRONT:
            self._done = False
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if isinstance(self.window(), QDialog):
                event.ignore()  # it leaves the dialog, and all that was typed there
                return
            self.show_text(self._shown, self._tip)
            self.clearFocus()
            return
        self._done = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        super().keyPressEvent(event)

    def _check(self) -> None:
        try:
            self._read(self.text())
        except (UnitError, ExpressionError, ValueError) as error:
            self.complain(str(error))
        else:
            self.complain("")


def _is_for_the_window(event: QKeyEvent) -> bool:
    """Keys that the window may have, to whom a finished line gives them; what it does not want is typed."""
    plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
    return plain and (event.key() in TRANSPORT or event.text().isalpha())


def _is_undo(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


class LineEditor(Editor):
    """An editor made of lines side by side."""

    def __init__(self) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(3)
        self.lines: list[LineEdit] = []

    def _add_line(self, read: Callable[[str], Any], name: str) -> LineEdit:
        line = LineEdit(read)
        line.setObjectName(name)
        line.complained.connect(self.complained)
        self.lines.append(line)
        self._row.addWidget(line, 1)
        return line

    def needed(self) -> int:
        count = len(self.lines)  # all get the same width
        return count * max(line.needed for line in self.lines) + (count - 1) * self._row.spacing()

    def fit(self, room: int) -> None:
        """Numbers side by side, or below each other when one would be cut off."""
        if len(self.lines) > 1:
            share = (room - (len(self.lines) - 1) * self._row.spacing()) // len(self.lines)
            below = any(line.needed > share for line in self.lines)
            directions = QHBoxLayout.Direction
            self._row.setDirection(directions.TopToBottom if below else directions.LeftToRight)

    def busy(self) -> bool:
        return any(line.hasFocus() and line.dirty for line in self.lines)

    def complain(self, reason: str) -> None:
        for line in self.lines[:1]:
            line.complain(reason)
        if not reason:
            for line in self.lines[1:]:
                line.complain("")
