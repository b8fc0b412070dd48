"""The status bar itself: messages on its left are shortened so that they end with a whole clause."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStatusBar, QWidget

from app.platform.plain_text import as_plain

GAP = 30  # px between a message and the fields, which may still grow a little
ENDS = re.compile(r"[;:.,]\s|\s\(")  # where a shortened message may end


class StatusLine(QStatusBar):
    """The tooltip tells the whole of a message that has no room."""

    @property
    def room(self) -> int:
        """Width of messages [px]: what the fields on the right leave."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        fields = [child for child in self.findChildren(QWidget, options=direct) if child.isVisible()]
        return min((field.x() for field in fields), default=self.width())

    def showMessage(self, text: str, timeout: int | None = 0) -> None:
        shown = fitting(text, self.fontMetrics(), self.room - GAP)
        self.setToolTip("" if shown == text else as_plain(text))
        super().showMessage(shown, timeout or 0)


def fitting(text: str, metrics: QFontMetrics, room: int) -> str:
    """The text, or as many of its clauses as have room; a first one that is too long loses its middle."""
    if metrics.horizontalAdvance(text) <= room:
        return text
    clauses = [text[: end.start()] for end in ENDS.finditer(text)]
    short = [f"{clause} …" for clause in clauses if metrics.horizontalAdvance(f"{clause} …") <= room]
    return short[-1] if short else metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, max(room, 60))
