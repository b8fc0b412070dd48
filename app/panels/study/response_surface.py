"""The response surface: an objective over two variables, as a coloured map with the runs on it."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from app.panels.study.base import RowsView, ViewKind, chooser, dress_plot, offer, plot_widget
from app.panels.study.shown_table import ShownTable
from app.platform.appearance import Look, label
from app.widgets.charts.field import FieldItem
from engine.compiled.layout import Array

GRID = 80  # cells to each side
MIN_RUNS = 4  # runs: with less there is no surface


class SurfaceView(RowsView):
    """Between the runs it is linear over triangles (Delaunay); outside them nothing is drawn."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "study.surface")
        self.across = chooser("study.surface.x", "Variable to the right")
        self.up = chooser("study.surface.y", "Variable upwards")
        self.of = chooser("study.surface.z", "Objective")
        self.plot = plot_widget(look, "study.surface.plot")
        self._field = FieldItem(self.plot.getPlotItem(), look.theme)
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
        shown = self.shown
        names = (self.across.currentText(), self.up.currentText(), self.of.currentText())
        if shown is None or not all(names) or names[0] == names[1]:
            self._clear("choose two variables")
            return
        x, y, z = (shown.numbers(name) for name in names)
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y) & np.isfinite(z))
        if len(known) < MIN_RUNS or not (np.ptp(x[known]) and np.ptp(y[known])):
            self._clear(f"a surface needs at least {MIN_RUNS} runs that differ in both")
            return
        across, up = (np.linspace(v[known].min(), v[known].max(), GRID) for v in (x, y))
        surface = surface_of(x[known], y[known], z[known])
        self._field.show(across, up, surface)
        self._note.setText(f"colours: {shown.heading(names[2])}")
        pen = pg.mkPen("w", width=0.8)
        self.points.setData(x=x[known], y=y[known], data=known, brush=pg.mkBrush("k"), pen=pen)
        self.plot.setLabel("bottom", shown.heading(names[0]))
        self.plot.setLabel("left", shown.heading(names[1]))

    def _clear(self, words: str) -> None:
        self._field.clear()
        self.points.setData([])
        self._note.setText(words)

    def _clicked(self, item: object, points: list[pg.SpotItem], *_: object) -> None:
        if len(points):
            self.picked.emit(int(points[0].data()))

    def dress(self) -> None:
        dress_plot(self.plot, self.look)
        self._field.dress(self.look.theme)
        super().dress()


def surface_of(x: Array, y: Array, z: Array) -> Array:
    """z on a grid over the rectangle of all points, shape (GRID, GRID), x first; NaN outside their hull."""
    from scipy.interpolate import LinearNDInterpolator  # slow to import
    from scipy.spatial import QhullError

    scaled = np.column_stack([(x - x.min()) / np.ptp(x), (y - y.min()) / np.ptp(y)])
    shares = np.linspace(0.0, 1.0, GRID)
    try:
        found = LinearNDInterpolator(scaled, z)(*np.meshgrid(shares, shares, indexing="ij"))
    except QhullError:  # all on one line
        found = np.full((GRID, GRID), np.nan)
    return np.asarray(found)


VIEW = ViewKind("surface", "Surface", "An objective over two variables", SurfaceView)
