"""Studies: made or opened, run with progress, stopped and gone on with, and looked at from several sides."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QMessageBox,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.exchange.runs.opening import replay_of
from app.panels.base import PanelKind
from app.panels.study.base import RowsView
from app.panels.study.study_dialog import StudyDialog
from app.panels.study.views import VIEWS
from app.platform.appearance import Look, label, thin_progress, title_bar, tool_button
from app.platform.resources import find_scene
from app.platform.user_error import InputError
from app.session.background.jobs.sweep_job import RowJob, SweepJob
from app.session.session import Session
from app.widgets.note_line import NoteLine
from engine.errors import SceneError
from engine.missing_extra import MissingExtra
from engine.model.scene import Scene
from engine.studies.column_units import column_units
from engine.studies.outcomes.table import Table
from engine.studies.study import Study
from engine.studies.study_file import ENDING, read_study, save_study

LOOK_EVERY = 200  # ms
PATIENCE = 4.0  # s for the processes to end
STORE = ".sqlite"
EXPORTS = "Table (*.csv);;HDF5 (*.h5);;Parquet (*.parquet)"
NOTHING = "Make a study of this scene with +, or open one: what varies, how, and what is asked of each run"
NO_ROWS = "No runs yet: play runs the study, and its rows are shown here as they come"


class StudyPanel(QWidget):
    """A click on a point opens its run; rows are kept beside the study's file, so that it can go on."""

    goal_opened = Signal(object)  # a study that says what is wanted of it

    def __init__(
        self,
        session: Session,
        look: Look,
        files_folder: Callable[[], Path] = Path.home,
        may_leave: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__()
        self.setObjectName("study")
        self._session, self._look, self._files_folder = session, look, files_folder
        self._may_leave = may_leave
        self.study: Study | None = None
        self._si: dict[str, str] = {}  # units of its columns
        self.path: Path | None = None  # of the study's file
        self._folder: Path | None = None  # of the mesh files of its scene
        self.table: Table | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None  # rows of a study without a file
        self._job: SweepJob | None = None
        self._row_job: RowJob | None = None
        self._ending: list[SweepJob | RowJob] = []
        self._opened: Any = None  # the run that a click opened
        self.workers: int | None = None  # processes; None: one per processor
        self._new = tool_button(look, "study.new", "plus", "Make a study of this scene")
        self._open = tool_button(look, "study.open", "open", "Open a study")
        self._edit = tool_button(look, "study.edit", "settings", "Change the study")
        self._save = tool_button(look, "study.save", "save", "Save the study; its rows are kept beside it")
        self._run = tool_button(look, "study.run", "play", "Run what is not known yet")
        self._cancel = tool_button(look, "study.cancel", "stop", "Stop; what is complete stays")
        self._retry = tool_button(look, "study.retry", "loop", "Run again what failed")
        self._export = tool_button(look, "study.export", "export", "Save the table")
        self.progress = thin_progress("study.progress", 120)
        self._note = NoteLine("", "study.note")
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)  # the frame of pages is lighter than what surrounds it
        self.tabs.setObjectName("study.views")
        self.tabs.tabBar().setObjectName("study.tabs")
        self.views: dict[str, RowsView] = {}  # made when the panel is first seen
        self.hint = label(NOTHING, "muted", "study.hint")  # while there is nothing to show
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hint.setWordWrap(True)
        self.pages = QStackedWidget()
        self.pages.setObjectName("study.pages")
        self._lay_out()
        for button, call in (
            (self._new, self.make),
            (self._open, self.ask),
            (self._edit, self.edit),
            (self._save, self.save),
            (self._run, self.run),
            (self._cancel, self.cancel),
            (self._retry, self.retry),
            (self._export, self.export),
        ):
            button.clicked.connect(call)
        self.tabs.currentChanged.connect(self._show_view)
        look.changed.connect(self._dress)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look_at_it)
        self._enable()

    def _lay_out(self) -> None:
        self.bar = title_bar(self, "study.bar")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(4, 1, 4, 1)
        row.setSpacing(2)
        for widget in (
            self._run,
            self._cancel,
            self._retry,
            self._new,
            self._open,
            self._edit,
            self._save,
            self._export,
            self.progress,
        ):
            row.addWidget(widget)
        row.addSpacing(8)
        row.addWidget(self._note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.addWidget(self.pages)
        for page in (self.hint, self.tabs):
            self.pages.addWidget(page)

    def catch_up(self, *_: object) -> None:
        """The panel comes into view."""
        if self.isVisible() and not self.views:
            for kind in VIEWS:
                view = self.views[kind.name] = kind.make(self._look)
                view.picked.connect(self.open_row)
                self.tabs.addTab(view, kind.title)
                self.tabs.setTabToolTip(self.tabs.count() - 1, kind.tip)
            self._show_view()

    # the study

    def make(self) -> None:
        self._ask_for(Study(scene=self._session.document.scene, title=self._session.document.title), None)

    def edit(self) -> None:
        if self.study is not None:
            self._ask_for(self.study, self.path)

    def _ask_for(self, study: Study, path: Path | None) -> None:
        run = self._session.current
        dialog = StudyDialog(self, self._look, study, run.names() if run is not None else ())
        taken = dialog.exec() == QDialog.DialogCode.Accepted
        made = dialog.study
        dialog.deleteLater()
        if taken:
            self.show_study(made, path, self._folder if study is self.study else None)
            if path is not None:
                self._write(path)

    def ask(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, "Open a study", str(self._files_folder()), f"Studies (*{ENDING});;All files (*)"
        )
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> bool:
        """Open a study, with the rows that are known of it; False, told, when it cannot be used."""
        try:
            study, folder = read_study(path, find_scene)
        except (SceneError, InputError) as error:
            QMessageBox.warning(self, "Open a study", f"{path.name} cannot be used.\n{error}")
            return False
        if not self._show_scene(study.scene):
            return False
        self.show_study(study, path, folder)
        if self._store().exists():
            self._start(known_only=True)
        if study.goal:
            self.goal_opened.emit(study)
        return True

    def _show_scene(self, scene: Scene) -> bool:
        """Runs belong beside their mechanism: without it in the tree they would be a riddle.

        False when the user stays with another one. The same mechanism with other numbers stays as it is.
        """
        document = self._session.document
        if _names(scene) == _names(document.scene):
            return True
        if not self._may_leave():
            return False
        document.load(scene)
        return True

    def show_study(self, study: Study, path: Path | None = None, folder: Path | None = None) -> None:
        """`folder`: from which the scene names its mesh files; that of the window's scene unless given."""
        self.cancel()
        own = self._session.document.path
        self._folder = folder or (own.parent if own is not None else None)
        self.study, self.path, self.table = study, path, None
        self._si = column_units(study)
        self._show_view()
        self._enable()

    def save(self) -> None:
        if self.study is None:
            return
        suggested = self.path or self._files_folder() / f"{self.study.title or 'study'}{ENDING}"
        name, _ = QFileDialog.getSaveFileName(self, "Save the study", str(suggested), f"Studies (*{ENDING})")
        if name:
            path = Path(name if name.endswith(ENDING) else f"{name}{ENDING}")
            known = self._store()
            if self._write(path) and known.exists() and known != self._store():
                self._store().write_bytes(known.read_bytes())  # rows that came before it had a file

    def _write(self, path: Path) -> bool:
        assert self.study is not None
        try:
            save_study(self.study, path)
        except OSError as error:
            QMessageBox.warning(self, "Save the study", f"{path}: {error.strerror or error}")
            return False
        self.path = path
        self._session.message.emit("info", f"saved {path}", None)
        return True

    def _store(self) -> Path:
        """Where its rows are."""
        if self.path is not None:
            return self.path.with_name(self.path.name.removesuffix(ENDING) + STORE)
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="trammel-study-", ignore_cleanup_errors=True)
        return Path(self._scratch.name) / f"rows{STORE}"

    # running

    def run(self) -> None:
        """Run what is not known yet; a study that was stopped goes on."""
        if self.study is None:
            self.make()
        if self.study is not None:
            self._start()

    def retry(self) -> None:
        if self.study is not None:
            self._start(retry=True)

    def _start(self, *, retry: bool = False, known_only: bool = False) -> None:
        assert self.study is not None
        self.cancel()
        store = self._store()
        self._job = SweepJob(
            self.study,
            store,
            retry=retry,
            known_only=known_only,
            workers=self.workers,
            folder=self._folder,
        )
        self._timer.start()
        self._enable()

    def cancel(self) -> None:
        if self._job is None:
            return
        self._job.cancel()
        self._ending = [*(job for job in self._ending if not job.done), self._job]
        self._job = None
        self._enable()

    def _look_at_it(self) -> None:
        self._look_at_row()
        job = self._job
        if job is not None:
            done = job.done
            self.progress.setValue(round(1000 * job.progress[0]))
            if job.table is not None and job.table is not self.table:
                self.table = job.table
                self._show_view()
            if done:
                self._job = None
                if job.error:
                    self._session.message.emit("error", f"the study: {job.error}", None)
                    self._note.setText(job.error.splitlines()[0])
            self._enable(keep_note=done and bool(job.error))
            if not done:
                self._note.setText(job.progress[1] or "preparing …")
        if self._job is None and self._row_job is None:
            self._timer.stop()

    # one run

    def open_row(self, index: int) -> None:
        """Compute that run again, with all its samples, and watch it."""
        if self.study is None or self.table is None or not 0 <= index < len(self.table.rows):
            return
        if not self._show_scene(self.study.scene):
            return
        row = self.table.rows[index]
        if not row.done:
            self._session.message.emit("warning", f"this run {row.status}: {row.message}", None)
        self._drop_row_job()
        self._row_job = RowJob(self.study, row)
        self._timer.start()
        values = zip(self.study.columns, row.values, strict=True)
        told = ", ".join(f"{path} = {self._value(path, value)}" for path, value in values)
        self._note.setText(f"opening {told}")

    def _look_at_row(self) -> None:
        job = self._row_job
        if job is None or not job.done:
            return
        self._row_job = None
        if job.trajectory is None:
            if job.error:
                self._session.message.emit("error", f"this run cannot be shown: {job.error}", None)
            return
        runs = self._session.runs
        values = zip(job.study.columns, job.row.values, strict=True)
        name = ", ".join(f"{path.split('.')[-1]} = {self._value(path, value)}" for path, value in values)
        run = replay_of(job.trajectory, runs.new_id(), name=name, budget=runs.budget, color=runs.free_color())
        before, self._opened = self._opened, run
        self._session.lifecycle.watch(run, play=True)
        self._enable()
        if before is not None and not before.pinned:
            runs.remove(before)

    def _value(self, path: str, value: object) -> str:
        if not isinstance(value, float):
            return str(value)
        return self._look.units.full_text(value, self._si.get(path, ""), 5)

    def _drop_row_job(self) -> None:
        if self._row_job is not None:
            self._row_job.cancel()
            self._ending = [*(job for job in self._ending if not job.done), self._row_job]
            self._row_job = None

    # files, looks, the end

    def export(self) -> None:
        if self.table is None:
            return
        suggested = str(self._files_folder() / f"{self.table.title or 'study'}.csv")
        name, _ = QFileDialog.getSaveFileName(self, "Save the table", suggested, EXPORTS)
        if not name:
            return
        path = Path(name) if Path(name).suffix else Path(f"{name}.csv")
        try:
            self.table.save(path)
        except (OSError, KeyError, MissingExtra) as error:
            QMessageBox.warning(self, "Save the table", f"{path}: {error}")
            return
        self._session.message.emit("info", f"saved {path}", None)

    def _show_view(self, *_: object) -> None:
        there, view = self.table is not None and len(self.table) > 0, self.tabs.currentWidget()
        self.hint.setText(NOTHING if self.study is None else NO_ROWS)
        self.pages.setCurrentWidget(self.tabs if there else self.hint)
        if there and isinstance(view, RowsView) and self.table is not None:
            view.show_table(self.table, self._si)

    def _dress(self) -> None:
        for view in self.views.values():
            view.dress()

    def _enable(self, *, keep_note: bool = False) -> None:
        busy, known = self._job is not None, self.table is not None and len(self.table) > 0
        failed = self.table is not None and bool(self.table.failed)
        complete = self.table is not None and self.table.complete
        self._run.setEnabled(not busy and not (complete and self.study is not None))
        self._cancel.setEnabled(busy)
        self._retry.setEnabled(not busy and failed)
        for button in (self._edit, self._save):
            button.setEnabled(self.study is not None and not busy)
        self._export.setEnabled(known and not busy)
        self.progress.setVisible(busy)
        if not keep_note:
            self._note.setText(self._words())

    def _words(self) -> str:
        if self.study is None:
            return ""  # the page says what to do
        title = self.study.title or "study"
        if self.table is None:
            return f"{title}: press play to run it"
        failed = f", {len(self.table.failed)} failed" if self.table.failed else ""
        left = "" if self.table.complete else "; play goes on with the rest"
        return f"{title}: {len(self.table)} of {self.table.planned} runs{failed}{left}"

    def shutdown(self) -> bool:
        self._timer.stop()
        self.cancel()
        self._drop_row_job()
        ended = [job.wait(PATIENCE) for job in self._ending]  # each of them
        if self._scratch is not None:
            self._scratch.cleanup()
        return all(ended)


def _names(scene: Scene) -> list[list[str]]:
    """Of all elements: what tells one mechanism from another."""
    return [[item.name for item in getattr(scene, where)] for where in ("bodies", "joints", "forces")]


PANEL = PanelKind(
    "study",
    "Study",
    "study",
    "bottom",
    lambda given: StudyPanel(given.session, given.look, given.files_folder, given.may_leave),
    hidden=True,
)
