"""A number over two others in a plot: colours, lines of equal value, and a bar that explains the colours."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from app.platform.theme import Theme
from app.widgets.charts.contours import contour, round_levels

MAP = "viridis"
LINES = 8  # of equal value, about
THIN, STRONG = (255, 255, 255, 120), (255, 255, 255, 255)
BEHIND = -20.0  # everything else in the plot


class FieldItem:
    """Colours behind whatever else is in the plot; shown and cleared as a whole."""

    def __init__(self, plot: pg.PlotItem, theme: Theme) -> None:
        self._plot = plot
        self.image = pg.ImageItem(colorMap=pg.colormap.get(MAP))
        self.image.setZValue(BEHIND)
        plot.addItem(self.image)
        self.bar = pg.ColorBarItem(colorMap=pg.colormap.get(MAP), interactive=False, width=12)
        self.bar.axis.updateAutoSIPrefix = lambda: None  # values as they are: see PlainAxis
        self.bar.setImageItem(self.image, insert_in=plot)
        plot.destroyed.connect(self.bar.ctrlMenu.deleteLater)  # as `bind_menus` does
        self.lines: list[pg.PlotDataItem] = []
        self.dress(theme)
        self.clear()

    def dress(self, theme: Theme) -> None:
        for side in ("left", "bottom", "right", "top"):
            self.bar.getAxis(side).setPen(theme["border"])
        self.bar.axis.setTextPen(theme["text"])

    def clear(self) -> None:
        for line in self.lines:
            self._plot.removeItem(line)
        self.lines = []
        self.image.hide()
        self.bar.hide()

    def show(self, x: np.ndarray, y: np.ndarray, z: np.ndarray, marked: float | None = None) -> None:
        """z over x and y, evenly spaced, shape (x, y); NaN is left open.

        What z is stands above the plot: low plots have no room for it along the bar.
        """
        self.clear()
        if not np.isfinite(z).any():
            return
        low, high = float(np.nanmin(z)), float(np.nanmax(z))
        levels = (low, high if high > low else low + 1.0)
        self.image.setImage(z, levels=levels)
        self.image.setRect(_cells(x, y))
        self.image.show()
        self.bar.setLevels(levels)
        self.bar.show()
        for level in round_levels(low, high, LINES):
            self._line(contour(x, y, z, level), THIN, 1.0)
        if marked is not None:
            self._line(contour(x, y, z, marked), STRONG, 2.5)

    def _line(self, pieces: np.ndarray, color: tuple[int, int, int, int], width: float) -> None:
        ends = pieces.reshape(-1, 2)
        line = pg.PlotDataItem(ends[:, 0], ends[:, 1], connect="pairs", pen=pg.mkPen(color, width=width))
        line.setZValue(BEHIND + 1.0)
        self._plot.addItem(line)
        self.lines.append(line)


def _cells(x: np.ndarray, y: np.ndarray) -> QRectF:
    """The rectangle of an image whose values belong to the middles of its cells."""
    half = [(v[-1] - v[0]) / max(1, len(v) - 1) / 2.0 for v in (x, y)]
    corner = (x[0] - half[0], y[0] - half[1])
    return QRectF(*corner, x[-1] - x[0] + 2.0 * half[0], y[-1] - y[0] + 2.0 * half[1])
