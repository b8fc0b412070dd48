"""The test centre: published problems with their official measures, all methods, pass or fail, as a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QMessageBox,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.panels.base import PanelKind
from app.platform.appearance import Look, thin_progress, title_bar, tool_button
from app.platform.resources import scene_paths
from app.session.session import Session
from app.widgets.note_line import NoteLine
from engine.benchmarks import BENCHMARKS
from engine.benchmarks.base import Benchmark
from engine.benchmarks.problem_series import Series, Trial
from engine.benchmarks.results_page import first_line, number, results_page
from engine.model.files.scene_file import load_scene
from engine.results.files.whole_file import write_whole
from engine.solvers.method_patterns import select_methods

COLUMNS = ("Problem and method", "Verdict", "Error", "Limit", "Time", "Published", "Step", "Remark")
CHOICES = (
    ("Method of each scene", ()),
    ("Direct methods", ("direct",)),
    ("Every formulation, scheme and treatment once", ("all",)),
)
TOLD = {"pass": "good", "fail": "danger"}
JUDGEMENTS = {
    "pass": "The measure is below the limit",
    "fail": "The measure is not below the limit, and nothing in the run says so",
    "told": "It does not meet the limit or broke off, and says so itself",
    "refused": "The method does not take this mechanism, and says so at the start",
}
LOOK_EVERY = 150  # ms
PATIENCE = 2.0  # s for the process to end
PROBLEM = Qt.ItemDataRole.UserRole


class TestCentrePanel(QWidget):
    """One button runs everything; what is complete can be handed in at any time."""

    __test__ = False  # pytest looks for classes that are called so

    def __init__(self, session: Session, look: Look, files_folder: Callable[[], Path] = Path.home) -> None:
        super().__init__()
        self.setObjectName("test_centre")
        self._session, self._look, self._files_folder = session, look, files_folder
        self.series: Series | None = None
        self._ending: list[Series] = []
        self._shown = 0  # rows that are in the table
        self.choice = QComboBox()
        self.choice.setObjectName("test_centre.methods")
        self.choice.setAccessibleName("Methods that are tested")
        for text, words in CHOICES:
            self.choice.addItem(text, words)
        self._run = tool_button(look, "test_centre.run", "play", "Run all published problems")
        self._cancel = tool_button(look, "test_centre.cancel", "stop", "Stop; what is complete stays")
        self._save = tool_button(look, "test_centre.save", "report", "Save the results as a page to hand in")
        self._open = tool_button(look, "test_centre.open", "open", "Open the scene of the selected problem")
        self.progress = thin_progress("test_centre.progress", 140)
        self._note = NoteLine("", "test_centre.note")
        self.bar = title_bar(self, "test_centre.bar")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(4, 1, 4, 1)
        for widget in (self._run, self._cancel, self.choice, self._open, self._save, self.progress):
            row.addWidget(widget)
        row.addWidget(self._note, 1)
        self.view = QTreeWidget()
        self.view.setObjectName("test_centre.view")
        self.view.setHeaderLabels(COLUMNS)
        self.view.setUniformRowHeights(True)
        header = self.view.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.addWidget(self.view)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look_at_it)
        self._run.clicked.connect(self.run)
        self._cancel.clicked.connect(self.cancel)
        self._save.clicked.connect(self.save)
        self._open.clicked.connect(self.open_scene)
        self.view.itemSelectionChanged.connect(self._enable)
        look.changed.connect(self._fill)
        self._fill()

    # what is done

    def run(self) -> None:
        """All problems with the methods that are chosen."""
        self.cancel()
        methods = self._methods()
        trials = []
        for benchmark in BENCHMARKS:
            scene = load_scene(scene_paths()[benchmark.scene])
            trials += [Trial(benchmark.name, scene, method) for method in methods]
        self.series = Series(trials)
        self._fill()
        self._timer.start()

    def _methods(self) -> list[str | None]:
        words = self.choice.currentData()
        if not words:
            return [None]
        chosen = select_methods(["all"])
        return [method.name for method in chosen if words == ("all",) or not method.pieces]

    def cancel(self) -> None:
        series = self.series
        if series is not None and not series.over:
            series.ask_to_stop()
            self._ending = [*(one for one in self._ending if not one.over), series]
            self._enable()

    def save(self) -> None:
        if self.series is None:
            return
        suggested = str(self._files_folder() / "test_centre.html")
        name, _ = QFileDialog.getSaveFileName(self, "Save the page", suggested, "Page (*.html)")
        if not name:
            return
        path = Path(name) if Path(name).suffix else Path(f"{name}.html")
        page = results_page(BENCHMARKS, self.series.rows, stopped=self.series.stopped)
        try:
            write_whole(path, page)
        except OSError as error:
            QMessageBox.warning(self, "Save the page", f"{path}: {error.strerror or error}")
            return
        self._session.message.emit("info", f"saved {path}", None)

    def open_scene(self) -> None:
        """Open the mechanism of the selected problem."""
        items = self.view.selectedItems()
        if not items:
            return
        if not self._session.document.clean:
            self._session.message.emit(
                "info", "save your scene first, then open the one of the problem", None
            )
            return
        top = items[0].parent() or items[0]
        self._session.document.open(scene_paths()[BENCHMARKS[str(top.data(0, PROBLEM))].scene])

    def shutdown(self) -> bool:
        self._timer.stop()
        self.cancel()
        ended = [series.stop(PATIENCE) for series in self._ending]  # each of them
        return all(ended)

    # what is shown

    def _look_at_it(self) -> None:
        series = self.series
        if series is None:
            return
        over = series.over
        for row in series.rows[self._shown :]:
            self._add(row)
        self._shown = len(series.rows)
        self.progress.setValue(round(1000 * series.progress))
        if over:
            self._timer.stop()
        self._enable()

    def _fill(self) -> None:
        """All problems, and what is known of them."""
        self.view.clear()
        self._tops: dict[str, QTreeWidgetItem] = {}
        for benchmark in BENCHMARKS:
            limit = f"{benchmark.limit:g} {benchmark.unit}".strip()
            title = f"{benchmark.name}  {benchmark.title}"
            top = QTreeWidgetItem([title, "", "", limit, "", _published(benchmark), "", benchmark.summary])
            top.setData(0, PROBLEM, benchmark.name)
            top.setToolTip(5, _all_published(benchmark))
            self._tops[benchmark.name] = top
            self.view.addTopLevelItem(top)
        for row in self.series.rows if self.series is not None else ():
            self._add(row)
        self._shown = len(self.series.rows) if self.series is not None else 0
        self._enable()

    def _add(self, row: dict[str, Any]) -> None:
        top = self._tops[row["benchmark"]]
        note = "" if row["status"] == "finished" else f"{row['status']}: {first_line(row['message'])}"
        texts = [str(row["method"]), row["verdict"], number(row["error"], ".2e"), ""]
        texts += [f"{number(row['wall_time'], '.3f')} s", "", f"{number(row['dt'], 'g')} s", note]
        item = QTreeWidgetItem(top, texts)
        item.setToolTip(7, row["message"])
        item.setToolTip(1, JUDGEMENTS.get(row["verdict"], ""))
        item.setForeground(1, self._look.theme.color(TOLD.get(row["verdict"], "warning")))
        top.setExpanded(True)
        known = self.series.rows if self.series is not None else []
        rows = [one for one in known if one["benchmark"] == row["benchmark"]]
        passed = sum(one["verdict"] == "pass" for one in rows)
        top.setText(1, f"{passed} of {len(rows)} pass" if len(rows) > 1 else row["verdict"])
        top.setForeground(1, self._look.theme.color("good" if passed else "danger"))

    def _enable(self) -> None:
        series = self.series
        busy = series is not None and not series.over and not series.stopped
        self._run.setEnabled(not busy)
        self.choice.setEnabled(not busy)
        self._cancel.setEnabled(busy)
        self.progress.setVisible(busy)
        self._save.setEnabled(series is not None and bool(series.rows))
        self._open.setEnabled(bool(self.view.selectedItems()))
        self._note.setText(self._words(busy=busy))

    def _words(self, *, busy: bool) -> str:
        series = self.series
        if series is None:
            return "Official measures of the IFToMM library and two more; one run after the other"
        done, total = len(series.rows), len(series.trials)
        passed = sum(row["verdict"] == "pass" for row in series.rows)
        if busy and done < total:
            trial = series.trials[done]
            return f"{done} of {total}, {passed} pass; {trial.benchmark} {trial.method or ''}"
        return f"{passed} of {done} runs pass{'; stopped' if done < total else ''}"


def _published(benchmark: Benchmark) -> str:
    """The quickest published result that meets the limit."""
    timed = [one for one in benchmark.published if one.time is not None and one.error < benchmark.limit]
    best = min(timed, key=lambda one: one.time or 0.0, default=None)
    return f"{best.time:g} s, {best.code}" if best is not None else "no time"


def _all_published(benchmark: Benchmark) -> str:
    return "\n".join(
        f"{one.code}: step {one.step}, error {'< ' if one.below else ''}{one.error:.2e}"
        + (f", {one.time:g} s" if one.time is not None else "")
        + (f" ({one.machine})" if one.machine else "")
        for one in benchmark.published
    )


PANEL = PanelKind(
    "test_centre",
    "Test centre",
    "test-centre",
    "bottom",
    lambda given: TestCentrePanel(given.session, given.look, given.files_folder),
    hidden=True,
)
