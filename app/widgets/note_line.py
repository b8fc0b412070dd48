"""One line of words beside buttons: it takes the room there is and asks for none."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel

from app.platform.plain_text import as_plain


class NoteLine(QLabel):
    """What has no room is cut, the tooltip has all: a label would widen the window beyond the screen."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("role", "muted")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setToolTip(as_plain(text) if text else "")

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, room = QPainter(self), self.contentsRect()
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        shown = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, self.alignment(), shown)
