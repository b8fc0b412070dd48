"""The heading of a plot: its title can be written anew in place."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy


class PlotHeading(QLabel):
    """`renamed` tells another title; an empty one gives the plot back the title that it has by itself."""

    renamed = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.title = ""
        self.automatic = ""  # what a plot without a title of its own is called
        self._line: QLineEdit | None = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.edit()

    def edit(self) -> None:
        """Write the title in place: Return takes it, Esc leaves it as it was."""
        if self._line is not None:
            return
        line = self._line = QLineEdit(self.title, self)
        line.setObjectName(f"{self.objectName()}.edit")
        line.setPlaceholderText(self.automatic or "Title of the plot")
        line.setGeometry(0, 0, max(self.width(), 80), max(line.sizeHint().height(), self.height()))
        line.editingFinished.connect(self._take)
        line.installEventFilter(self)
        line.show()
        line.selectAll()
        line.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._line and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() is QEvent.Type.KeyPress:
                self._close()
            return True
        return bool(super().eventFilter(watched, event))

    def _take(self) -> None:
        if self._line is None:
            return
        title = self._line.text().strip()
        self._close()
        if title != self.title:
            self.renamed.emit(title)

    def _close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.removeEventFilter(self)
            line.hide()
            line.deleteLater()
