"""Plots beside a film: the curves are drawn once, each frame adds the line of its instant and the clock."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from app.plots.axis import plain_axes
from app.qt import application
from app.run import Run
from app.theme import Theme
from app.viewport.offscreen import Picture

POINTS = 4000  # of a curve: more than a film has pixels
LINE = (255, 122, 0)  # of the instant
PER_PLOT = 4  # channels of one unit in one plot


class PlotStrip:
    """Channels over time, side by side; those of the same unit share a plot."""

    def __init__(
        self, run: Run, names: Sequence[str], size: tuple[int, int], span: tuple[float, float], *, dark: bool
    ) -> None:
        application(offscreen=True)
        theme = Theme(dark=dark) if dark else Theme()
        page = pg.GraphicsLayoutWidget(show=False, size=size)
        page.setBackground(theme["base"])
        boxes = []
        for names_here in _groups(run, names):
            plot = page.addPlot(title=", ".join(names_here), axisItems=plain_axes())
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(pg.mkPen(theme["grid"]))
                axis.setTextPen(pg.mkPen(theme["text"]))
            plot.titleLabel.setAttr("color", theme["text"])
            plot.titleLabel.setText(plot.titleLabel.text, size="8pt")
            plot.setLabel("left", run.unit(names_here[0]))
            plot.showGrid(x=True, y=True, alpha=0.25)
            plot.setXRange(*span, padding=0.0)
            for i, name in enumerate(names_here):
                t, y = run.channel(name, *span)
                every = max(1, len(t) // POINTS)
                plot.plot(t[::every], y[::every], pen=pg.mkPen(theme.plot_color(i), width=1.5))
            boxes.append(plot.getViewBox())
        self.picture = _pixels(page.grab().toImage())
        # the layout exists since the picture was taken: where an instant lies is known from here on
        self._lines = [_places(box, span) for box in boxes]
        page.close()

    def at(self, t: float) -> Picture:
        """The strip with a line at an instant."""
        picture = self.picture.copy()
        for begin, left, right, end, top, bottom in self._lines:
            share = (t - begin) / (end - begin) if end > begin else 0.0
            x = round(left + share * (right - left))
            picture[top:bottom, max(x - 1, 0) : x + 1] = LINE
        return picture


class Clock:
    """The time of the simulation in the upper left corner."""

    def __init__(self, *, dark: bool) -> None:
        application(offscreen=True)
        self._color = QColor("white" if dark else "black")

    def write(self, picture: Picture, t: float) -> None:
        """Write on a picture, in place."""
        height, width, _ = picture.shape
        size = max(10, height // 28)
        low, wide = min(height, 2 * size), min(width, 12 * size)
        corner = np.ascontiguousarray(picture[:low, :wide])
        image = QImage(corner.data, wide, low, 3 * wide, QImage.Format.Format_RGB888)
        painter = QPainter(image)
        font = QFont(painter.font())
        font.setPixelSize(size)
        painter.setFont(font)
        painter.setPen(self._color)
        place = QRectF(0.6 * size, 0.3 * size, wide - size, 1.6 * size)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft, f"t = {t:.3f} s")
        painter.end()
        picture[:low, :wide] = corner


def _groups(run: Run, names: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = []
    for name in names:
        for group in groups:
            if run.unit(group[0]) == run.unit(name) and len(group) < PER_PLOT:
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def _places(box: pg.ViewBox, span: tuple[float, float]) -> tuple[float, float, float, float, int, int]:
    rect = box.sceneBoundingRect()
    left, right = (box.mapViewToScene(QPointF(t, 0.0)).x() for t in span)
    return span[0], left, right, span[1], round(rect.top()), round(rect.bottom())


def _pixels(image: QImage) -> Picture:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()
