"""The race: choose methods, steps or values, start them together, and see who leaves first."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QMenu,
    QMessageBox,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.exporting.plots import PlotExportDialog
from app.document.document import Edit
from app.edits.races import add_race, change_race, first_race, remove_lanes, remove_race, set_lane
from app.panels.base import PanelKind
from app.panels.race.lane_dialog import LaneDialog
from app.panels.race.lane_table import LaneTable
from app.panels.race.race_plots import TITLES, RacePlots
from app.platform.appearance import Look, label, title_bar, tool_button
from app.platform.settings.recent_methods import RecentMethods
from app.session.session import Session
from app.widgets.note_line import NoteLine
from engine.model.races import MAX_LANES, Lane, Race
from engine.results.files.whole_file import write_whole

TABLE_PERIOD = 0.25  # s between two looks at the numbers of the table
NO_RACE = "No race yet: + makes one of this scene, or choose a ready one under Simulation, Ready races"


class RacePanel(QWidget):
    """Races are kept with the scene; every change of one is a step to undo."""

    def __init__(
        self,
        session: Session,
        look: Look,
        recent: RecentMethods,
        files_folder: Callable[[], Path] = Path.home,
    ) -> None:
        super().__init__()
        self.setObjectName("race")
        self._session, self._look, self._recent, self._files_folder = session, look, recent, files_folder
        self._told = 0.0
        self._plotted = ""  # the race whose own plots have been shown
        self.choice = QComboBox()
        self.choice.setObjectName("race.choice")
        self.choice.setAccessibleName("Race")
        self.choice.setMinimumContentsLength(18)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._make = tool_button(look, "race.new", "plus", "Make a race of this scene")
        self._rename = tool_button(look, "race.rename", "rename", "Rename the race")
        self._remove = tool_button(look, "race.remove", "delete", "Remove the race from the scene")
        self._start = tool_button(look, "race.start", "play", "Start all lanes together")
        self._stop = tool_button(look, "race.stop", "stop", "End the race; what was found stays")
        self._add = tool_button(look, "race.lane.add", "insert", f"Add a lane, up to {MAX_LANES}")
        self._edit = tool_button(look, "race.lane.edit", "settings", "Change the selected lane")
        self._drop = tool_button(look, "race.lane.remove", "minus", "Remove the selected lanes")
        self._table_out = tool_button(look, "race.save.table", "save", "Save the table as a CSV file")
        self._plots_out = tool_button(look, "race.save.plots", "export", "Save the plots")
        self._which = tool_button(look, "race.which", "plots", "Which measures are plotted")
        self._which.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._note = NoteLine("", "race.note")
        self.table = LaneTable(session.racing, look)
        self.plots = RacePlots(session.racing, look)
        self._lay_out()
        self._connect()
        self._show_races()

    def _lay_out(self) -> None:
        self.bar = title_bar(self, "race.bar")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(4, 1, 4, 1)
        row.setSpacing(2)
        groups = (
            (self._start, self._stop, self.choice, self._make, self._rename, self._remove),
            (self._add, self._edit, self._drop),
            (self._which, self._table_out, self._plots_out),
        )
        for group in groups:
            for widget in group:
                row.addWidget(widget)
            row.addSpacing(8)
        row.addWidget(self._note, 1)
        self._lesson = label("", "muted", "race.lesson")
        self._lesson.setWordWrap(True)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._lesson)
        column.addWidget(self.table, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setObjectName("race.splitter")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(side)
        splitter.addWidget(self.plots)
        splitter.setSizes([560, 700])
        splitter.setStretchFactor(0, 4)
        splitter.setStretchFactor(1, 5)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(4, 2, 4, 2)
        whole.addWidget(splitter)
        menu = QMenu(self._which)
        self._entries = {name: menu.addAction(title) for name, (title, _) in TITLES.items()}
        for name, entry in self._entries.items():
            entry.setCheckable(True)
            entry.setChecked(name in self.plots.shown)
            entry.toggled.connect(lambda on, name=name: self.plots.show_plot(name, on))
        self._which.setMenu(menu)

    def _connect(self) -> None:
        session = self._session
        for button, call in (
            (self._make, self.make_race),
            (self._rename, self.rename_race),
            (self._remove, self.remove_race),
            (self._start, self.start),
            (self._stop, self.stop),
            (self._add, self.add_lane),
            (self._edit, self.edit_lane),
            (self._drop, self.remove_lanes),
            (self._table_out, self.save_table),
            (self._plots_out, self.save_plots),
        ):
            button.clicked.connect(call)
        self.choice.currentIndexChanged.connect(self._chosen)
        self.table.itemDoubleClicked.connect(lambda item, column: self.edit_lane())
        self.table.itemSelectionChanged.connect(self._enable)
        self.plots.sought.connect(session.transport.seek)
        session.document.changed.connect(self._scene_changed)
        session.racing.changed.connect(self._race_changed)
        session.advanced.connect(self._advanced)
        self._look.changed.connect(self._dressed)

    # races

    @property
    def race(self) -> Race | None:
        """The one that is chosen."""
        races, index = self._session.document.scene.races, self.choice.currentIndex()
        return races[index] if 0 <= index < len(races) else None

    def choose(self, name: str) -> None:
        self.choice.setCurrentText(name)

    def make_race(self) -> None:
        scene = self._session.document.scene
        self._apply(add_race(scene, first_race(scene)))
        self.choice.setCurrentIndex(self.choice.count() - 1)

    def rename_race(self) -> None:
        race = self.race
        if race is None:
            return
        name, taken = QInputDialog.getText(self, "Rename the race", "Name", text=race.name)
        others = {other.name for other in self._session.document.scene.races} - {race.name}
        if taken and name.strip() and name.strip() not in others:
            self._apply(
                change_race(self._session.document.scene, race.name, replace(race, name=name.strip()))
            )

    def remove_race(self) -> None:
        if self.race is not None:
            self._apply(remove_race(self._session.document.scene, self.race.name))

    def start(self) -> None:
        """All lanes together, from the start of the scene."""
        race = self.race
        if race is None:
            self.make_race()
            race = self.race
        if race is None or not race.lanes:
            self._session.message.emit("warning", "the race has no lanes yet: add one first", None)
            return
        self._session.racing.start(self._session.document.scene, race)

    def stop(self) -> None:
        self._session.racing.stop()

    def _apply(self, edit: Edit) -> None:
        self._session.document.apply(edit)

    # lanes

    def add_lane(self) -> None:
        race, scene = self.race, self._session.document.scene
        if race is None:
            self.make_race()
            return
        if len(race.lanes) >= MAX_LANES:
            self._session.message.emit("info", f"a race has at most {MAX_LANES} lanes", None)
            return
        lane = self._ask(Lane(name=""))
        if lane is not None:
            self._apply(set_lane(scene, race, lane))

    def edit_lane(self) -> None:
        race, chosen = self.race, self.table.chosen
        if race is None or not chosen:
            return
        lane = self._ask(race.lanes[chosen[0]])
        if lane is not None:
            self._apply(set_lane(self._session.document.scene, race, lane, chosen[0]))

    def remove_lanes(self) -> None:
        race, chosen = self.race, self.table.chosen
        if race is not None and chosen:
            self._apply(remove_lanes(self._session.document.scene, race, set(chosen)))

    def _ask(self, lane: Lane) -> Lane | None:
        dialog = LaneDialog(self, self._look, self._recent, self._session.document.scene, lane)
        taken = dialog.exec() == QDialog.DialogCode.Accepted
        made = dialog.lane
        dialog.deleteLater()
        return made if taken else None

    # files

    def save_table(self) -> None:
        race = self._session.racing.race
        if race is None:
            return
        suggested = str(self._files_folder() / f"{race.name}.csv")
        name, _ = QFileDialog.getSaveFileName(self, "Save the table", suggested, "Table (*.csv)")
        if not name:
            return
        path = Path(name) if Path(name).suffix else Path(f"{name}.csv")
        try:
            write_whole(path, self.table.as_csv(race))
        except OSError as error:
            QMessageBox.warning(self, "Save the table", f"{path}: {error.strerror or error}")
            return
        self._session.message.emit("info", f"saved {path}", None)

    def save_plots(self) -> None:
        dialog = PlotExportDialog(self, self.plots.sheets(), self._look.theme, self._files_folder())
        if dialog.exec() == QDialog.DialogCode.Accepted and dialog.saved:
            self._session.message.emit("info", f"saved {dialog.files[0]}", None)
        dialog.deleteLater()

    # what is shown

    def catch_up(self, *_: object) -> None:
        """The panel comes into view."""
        if self.isVisible():
            self._fill()
            self.plots.refresh(force=True)

    def _show_races(self) -> None:
        races, chosen = self._session.document.scene.races, self.choice.currentText()
        names = [race.name for race in races]
        with QSignalBlocker(self.choice):
            index = self.choice.currentIndex()
            self.choice.clear()
            self.choice.addItems(names)
            kept = names.index(chosen) if chosen in names else min(max(index, 0), len(names) - 1)
            self.choice.setCurrentIndex(kept)
        self._chosen()

    def _chosen(self, *_: object) -> None:
        race = self.race
        if race is not None and race.plots and race.name != self._plotted:
            self.plots.show_only(race.plots)
            for name, entry in self._entries.items():
                with QSignalBlocker(entry):
                    entry.setChecked(name in race.plots)
        self._plotted = race.name if race is not None else ""
        self._lesson.setText(race.note if race is not None else NO_RACE)
        self._lesson.setVisible(bool(self._lesson.text()))
        self._fill()

    def _fill(self) -> None:
        self.table.show_race(self._session.document.scene, self.race)
        self._enable()

    def _enable(self) -> None:
        racing, race = self._session.racing, self.race
        busy = racing.running or racing.preparing
        self._start.setEnabled(bool(self._session.document.scene.bodies))
        self._stop.setEnabled(busy)
        for button in (self._rename, self._remove, self._add):
            button.setEnabled(race is not None)
        for button in (self._edit, self._drop):
            button.setEnabled(bool(self.table.chosen))
        for button in (self._table_out, self._plots_out):
            button.setEnabled(bool(racing.runners))
        self._note.setText(self._state_words())

    def _state_words(self) -> str:
        racing = self._session.racing
        if racing.preparing:
            ready, lanes = racing.ready_count, len(racing.race.lanes) + 1 if racing.race is not None else 0
            return f"preparing: {ready} of {lanes} ready; a method that is new here is compiled once …"
        marks = racing.marks()
        left = f"first to leave the reference: {marks[0].text} at {marks[0].t:.4g} s" if marks else ""
        if racing.running:
            return f"all at {racing.t:.2f} s{'; ' if left else ''}{left}"
        if racing.race is None:
            return ""
        return left or ("none has left the reference" if racing.watched else "")

    def _race_changed(self) -> None:
        self._fill()
        self.plots.refresh(force=True)

    def _advanced(self) -> None:
        if not self.isVisible():
            return
        self.plots.follow(self._session.t)
        now = time.monotonic()
        if self._session.racing.running and now - self._told > TABLE_PERIOD:
            self._told = now
            self._fill()

    def _scene_changed(self, change: Any) -> None:
        if change.reset or change.before.races != change.after.races:
            self._show_races()

    def _dressed(self) -> None:
        self.plots.apply_theme()
        self._fill()


PANEL = PanelKind(
    "race",
    "Race",
    "race",
    "bottom",
    lambda given: RacePanel(given.session, given.look, given.recent, given.files_folder),
    hidden=True,
)
