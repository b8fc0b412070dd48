"""Pictures of a template: the small one of the list, and a sketch of what its parameters make."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.platform.appearance import Look
from app.viewport.pictures.sketch import Sketch
from engine.templates import Made, Template

PICTURE = QSize(112, 70)  # of the list


def picture_of(file: Any, template: Template, look: Look) -> QIcon:
    """The shipped picture of a template, or a sketch."""
    shipped = QPixmap(str(file)) if file.is_file() else QPixmap()
    if shipped.isNull():
        shipped = QPixmap(PICTURE * 2)
        shipped.fill(look.theme.color("base"))
        painter = QPainter(shipped)
        Sketch(template.make().scene, look.theme).paint(painter, shipped.rect().toRectF())
        painter.end()
    smooth = Qt.TransformationMode.SmoothTransformation
    return QIcon(shipped.scaled(PICTURE * 2, Qt.AspectRatioMode.KeepAspectRatio, smooth))


class Preview(QWidget):
    """A sketch of the mechanism, with the path that it will draw."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("template.preview")
        self.setMinimumSize(320, 240)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._look = look
        self._sketch: Sketch | None = None
        self._faded = False

    def show_made(self, made: Made) -> None:
        self._sketch = Sketch(made.scene, self._look.theme, made.paths)
        self.update()

    def fade(self, faded: bool) -> None:
        """Pale while it shows what was, not what is typed."""
        if faded != self._faded:
            self._faded = faded
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._look.theme.color("base"))
        if self._sketch is not None:
            painter.setOpacity(0.25 if self._faded else 1.0)
            self._sketch.paint(painter, self.rect().toRectF())
            painter.setOpacity(1.0)
        painter.setPen(self._look.theme.color("border"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
