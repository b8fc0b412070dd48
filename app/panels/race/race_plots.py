"""The linked plots of a race: one per measure, one time axis, one playhead."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QScrollArea, QSplitter, QVBoxLayout, QWidget

from app.exchange.sheets.sheets import Line, Sheet
from app.platform.appearance import Look
from app.session.racing import Racing, Runner
from app.widgets.plots.measure_plot import MeasurePlot, PlottedCurve
from engine.benchmarks.racing.track import COLUMNS

FLOOR = 1e-17  # lowest value on paper
PERIOD = 0.05  # s between two drawings; each draws one plot, so that the window never waits for all
TITLES = {
    "distance": ("Distance from the reference", "m"),
    "energy": ("Energy error", "J"),
    "position": ("Violation of positions", "m, rad"),
    "velocity": ("Violation of velocities", "m/s, rad/s"),
    "acceleration": ("Violation of accelerations", "m/s², rad/s²"),
    "cost": ("Processor time per simulated second", "s/s"),
}
SHOWN = ("distance", "energy", "position")  # at first


class RacePlots(QWidget):
    """Shows the measures that are switched on."""

    sought = Signal(float)

    def __init__(self, racing: Racing, look: Look) -> None:
        super().__init__()
        self.setObjectName("race.plots")
        self._racing, self._look = racing, look
        self._next, self._last, self._t = 0, 0.0, 0.0
        self._playhead: dict[str, float] = {}  # where each plot has it
        self._later = QTimer(self, singleShot=True, interval=math.ceil(1e3 * PERIOD))
        self._later.timeout.connect(self._catch_up)
        self.plots: dict[str, MeasurePlot] = {}  # made when they are first seen
        self._on = list(SHOWN)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        room = QScrollArea()
        room.setWidgetResizable(True)
        room.setWidget(self._splitter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(room)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.plots:
            self._make()
            self.refresh(force=True)

    def _make(self) -> None:
        for column, (title, unit) in TITLES.items():
            plot = MeasurePlot(self._look, f"race.plot.{column}", f"{title} [{unit}]")
            plot.sought.connect(self.sought)
            if self.plots:
                plot.plot.setXLink(next(iter(self.plots.values())).plot)
            plot.setVisible(column in self._on)
            self.plots[column] = plot
            self._splitter.addWidget(plot)

    def show_plot(self, column: str, shown: bool) -> None:
        self._on = [name for name in TITLES if (shown if name == column else name in self._on)]
        if self.plots:
            self.plots[column].setVisible(shown)
        self.refresh(force=True)

    def show_only(self, columns: Sequence[str]) -> None:
        """These measures, in the order of all."""
        self._on = [name for name in TITLES if name in columns]
        for name, plot in self.plots.items():
            plot.setVisible(name in self._on)
        self.refresh(force=True)

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(self._on)

    def apply_theme(self) -> None:
        for plot in self.plots.values():
            plot.apply_theme()
        self.refresh(force=True)

    def follow(self, t: float) -> None:
        """The playhead has moved, and there may be more to draw; plot by plot while lanes are at work."""
        self._t = t
        if self._racing.running:
            if not self._later.isActive():
                self._later.start()
            return
        for column in self.shown if self.plots else ():
            self._show_playhead(column)
        self.refresh()

    def _show_playhead(self, column: str) -> None:
        self.plots[column].show_playhead(self._t)
        self._playhead[column] = self._t

    def _catch_up(self) -> None:
        """The plot that has waited longest; again until all of them have the playhead where it is."""
        self.refresh()
        if self.plots and any(self._playhead.get(column) != self._t for column in self.shown):
            self._later.start()

    def refresh(self, *, force: bool = False) -> None:
        """Draw the plot that has waited longest, at most so often; all of them when forced."""
        shown, now = self.shown, time.monotonic()
        if not shown or not self.plots or (not force and now - self._last < PERIOD):
            return
        self._last = now
        self._next = (self._next + 1) % len(shown)
        for column in shown if force else [shown[self._next]]:
            self._draw(column)
            self._show_playhead(column)

    def _draw(self, column: str) -> None:
        curves = {str(i): _curve(runner, column) for i, runner in enumerate(self._runners())}
        marks = [(mark.t, mark.color) for mark in self._racing.marks()] if column == "distance" else ()
        self.plots[column].show_curves(curves, marks)

    def _runners(self) -> Sequence[Runner]:
        """The reference has no colour of its own and no distance from itself: its curves are not drawn."""
        return self._racing.runners

    def sheets(self) -> list[Sheet]:
        """All measures for files, those that are not shown too."""
        made = []
        for column, (title, unit) in TITLES.items():
            lines = []
            for runner in self._runners():
                curve = _curve(runner, column)
                lines.append(Line(runner.name, unit, curve.color, curve.t, np.abs(curve.y)))
            last = max((float(line.x[-1]) for line in lines if len(line.x)), default=1.0)
            made.append(Sheet(title, "time [s]", unit, True, (0.0, last), tuple(lines), floor=FLOOR))
        return made


def _curve(runner: Runner, column: str) -> PlottedCurve:
    table = runner.track.curves
    return PlottedCurve(runner.run.color, table[:, 0], table[:, 1 + COLUMNS.index(column)])
