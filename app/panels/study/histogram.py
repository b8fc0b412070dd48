"""How an objective is spread, and which share of the runs lies within limits."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout

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
from engine.compiled.layout import Array

SURE = 1.96  # standard deviations of 95 % of a normal distribution


class HistogramView(RowsView):
    """Limits are typed or dragged; a run that failed is out of them."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "study.histogram")
        self._limits: dict[str, tuple[float | None, float | None]] = {}  # by column, in SI
        self.of = chooser("study.histogram.of", "Column")
        self.low, self.high = (_limit(f"study.histogram.{name}", name) for name in ("low", "high"))
        self.yield_ = label("", name="study.histogram.yield")
        self.plot = plot_widget(look, "study.histogram.plot")
        self._bars = pg.BarGraphItem(x=[0], height=[0], width=1)
        self.plot.addItem(self._bars)
        self.lines = [pg.InfiniteLine(angle=90, movable=True) for _ in range(2)]
        for line in self.lines:
            self.plot.addItem(line, ignoreBounds=True)
            line.sigPositionChangeFinished.connect(self._dragged)
        row = QHBoxLayout()
        row.addWidget(self.of)
        for text, box in (("from", self.low), ("to", self.high)):
            row.addWidget(label(text, "muted"))
            row.addWidget(box)
            box.editingFinished.connect(self._typed)
        row.addWidget(self.yield_, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.plot, 1)
        self.of.currentIndexChanged.connect(self._draw)

    def fill(self, shown: ShownTable) -> None:
        offer(self.of, shown.names, len(shown.variables))
        self._draw()

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """As they are shown."""
        low, high = self._limits.get(self.of.currentText(), (None, None))
        return tuple(None if one is None else one / self._factor for one in (low, high))  # type: ignore[return-value]

    def set_limits(self, low: float | None, high: float | None) -> None:
        """Limits in the shown unit."""
        factor = self._factor
        self._limits[self.of.currentText()] = (
            None if low is None else low * factor,
            None if high is None else high * factor,
        )
        self._draw()

    @property
    def _factor(self) -> float:
        return self.shown.factor(self.of.currentText()) if self.shown is not None else 1.0

    def _typed(self) -> None:
        self.set_limits(_read(self.low), _read(self.high))

    def _dragged(self, line: pg.InfiniteLine) -> None:
        at, limits = self.lines.index(line), list(self.limits)
        limits[at] = float(line.value())
        self.set_limits(limits[0], limits[1])

    def _draw(self, *_: object) -> None:
        shown = self.shown
        if shown is None or not len(shown) or not self.of.currentText():
            return
        values = shown.numbers(self.of.currentText())
        known = values[np.isfinite(values)]
        low, high = self.limits
        for box, limit in ((self.low, low), (self.high, high)):
            if not box.hasFocus():
                box.setText("" if limit is None else f"{limit:.6g}")
        if not len(known):
            self.yield_.setText("no run has such a number")
            return
        counts, edges = np.histogram(known, bins="auto" if len(known) < 10_000 else 100)
        middles, width = (edges[:-1] + edges[1:]) / 2.0, float(edges[1] - edges[0])
        inside = within(middles, low, high)
        theme = self.look.theme
        brushes = [pg.mkBrush(theme["accent" if one else "ghost"]) for one in inside]
        self._bars.setOpts(x=middles, height=counts, width=0.95 * width, brushes=brushes)
        ends = (float(edges[0]), float(edges[-1]))
        for line, limit, end in zip(self.lines, (low, high), ends, strict=True):
            line.setPen(pg.mkPen(theme["muted" if limit is None else "danger"], width=2))
            line.setValue(end if limit is None else limit)
        self.plot.setLabel("bottom", shown.heading(self.of.currentText()))
        self.plot.setLabel("left", "runs")
        self.yield_.setText(yield_words(values, low, high, shown.unit(self.of.currentText())))

    def dress(self) -> None:
        dress_plot(self.plot, self.look)
        super().dress()


def within(values: Array, low: float | None, high: float | None) -> Array:
    """Which numbers lie within the limits; NaN does not."""
    inside = np.isfinite(values)
    if low is not None:
        inside &= np.nan_to_num(values, nan=-np.inf) >= low
    if high is not None:
        inside &= np.nan_to_num(values, nan=np.inf) <= high
    return inside


def yield_words(values: Array, low: float | None, high: float | None, unit: str = "") -> str:
    """Mean, scatter and the yield with its uncertainty (Wilson's interval, 95 %)."""
    known = values[np.isfinite(values)]
    spread = f"mean {known.mean():.5g} {unit}".rstrip() + f", σ {known.std():.3g} {unit}".rstrip()
    if low is None and high is None:
        return f"{spread}; drag the lines or type limits for the yield"
    n, share = len(values), float(within(values, low, high).mean())
    middle = (share + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
    half = SURE / (1 + SURE**2 / n) * np.sqrt(share * (1 - share) / n + SURE**2 / (4 * n**2))
    return (
        f"yield {100 * share:.1f} % of {n} runs (95 %: {100 * (middle - half):.1f} to "
        f"{100 * (middle + half):.1f} %); {spread}"
    )


def _limit(name: str, title: str) -> QLineEdit:
    made = QLineEdit()
    made.setObjectName(name)
    made.setPlaceholderText(f"{title} limit")
    made.setToolTip(f"The {title} limit; empty: none")
    made.setMaximumWidth(100)
    return made


def _read(box: QLineEdit) -> float | None:
    try:
        return float(box.text().replace(",", "."))
    except ValueError:
        return None


VIEW = ViewKind(
    "histogram", "Histogram", "How a number is spread, and the yield against limits", HistogramView
)
