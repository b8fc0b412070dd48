"""A small plot of a few curves over time with a playhead: logarithmic, few points, cheap to draw again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.platform.appearance import Look
from app.widgets.note_line import NoteLine
from app.widgets.plots.axes.axis import Axis
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.compiled.layout import Array

POINTS = 300  # of a curve, at most
WIDTH = 1.6  # px of a curve
MIN_SIZE = (140, 80)  # px: three beside a table in a window of 1024
CEILING = 1e12  # on a logarithmic axis; what has burst would press all other curves into one line


@dataclass(frozen=True)
class PlottedCurve:
    """Instants [s] and values of one curve; only their size is drawn."""

    color: str
    t: Array
    y: Array


class MeasurePlot(QWidget):
    """One measure of several runs."""

    sought = Signal(float)  # t [s]

    def __init__(self, look: Look, name: str, title: str, *, log: bool = True) -> None:
        super().__init__()
        self.setObjectName(name)
        self.title = title
        self._look, self._log = look, log
        self._lines: dict[str, pg.PlotDataItem] = {}
        self._marks: list[pg.InfiniteLine] = []
        axes = {side: Axis(side, "time") for side in ("left", "bottom")}
        self.plot = pg.PlotWidget(axisItems=axes, enableMenu=False)
        self.plot.setObjectName(f"{name}.plot")
        bind_menus(self.plot)
        self.plot.hideButtons()
        self.plot.setLogMode(y=log)
        self.plot.setMinimumSize(*MIN_SIZE)
        self._playhead = pg.InfiniteLine(angle=90, movable=True)
        self._playhead.setZValue(20)
        self.plot.addItem(self._playhead, ignoreBounds=True)
        self._playhead.sigDragged.connect(lambda line: self.sought.emit(float(line.value())))
        self.plot.scene().sigMouseClicked.connect(self._clicked)
        heading = NoteLine(title, f"{name}.title")
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 0, 2, 0)
        column.setSpacing(0)
        column.addWidget(heading)
        column.addWidget(self.plot, 1)
        self._show_numbers(False)
        self.apply_theme()

    def apply_theme(self) -> None:
        theme = self._look.theme
        self.plot.setBackground(theme["base"])
        self.plot.showGrid(x=True, y=True, alpha=0.25)
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(theme["border"])
            axis.setTextPen(theme["muted"])
        self._playhead.setPen(pg.mkPen(theme["accent"], width=1.5))

    def show_playhead(self, t: float) -> None:
        if not self._playhead.moving:
            self._playhead.setValue(t)

    def show_curves(
        self, curves: Mapping[str, PlottedCurve], marks: Sequence[tuple[float, str]] = ()
    ) -> None:
        """Draw these curves, by name, and upright lines at instants in their colours."""
        for name in [name for name in self._lines if name not in curves]:
            self.plot.removeItem(self._lines.pop(name))
        drawn = False
        for name, curve in curves.items():
            if name not in self._lines:
                self._lines[name] = self.plot.plot(pen=pg.mkPen(curve.color, width=WIDTH))
            line = self._lines[name]
            line.setPen(pg.mkPen(curve.color, width=WIDTH))
            t, y = thinned(curve.t, curve.y, log=self._log)
            line.setData(t, y, connect="finite")
            drawn = drawn or bool(np.isfinite(y).any())
        for old in self._marks:
            self.plot.removeItem(old)
        self._marks = []
        for instant, color in marks:
            pen = pg.mkPen(color, width=1.5, style=Qt.PenStyle.DashLine)
            self._marks.append(pg.InfiniteLine(instant, angle=90, pen=pen))
            self.plot.addItem(self._marks[-1], ignoreBounds=True)
        self._show_numbers(drawn)

    def _show_numbers(self, shown: bool) -> None:
        """On the upright axis, where something gives them a meaning."""
        self.plot.getAxis("left").setStyle(showValues=shown)

    def _clicked(self, event: object) -> None:
        button = event.button()  # type: ignore[attr-defined]
        if button is Qt.MouseButton.LeftButton:
            place = self.plot.getViewBox().mapSceneToView(event.scenePos())  # type: ignore[attr-defined]
            self.sought.emit(float(place.x()))


def thinned(t: Array, y: Array, *, log: bool) -> tuple[Array, Array]:
    """Few points that look the same: the largest size of each stretch; a logarithmic axis has no zero."""
    size = np.abs(y)
    if len(t) > POINTS:
        stride = -(-len(t) // POINTS)
        starts = np.arange(0, len(t), stride)
        with np.errstate(invalid="ignore"):
            size = np.fmax.reduceat(size, starts)
        t = t[starts]
    return t, np.where((size > 0.0) & (size < CEILING), size, np.nan) if log else size
