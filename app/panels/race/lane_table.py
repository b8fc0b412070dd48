"""The lanes of a race: how each is run, who left first and when, and what it cost."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from app.platform.appearance import Look
from app.session.racing import Racing, Runner
from app.session.recorded.run_list import COLORS
from engine.benchmarks.racing.track import Track
from engine.errors import SceneError
from engine.model.races import Lane, Race
from engine.model.scene import Scene
from engine.solvers.catalogue import find_method

COLUMNS = ("Lane", "Method", "Step", "Left", "Distance", "Energy error", "Violation", "Cost")
TIPS = (
    "Double-click to change a lane",
    "Method, with what else the lane changes",
    "Step of the method",
    "When the lane was one per cent of the size of the mechanism away from the reference, or broke off",
    "Largest distance of a centre of mass from the reference",
    "Largest error of the energy balance",
    "Largest violation of positions",
    "Processor time per simulated second",
)
METHOD, LEFT = 1, 3
COLOR = Qt.ItemDataRole.UserRole  # of the first cell: the colour of its square
METHOD_WIDTH = 110  # px at first; the tooltip has the whole name


@dataclass(frozen=True)
class LaneWords:
    """What is known of a lane without running it."""

    method: str
    step: str
    wrong: str = ""


class LaneTable(QTreeWidget):
    """One row per lane, and one for the reference while there is one."""

    def __init__(self, racing: Racing, look: Look) -> None:
        super().__init__()
        self.setObjectName("race.lanes")
        self._racing, self._look = racing, look
        self.setHeaderLabels(COLUMNS)
        for column, tip in enumerate(TIPS):
            self.headerItem().setToolTip(column, tip)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # methods differ at their ends
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(True)
        # names of three pieces
        self.header().setSectionResizeMode(METHOD, QHeaderView.ResizeMode.Interactive)
        self.header().resizeSection(METHOD, METHOD_WIDTH)

    @property
    def chosen(self) -> list[int]:
        """Which lanes are selected."""
        rows = sorted(self.indexOfTopLevelItem(item) for item in self.selectedItems())
        return [row for row in rows if row < self._lanes]

    _lanes = 0

    def show_race(self, scene: Scene, race: Race | None) -> None:
        """Rows of this race, with what its lanes have found if it is the one that is run."""
        lanes = race.lanes if race is not None else ()
        running = self._racing.race is not None and race is not None and self._racing.race == race
        runners: list[Runner | None] = list(self._racing.runners) if running and self._racing.runners else []
        runners = runners or [None] * len(lanes)
        reference = self._racing.reference if running else None
        first = min(
            (r.track.left.t for r in runners if r is not None and r.track.left is not None), default=math.nan
        )
        with QSignalBlocker(self):
            chosen = self.chosen
            rows = len(lanes) + (reference is not None)
            self._lanes = len(lanes)
            while self.topLevelItemCount() > rows:
                self.takeTopLevelItem(rows)
            while self.topLevelItemCount() < rows:
                self.addTopLevelItem(QTreeWidgetItem())
            for i, (lane, runner) in enumerate(zip(lanes, runners, strict=True)):
                item = self.topLevelItem(i)
                assert item is not None
                self._fill_lane(item, scene, lane, COLORS[i % len(COLORS)], found=runner is not None)
                if runner is not None:
                    self._fill_found(item, runner.track, first)
                item.setSelected(i in chosen)
            if reference is not None:
                item = self.topLevelItem(len(lanes))
                assert item is not None
                self._fill_reference(item, reference.track)

    def _fill_lane(self, item: QTreeWidgetItem, scene: Scene, lane: Lane, color: str, *, found: bool) -> None:
        """How it is run; what it has found is kept where there is something."""
        words = lane_words(scene, lane, self._look)
        values = ", ".join(f"{path} = {value}" for path, value in lane.values.items())
        options = ", ".join(f"{name} = {value}" for name, value in lane.options.items())
        more = "; ".join(filter(None, (options, values)))
        texts = (lane.name, f"{words.method}{'; ' if more else ''}{more}", words.step)
        ink = self._look.theme.color("danger" if words.wrong else "text")
        for column, text in enumerate(texts):
            _show(item, column, text, words.wrong or text, ink)
        if words.wrong or not found:
            for column, text in zip(range(LEFT, len(COLUMNS)), (words.wrong, "", "", "", ""), strict=True):
                _show(item, column, text, words.wrong, ink)
        if item.data(0, COLOR) != color:
            item.setData(0, COLOR, color)
            item.setIcon(0, _square(color))

    def _fill_found(self, item: QTreeWidgetItem, track: Track, first: float) -> None:
        ink, texts, tips = self._look.theme.color("text"), list(found_texts(track)), track.message
        if track.left is not None:
            led = track.left.t == first
            texts[0] = f"{'first, ' if led else ''}{track.left.t:.4g} s"
            _show(item, LEFT, texts[0], f"{track.left.why}. {tips}", self._look.theme.color(_role(led)))
        else:
            _show(item, LEFT, texts[0], tips or texts[0], ink)
        for column, text in zip(range(LEFT + 1, len(COLUMNS)), texts[1:], strict=True):
            _show(item, column, text, tips or text, ink)

    def _fill_reference(self, item: QTreeWidgetItem, track: Track) -> None:
        muted = self._look.theme.color("muted")
        texts = ("Reference", find_method(track.entry.method).short_name, "", *found_texts(track))
        tip = track.message or "What the lanes are measured by: a tight tolerance"
        for column, text in enumerate(texts):
            _show(item, column, text, tip, muted)
        if item.data(0, COLOR):
            item.setData(0, COLOR, "")
            item.setIcon(0, QIcon())

    def as_csv(self, race: Race) -> str:
        """The table with all digits, for a file."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        measures = ("distance", "energy", "position", "velocity", "acceleration")
        writer.writerow(
            (
                *("lane", "method", "step_s", "options", "values", "status", "left_s", "why", "reached_s"),
                *(f"{measure}_max" for measure in measures),
                *("cost_s_per_s", "message"),
            )
        )
        for lane, runner in zip(race.lanes, self._racing.runners, strict=False):
            track = runner.track
            left = (f"{track.left.t:.9g}", track.left.why) if track.left else ("", "")
            options = "; ".join(f"{key}={value}" for key, value in lane.options.items())
            values = "; ".join(f"{key}={value}" for key, value in lane.values.items())
            entry = track.entry
            largest = (f"{track.largest(measure):.9g}" for measure in measures)
            head = (lane.name, entry.method, entry.dt, options, values, track.status, *left, f"{track.t:.9g}")
            writer.writerow((*head, *largest, f"{track.cost_per_second:.6g}", track.message))
        return out.getvalue()


def lane_words(scene: Scene, lane: Lane, look: Look) -> LaneWords:
    """Method and step of a lane as it will be run, or what is wrong with it."""
    step = scene.simulation.dt if lane.dt is None else lane.dt
    shown = step if isinstance(step, str) else look.units.full_text(float(step), "s", 5)
    try:
        method = find_method(lane.method or scene.simulation.method)
    except SceneError as error:
        return LaneWords(lane.method, shown, error.problems[0].message)
    return LaneWords(method.short_name, shown)


def found_texts(track: Track) -> tuple[str, ...]:
    """What a lane has found so far: left, distance, energy, violation, cost."""
    numbers = [track.largest(column) for column in ("distance", "energy", "position")]
    words = [f"{number:.2g}" if math.isfinite(number) else "–" for number in numbers]
    cost = track.cost_per_second
    state = "" if not track.over or track.status == "finished" else track.status.replace("_", " ")
    units = ("m", "J", "")
    return (
        state,
        *(f"{word} {unit}".strip() for word, unit in zip(words, units, strict=True)),
        f"{1e3 * cost:.3g} ms/s" if math.isfinite(cost) else "–",
    )


def _show(item: QTreeWidgetItem, column: int, text: str, tip: str, ink: QColor) -> None:
    """A cell, written only where it differs: every change lays the whole table out anew."""
    if item.text(column) != text:
        item.setText(column, text)
    if item.toolTip(column) != tip:
        item.setToolTip(column, tip)
    if item.data(column, Qt.ItemDataRole.ForegroundRole) is None or item.foreground(column).color() != ink:
        item.setForeground(column, ink)


def _role(led: bool) -> str:
    """Of the theme, for a lane that left first or later."""
    return "danger" if led else "warning"


def _square(color: str) -> QIcon:
    picture = QPixmap(12, 12)
    picture.fill(QColor(color))
    return QIcon(picture)
