"""Any column over any other, coloured by a third; a click on a point picks its run."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from app.panels.study.base import (
    RowsView,
    ViewKind,
    chooser,
    dress_plot,
    offer,
    plot_widget,
)
from app.panels.study.shown_table import ShownTable
from app.platform.appearance import Look, label

ONE = "one colour"
SIZE = 8  # px of a point
COLORS = 24  # steps of the scale


class ScatterView(RowsView):
    """Runs that failed have no place here."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "study.scatter")
        self.across = chooser("study.scatter.x", "To the right")
        self.up = chooser("study.scatter.y", "Upwards")
        self.by = chooser("study.scatter.color", "Colour")
        self.plot = plot_widget(look, "study.scatter.plot")
        self.points = pg.ScatterPlotItem(size=SIZE, hoverable=True, hoverSize=SIZE + 4, tip=None)
        self.plot.addItem(self.points)
        self.points.sigClicked.connect(self._clicked)
        row = QHBoxLayout()
        for text, box in (("x", self.across), ("y", self.up), ("colour", self.by)):
            row.addWidget(label(text, "muted"))
            row.addWidget(box)
            box.currentIndexChanged.connect(self._draw)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.plot, 1)

    def fill(self, shown: ShownTable) -> None:
        names = shown.names
        offer(self.across, names, 0)
        offer(self.up, names, len(shown.variables))
        offer(self.by, [ONE, *names], 0)
        self._draw()

    def _draw(self, *_: object) -> None:
        shown = self.shown
        if shown is None or not len(shown):
            self.points.setData([])
            return
        across, up = self.across.currentText(), self.up.currentText()
        x, y = shown.numbers(across), shown.numbers(up)
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        brushes = [pg.mkBrush(self.look.theme["accent"])] * len(known)
        if self.by.currentText() != ONE:
            brushes = scale_brushes(shown.numbers(self.by.currentText())[known])
        pen = pg.mkPen(self.look.theme["base"], width=0.5)
        self.points.setData(x=x[known], y=y[known], data=known, brush=brushes, pen=pen)
        self.plot.setLabel("bottom", shown.heading(across))
        self.plot.setLabel("left", shown.heading(up))

    def _clicked(self, item: object, points: list[pg.SpotItem], *_: object) -> None:
        if len(points):
            self.picked.emit(int(points[0].data()))

    def dress(self) -> None:
        dress_plot(self.plot, self.look)
        super().dress()


def scale_brushes(values: np.ndarray) -> list[pg.QtGui.QBrush]:
    """A colour for each number, from the smallest to the largest."""
    low, high = np.nanmin(values, initial=np.inf), np.nanmax(values, initial=-np.inf)
    span = high - low if high > low else 1.0
    table = [pg.mkBrush(color) for color in pg.colormap.get("viridis").getLookupTable(nPts=COLORS)]
    places = np.nan_to_num((values - low) / span * (COLORS - 1)).round().astype(int)
    return [table[min(max(place, 0), COLORS - 1)] for place in places]


VIEW = ViewKind("scatter", "Scatter", "Any column over any other; a click opens the run", ScatterView)
