"""The upper left corner of a picture: the time of the simulation, and the verdict on the run beside it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from app.platform.application import application
from app.platform.theme import Theme
from app.viewport.canvas.offscreen import Picture
from engine.results.assessment.trust import Level

ROLES = {Level.GREEN: "good", Level.AMBER: "warning", Level.RED: "danger"}  # colours of the theme
LETTERS = 28  # lines that a picture has room for
WIDE = 24  # letters that the corner has room for


class Corner:
    """What is written on every picture; nothing where neither is wanted."""

    def __init__(self, *, clock: bool, trust: Level | None, dark: bool) -> None:
        application(offscreen=True)
        self._clock, self._trust = clock, trust
        self._ink, self._theme = QColor("white" if dark else "black"), Theme(dark=dark)

    def write(self, picture: Picture, t: float) -> None:
        """Write on a picture, shape (h, w, 3 or 4), in place."""
        if not self._clock and self._trust is None:
            return
        height, width, channels = picture.shape
        size = max(10, height // LETTERS)
        low, wide = min(height, 2 * size), min(width, WIDE * size)
        corner = np.ascontiguousarray(picture[:low, :wide])
        kind = QImage.Format.Format_RGBA8888 if channels == 4 else QImage.Format.Format_RGB888
        image = QImage(corner.data, wide, low, channels * wide, kind)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(painter.font())
        font.setPixelSize(size)
        painter.setFont(font)
        x = 0.6 * size
        if self._clock:
            x = self._text(painter, f"t = {t:.3f} s", x, size) + 0.9 * size
        if self._trust is not None:
            x = self._dot(painter, self._trust, x, size)
            self._text(painter, f"trust {self._trust.name.lower()}", x, size)
        painter.end()
        picture[:low, :wide] = corner

    def _text(self, painter: QPainter, text: str, x: float, size: int) -> float:
        """Where it ends."""
        painter.setPen(self._ink)
        wide = QFontMetricsF(painter.font()).horizontalAdvance(text)
        painter.drawText(QRectF(x, 0.3 * size, wide + 1.0, 1.6 * size), Qt.AlignmentFlag.AlignLeft, text)
        return x + wide

    def _dot(self, painter: QPainter, level: Level, x: float, size: int) -> float:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(ROLES[level]))
        painter.drawEllipse(QPointF(x + 0.35 * size, 0.95 * size), 0.35 * size, 0.35 * size)
        return x + 1.0 * size
