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

    def sizeHint(self) -> QSize:
        """As wide as the words, as high as one line: a text of many lines is joined to one."""
        metrics, margins = self.fontMetrics(), self.contentsMargins()
        return QSize(
            metrics.horizontalAdvance(self._line()) + margins.left() + margins.right(),
            metrics.height() + margins.top() + margins.bottom(),
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def _line(self) -> str:
        return " ".join(self.text().split())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, room = QPainter(self), self.contentsRect()
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        shown = painter.fontMetrics().elidedText(self._line(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, self.alignment(), shown)
