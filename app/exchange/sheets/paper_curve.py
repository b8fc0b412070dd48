"""A curve on paper: one line in the units of the page, from the points that can be told apart there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF, QTransform

from app.widgets.plots.curves.curve import drawable
from app.widgets.plots.curves.pyramid import Array
from app.widgets.plots.curves.raster import needed

ERROR = 0.1  # units of the page by which a line may be off; a page has hundreds of them


class PaperCurve(pg.PlotCurveItem):  # type: ignore[misc]  # pyqtgraph has no types
    """pyqtgraph draws in the units of the data and leaves the width of lines to the device.

    In a drawing such lines need `vector-effect`; programs that do not know it show them far too wide.
    """

    def __init__(self, x: Array, y: Array, color: str, width: float, *, log: bool) -> None:
        x, y = drawable(x), drawable(y)
        if log:
            y = np.log10(np.where(y > 0.0, y, np.nan))
        super().__init__(x, y, pen=pg.mkPen(color), connect="finite")
        self._ink = QPen(QColor(color), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        self._ink.setJoinStyle(Qt.PenJoinStyle.RoundJoin)

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        x, y = self.getData()
        if x is None:
            return
        to_page = painter.worldTransform()
        px, py = to_page.m11() * x + to_page.dx(), to_page.m22() * y + to_page.dy()
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._ink)
        for piece in _pieces(px, py):
            painter.drawPolyline(QPolygonF([QPointF(float(px[i]), float(py[i])) for i in piece]))
        painter.restore()


def _pieces(px: Array, py: Array) -> list[Any]:
    """Points that are needed, parted where some cannot be drawn."""
    keep = needed(px, py, ERROR)
    good = np.isfinite(px[keep]) & np.isfinite(py[keep])
    parts = np.split(keep, np.flatnonzero(~good))
    return [part[np.isfinite(py[part]) & np.isfinite(px[part])] for part in parts if len(part) > 1]
