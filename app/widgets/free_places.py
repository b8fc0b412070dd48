"""Words of a drawing, each where nothing is written yet."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter


class FreePlaces:
    """For one picture."""

    def __init__(self, painter: QPainter) -> None:
        self._painter = painter
        self._metrics = QFontMetricsF(painter.font())
        self._taken: list[QRectF] = []

    def write(self, text: str, places: Sequence[QPointF]) -> None:
        """At the first of the places, where the text begins, that is free; at the first of all if none is."""
        areas = [self._area(text, at) for at in places]
        area = next((area for area in areas if self._is_free(area)), areas[0])
        self._taken.append(area)
        self._painter.drawText(area.bottomLeft() - QPointF(0.0, self._metrics.descent()), text)

    def _area(self, text: str, at: QPointF) -> QRectF:
        height = self._metrics.ascent() + self._metrics.descent()
        return QRectF(at.x(), at.y() - self._metrics.ascent(), self._metrics.horizontalAdvance(text), height)

    def _is_free(self, area: QRectF) -> bool:
        return not any(area.intersects(other) for other in self._taken)
