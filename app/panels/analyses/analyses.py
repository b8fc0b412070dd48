"""Analyses: choose one, set its options, run it on the scene, read the answer and take it away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct, structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.edits import accept
from app.panels.analyses.answer import AnswerView
from app.panels.analyses.job_watch import JobWatch
from app.panels.base import PanelKind
from app.panels.inspector.form import entries, make_editor
from app.platform.appearance import Look, label, restyle, thin_progress, title_bar, tool_button
from app.session.background.jobs.analysis_job import AnalysisJob
from app.session.recorded.run import Kind, Run
from app.session.session import Session
from app.widgets.charts.chart_picture import ENDINGS as PICTURES
from app.widgets.charts.chart_picture import save_charts
from app.widgets.charts.charts_view import ChartsView
from app.widgets.editors import Change, Context
from app.widgets.editors.text import TextEditor
from app.widgets.note_line import NoteLine
from engine.analyses import ANALYSES
from engine.analyses.answers.result import Motion
from engine.analyses.answers.state_space import ENDINGS as SYSTEMS
from engine.analyses.dynamics.mode_motion import animate
from engine.errors import SceneError
from engine.maths.expressions import parse
from engine.model.resolve import Resolver
from engine.results.files.whole_file import write_whole
from engine.simulation.analysis_motions import record_of
from engine.simulation.live.live_simulation import Record, StateTransfer

START, PLAYHEAD = "at the start", "at the playhead"


class AnalysesPanel(QWidget):
    """The answer is a page; motions in it become runs, modes swing in the viewport."""

    def __init__(self, session: Session, look: Look, files_folder: Callable[[], Path] = Path.home) -> None:
        super().__init__()
        self._files_folder = files_folder  # where files are saved
        self.setObjectName("analyses")
        self._session, self._look = session, look
        self._options: dict[str, Struct] = {kind.name: kind.options() for kind in ANALYSES}
        self._watch = JobWatch(self)
        self._shown: AnalysisJob | None = None  # whose answer is on screen
        self._runs: list[Run] = []  # the motions of that answer
        self._swing: Run | None = None  # the mode that was watched last
        self.choice = QComboBox()
        self.choice.setObjectName("analyses.choice")
        self.choice.setAccessibleName("Analysis")
        for kind in ANALYSES:
            self.choice.addItem(kind.title, kind.name)
        self.place = QComboBox()
        self.place.setObjectName("analyses.place")
        self.place.setAccessibleName("Pose that is asked about")
        self.place.addItems([START, PLAYHEAD])
        self._run = tool_button(look, "analyses.run", "play", "Run this analysis on the scene")
        self._cancel = tool_button(look, "analyses.cancel", "close", "Stop the analysis")
        self._copy = tool_button(look, "analyses.copy", "copy", "Copy the answer, tables for a spreadsheet")
        self._export = tool_button(
            look, "analyses.export", "export", "Save the answer: tables, charts, a linear model"
        )
        self.bar_progress = thin_progress("analyses.progress", 120)
        self._note = NoteLine("", "analyses.note")
        self.bar = title_bar(self, "analyses.bar")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(4, 1, 4, 1)
        for widget in (self.choice, self.place, self._run, self._cancel, self.bar_progress, self._note):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._copy)
        row.addWidget(self._export)

        self._summary = label("", "muted", "analyses.summary")
        self._summary.setWordWrap(True)
        self._form = QWidget()
        self._reason = label("", "wrong", "analyses.reason")
        self._reason.setWordWrap(True)
        side = QWidget()
        side.setObjectName("analyses.side")
        self._side = QVBoxLayout(side)
        self._side.setContentsMargins(4, 4, 4, 4)
        for part in (self._summary, self._form, self._reason):
            self._side.addWidget(part)
        self._side.addStretch(1)
        scroll = QScrollArea()
        scroll.setObjectName("analyses.options")
        scroll.setWidgetResizable(True)
        scroll.setFixedWidth(290)
        scroll.setWidget(side)
        self.answer = AnswerView(session, look, "analyses.answer")
        self.charts = ChartsView(look, "analyses.charts")
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(self.answer)
        both.addWidget(self.charts)
        both.setSizes([500, 500])
        body = QHBoxLayout(self)
        body.setContentsMargins(4, 2, 4, 2)
        body.addWidget(scroll)
        body.addWidget(both, 1)

        self._watch.progressed.connect(self._progress)
        self._watch.finished.connect(self._finished)
        self._watch.changed.connect(self._refresh)
        self._run.clicked.connect(self.run)
        self._cancel.clicked.connect(self.cancel)
        self._copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text()))
        self._export.clicked.connect(self.export)
        self.answer.watch_motion.connect(
            lambda index: self._session.lifecycle.watch(self._runs[index], play=True)
        )
        self.answer.watch_mode.connect(self.watch_mode)
        self.answer.accepted.connect(self.accept)
        self.choice.currentIndexChanged.connect(self._chosen)
        session.document.changed.connect(self._scene_changed)
        look.changed.connect(self._themed)
        self._chosen()

    # what others may call

    @property
    def busy(self) -> bool:
        return self._watch.busy

    def choose(self, name: str) -> None:
        """Another analysis by its name."""
        self.choice.setCurrentIndex(self.choice.findData(ANALYSES[name].name))

    def run(self) -> None:
        """Begin; one that still runs is stopped."""
        scene = self._session.document.scene
        if not scene.bodies:
            self.answer.say("There is nothing to analyse yet: add a body.")
            return
        name = str(self.choice.currentData())
        kind = ANALYSES[name]
        state = self._state() if kind.anywhere else None
        self._watch.start(kind, scene, self._options[name], state, self._session.runs.budget)

    def cancel(self) -> None:
        """Stop it; the earlier answer stays."""
        self._watch.cancel()

    def accept(self, index: int) -> None:
        """Do what the answer offers, as one step to undo."""
        job = self._shown
        if job is None or job.result is None:
            return
        if job.scene is not self._session.document.scene:
            self._session.message.emit("warning", "the scene has changed since: run the analysis again", None)
            return
        try:
            edit = accept(job.scene, job.result.suggestions[index])
        except SceneError as error:
            self._session.message.emit("error", str(error), None)
            return
        self._session.document.apply(edit)

    def text(self) -> str:
        """The answer as plain text."""
        result = self._shown.result if self._shown else None
        return result.text() if result else self.answer.toPlainText()

    def export(self) -> None:
        """Save the tables of the answer, its charts, or its linear model: what the ending says."""
        result = self._shown.result if self._shown else None
        if result is None or not result.tables:
            return
        start = str(self._files_folder() / "analysis.csv")
        kinds = ["Tables (*.csv)"]
        kinds += ["Charts (*.svg *.png)"] if result.charts else []
        kinds += ["Linear model (*.mat *.npz *.json)"] if result.system is not None else []
        path, _ = QFileDialog.getSaveFileName(self, "Save the answer", start, ";;".join(kinds))
        if not path:
            return
        ending = Path(path).suffix.lower()
        try:
            if result.charts and ending in PICTURES:
                save_charts(result.charts, Path(path), self._look.units)
            elif result.system is not None and ending in SYSTEMS:
                result.system.save(path)
            else:
                write_whole(path, result.csv())
        except OSError as error:
            self._session.message.emit("error", f"{path}: {error.strerror}; choose another folder", None)
        else:
            self._session.message.emit("info", f"saved {path}", None)

    def set_option(self, name: str, value: Any) -> None:
        """Change an option of the chosen analysis."""
        kind = str(self.choice.currentData())
        if isinstance(value, Change):
            value = value.make(getattr(self._options[kind], name))
        if isinstance(value, str) and not isinstance(getattr(self._options[kind], name), str):
            # an expression of parameters: options keep what it is now
            value = parse(value).value(Resolver(self._session.document.scene).values)
        self._options[kind] = structs.replace(self._options[kind], **{name: value})
        self._complain("")

    def watch_mode(self, index: int) -> None:
        """Show one mode swinging about the pose it belongs to."""
        if self._shown is None:
            return
        result = self._shown.result
        if result is None or result.modes is None:
            return
        motion = animate(result.modes, index)
        run = self._as_run(motion, record_of(motion, self._session.runs.budget, self._shown.scene))
        self._session.lifecycle.watch(run, play=True)
        if self._swing is not None:
            self._session.runs.remove(self._swing)
        self._swing = run

    def shutdown(self) -> bool:
        """End the threads; False when one did not end in time."""
        return self._watch.shutdown()

    # the job

    def _state(self) -> StateTransfer | None:
        """What is at the playhead, when that is asked about."""
        run = self._session.current
        if self.place.currentText() == START or run is None:
            return None
        return run.state_at(self._session.t)

    def _progress(self, share: float, words: str) -> None:
        self.bar_progress.setValue(round(1000 * share))
        self._note.setText(words)

    def _finished(self, job: AnalysisJob) -> None:
        self._shown = job
        motions = job.result.motions if job.result else ()
        self._runs = [self._as_run(*pair) for pair in zip(motions, job.records, strict=True)]
        for run in self._runs:
            if run.kind != "replay":  # wiggles are shown when they are watched
                self._session.runs.add(run)
        self._refresh()
        self._show()

    def _as_run(self, motion: Motion, record: Record) -> Run:
        assert self._shown is not None
        kind: Kind = "replay" if motion.loop else "finished"
        number = self._session.runs.new_id()
        color = self._session.runs.free_color()
        return Run(number, self._shown.scene, record=record, kind=kind, name=motion.title, color=color)

    def _refresh(self) -> None:
        result = self._shown.result if self._shown else None
        self._run.setEnabled(not self.busy)
        self._cancel.setEnabled(self.busy)
        self.bar_progress.setVisible(self.busy)
        self._copy.setEnabled(self._shown is not None)
        self._export.setEnabled(result is not None and bool(result.tables))
        old = self._shown is not None and self._shown.scene is not self._session.document.scene
        self._note.setText("" if self.busy or not old else "The scene has changed since: run it again")

    # the options

    def _chosen(self, *_: Any) -> None:
        kind = ANALYSES[str(self.choice.currentData())]
        self._summary.setText(kind.summary)
        self._complain("")
        self.place.setEnabled(kind.anywhere)
        both = "Ask about the start or about what the playhead shows"
        self.place.setToolTip(both if kind.anywhere else "This is asked at the start only")
        if not kind.anywhere:
            self.place.setCurrentText(START)
        scene = self._session.document.scene
        form = QWidget()
        form.setObjectName("analyses.form")
        grid = QFormLayout(form)
        grid.setContentsMargins(0, 4, 0, 0)
        for line in entries(scene, [self._options[kind.name]]):
            if line.field is None:
                continue
            context = Context(self._look, Resolver(scene).values)
            editor = make_editor(scene, line, context, f"analyses.{line.path}")
            if editor is None:
                continue
            editor.show_value(line.value)
            editor.setToolTip(line.field.description)
            if isinstance(editor, TextEditor):  # what holds while nothing is written
                editor.lines[0].setPlaceholderText(line.field.description.partition("empty: ")[2])
            editor.committed.connect(lambda value, path=line.path: self.set_option(path, value))
            editor.complained.connect(self._complain)
            unit = self._look.units.shown(line.field.unit) if line.field.unit else ""
            text = f"{line.title} [{unit}]" if unit else line.title
            grid.addRow(label(text, name=f"analyses.{line.path}.title"), editor)
        self._side.replaceWidget(self._form, form)
        self._form.deleteLater()
        self._form = form
        if self._shown is None:
            self.answer.say("Run an analysis: its answer is shown here.")
            self.charts.show_charts(())
        self._refresh()

    def _complain(self, reason: str) -> None:
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        restyle(self._reason)

    def _scene_changed(self, change: Any) -> None:
        if change.reset:
            self.cancel()
            self._shown, self._swing, self._runs = None, None, []
            self._session.answer_paths.show(())
            self._chosen()
        self._refresh()

    def _themed(self) -> None:
        self._chosen()
        self._show()

    # the answer

    def _show(self) -> None:
        job = self._shown
        if job is None:
            return
        if job.result is None:
            self.answer.say(job.error, "danger")
            self.charts.show_charts(())
            self._session.answer_paths.show(())
        else:
            at = f"{job.kind.title} at t = {job.state.sample[0]:.4g} s" if job.state else job.kind.title
            self.answer.show_result(at, job.result)
            self.charts.show_charts(job.result.charts)
            self._session.answer_paths.show(job.result.paths)


PANEL = PanelKind(
    "analyses",
    "Analyses",
    "analyses",
    "bottom",
    lambda given: AnalysesPanel(given.session, given.look, given.files_folder),
)
