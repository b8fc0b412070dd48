"""The response surface: an objective over two variables, as a coloured map with the runs on it."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from app.panels.study.base import RowsView, ViewKind, chooser, dress_plot, offer, plot_widget
from app.panels.study.shown_table import ShownTable
from app.platform.appearance import Look, label
from engine.compiled.layout import Array

GRID = 80  # cells to each side
FEWEST = 4  # runs: with less there is no surface
LEVELS = 7  # lines of equal value


class SurfaceView(RowsView):
    """Between the runs it is linear over triangles (Delaunay); outside them nothing is drawn."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "study.surface")
        self.across = chooser("study.surface.x", "Variable to the right")
        self.up = chooser("study.surface.y", "Variable upwards")
        self.of = chooser("study.surface.z", "Objective")
        self.plot = plot_widget(look, "study.surface.plot")
        self._image = pg.ImageItem(colorMap=pg.colormap.get("viridis"))
        self.plot.addItem(self._image)
        self._lines: list[pg.IsocurveItem] = []
        self.points = pg.ScatterPlotItem(size=6, hoverable=True, hoverSize=10, tip=None)
        self.plot.addItem(self.points)
        self.points.sigClicked.connect(self._clicked)
        self._note = label("", "muted", "study.surface.note")
        row = QHBoxLayout()
        for text, box in (("x", self.across), ("y", self.up), ("of", self.of)):
            row.addWidget(label(text, "muted"))
            row.addWidget(box)
            box.currentIndexChanged.connect(self._draw)
        row.addWidget(self._note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.plot, 1)

    def fill(self, shown: ShownTable) -> None:
        offer(self.across, shown.variables, 0)
        offer(self.up, shown.variables, 1)
        offer(self.of, shown.objectives, 0)
        self._draw()

    def _draw(self, *_: object) -> None:
        for line in self._lines:
            line.setParentItem(None)
        self._lines = []
        shown = self.shown
        names = (self.across.currentText(), self.up.currentText(), self.of.currentText())
        if shown is None or not all(names) or names[0] == names[1]:
            self._clear("choose two variables")
            return
        x, y, z = (shown.numbers(name) for name in names)
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y) & np.isfinite(z))
        spans = [float(np.ptp(v[known])) if len(known) else 0.0 for v in (x, y)]
        if len(known) < FEWEST or not all(spans):
            self._clear(f"a surface needs at least {FEWEST} runs that differ in both")
            return
        surface = surface_of(x[known], y[known], z[known])
        low_x, low_y = float(x[known].min()), float(y[known].min())
        rect = QRectF(low_x, low_y, spans[0], spans[1])
        self._image.setImage(surface)
        self._image.setRect(rect)
        self._image.show()
        self._note.setText(
            f"{shown.heading(names[2])}: {np.nanmin(surface):.4g} (dark) to {np.nanmax(surface):.4g} (bright)"
        )
        self._draw_lines(surface)
        pen = pg.mkPen("w", width=0.8)
        self.points.setData(x=x[known], y=y[known], data=known, brush=pg.mkBrush("k"), pen=pen)
        self.plot.setLabel("bottom", shown.heading(names[0]))
        self.plot.setLabel("left", shown.heading(names[1]))

    def _draw_lines(self, surface: Array) -> None:
        low, high = float(np.nanmin(surface)), float(np.nanmax(surface))
        if not high > low:
            return
        filled = np.where(np.isfinite(surface), surface, low)
        for level in np.linspace(low, high, LEVELS + 2)[1:-1]:
            line = pg.IsocurveItem(filled, level, pen=pg.mkPen((255, 255, 255, 120), width=1))
            line.setParentItem(self._image)
            self._lines.append(line)

    def _clear(self, words: str) -> None:
        self._image.hide()
        self.points.setData([])
        self._note.setText(words)

    def _clicked(self, item: object, points: list[pg.SpotItem], *_: object) -> None:
        if len(points):
            self.picked.emit(int(points[0].data()))

    def dress(self) -> None:
        dress_plot(self.plot, self.look)
        super().dress()


def surface_of(x: Array, y: Array, z: Array) -> Array:
    """z on a grid over the rectangle of all points, shape (GRID, GRID), x first; NaN outside their hull."""
    from scipy.interpolate import LinearNDInterpolator  # slow to import
    from scipy.spatial import QhullError

    across, up = (np.linspace(v.min(), v.max(), GRID) for v in (x, y))
    scaled = np.column_stack([(x - x.min()) / np.ptp(x), (y - y.min()) / np.ptp(y)])
    shares = np.linspace(0.0, 1.0, GRID)
    try:
        found = LinearNDInterpolator(scaled, z)(*np.meshgrid(shares, shares, indexing="ij"))
    except QhullError:  # all on one line
        found = np.full((len(across), len(up)), np.nan)
    return np.asarray(found)


VIEW = ViewKind("surface", "Surface", "An objective over two variables", SurfaceView)
