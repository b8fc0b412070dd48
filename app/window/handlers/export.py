"""Taking results away, and bringing saved runs back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog

from app.dialogs.exporting.base import SavingDialog, ask_file
from app.exchange.runs.opening import ReferenceRun, open_run
from app.session.run import Run
from app.window.parts import WindowParts
from app.window.view_memory import scene_view
from engine.errors import SceneError
from engine.results.files.formats.as_hdf5 import HDF5
from engine.results.files.formats.base import ReadError

TOLD = ("energy.", "violation.")  # channels that every report shows
MAX_CURVES = 4  # of a reference that get a plot by themselves


class ExportActions(WindowParts):
    """Export actions of the File menu; saved runs that are opened."""

    _styles: dict[str, bool]

    def save_picture(self) -> None:
        if self._recorded() is not None:
            self._film(".png")
            return
        # a scene that cannot run can still be shown
        name, _ = QFileDialog.getSaveFileName(
            self, "Save picture", str(self.files_folder() / "picture.png"), "PNG (*.png)"
        )
        if name and not self.viewport.grab().save(name):
            self._complain("The picture cannot be saved", name)

    def save_film(self) -> None:
        run = self._told_recorded()
        if run is None:
            return
        if run.moved:
            self._film(".mp4")
        else:
            self.statusBar().showMessage("Nothing has moved yet: press Play first, then film it", 5000)

    def _recorded(self) -> Run | None:
        """The run that is shown, when it has anything to take away."""
        run = self.session.current
        return None if run is None or run.empty else run

    def _told_recorded(self) -> Run | None:
        """The same; the user is told when there is none."""
        if self._recorded() is None:
            self.statusBar().showMessage("Nothing is recorded yet: press Play first", 5000)
        return self._recorded()

    def _film(self, ending: str) -> None:
        from app.dialogs.exporting.film import FilmDialog

        run, path = self._recorded(), self.session.document.path
        if run is None:
            return
        style = self._styles
        words = ["--dark"] if self.look.theme.dark else []
        words += [
            word for name in ("frames", "com", "labels", "arrows") if style[name] for word in ("--show", name)
        ]
        words += [
            word for name in ("joints", "grid", "traces") if not style[name] for word in ("--hide", name)
        ]
        dialog = FilmDialog(
            self,
            run,
            self.session.t,
            scene_view(self),
            sheets=self._sheets(least=(run.t_first, run.t_last)),
            style=words,
            folder=path.parent if path else Path.cwd(),
            ending=ending,
        )
        self._finish(dialog)

    def export_run(self) -> None:
        from app.dialogs.exporting.run import ExportDialog

        run = self._told_recorded()
        if run is None:
            return
        path = self.session.document.path
        known = set(run.names())
        plotted = [name for name in self.plots.channels() if name in known]
        self._finish(ExportDialog(self, run, plotted, path.parent if path else None))

    def start_stream(self) -> None:
        """Write the present run to a file from now on, with all that was recorded before."""
        run = self._told_recorded()
        if run is None:
            return
        if run.kind != "live":
            self.statusBar().showMessage(f"{run.name} is over: save it with Export run", 5000)
            return
        start = self.files_folder() / (run.scene.title or "run")
        file = ask_file(self, "Record to file", start, HDF5.endings, "HDF5")
        if file is not None:
            known = set(run.names())
            self.session.streaming.start(file, [name for name in self.plots.channels() if name in known])

    def stop_stream(self) -> None:
        self.session.streaming.stop()

    def save_report(self) -> None:
        """A page about the run that is shown."""
        from app.dialogs.exporting.report import ReportDialog

        run, path = self._told_recorded(), self.session.document.path
        if run is None:
            return
        known = set(run.names())
        shown = [name for name in self.plots.channels() if name in known and not name.startswith(TOLD)]
        dialog = ReportDialog(self, run, scene_view(self), shown, path.parent if path else None)
        self._finish(dialog)

    def _finish(self, dialog: SavingDialog) -> None:
        """Let the user choose and wait; tell what was saved."""
        dialog.first_folder = self.files_folder()
        if dialog.exec() == QDialog.DialogCode.Accepted and dialog.saved is not None:
            self.settings.folder = dialog.saved.parent
            self.statusBar().showMessage(f"Saved {dialog.saved}", 5000)
        dialog.deleteLater()

    def open_saved_run(self, path: Path) -> bool:
        """A run from a file: watched as a replay, or plotted as a reference; False when it cannot be used."""
        session = self.session
        number = session.runs.new_id()
        try:
            run = open_run(path, number, budget=session.runs.budget, color=session.runs.free_color())
        except (ReadError, SceneError, OSError) as error:
            self._complain(f"{path.name} cannot be opened", str(error))
            return False
        if isinstance(run, ReferenceRun):
            self._show_reference(run)
        elif not self._show_replay(run, path):
            return False
        self.settings.add_recent(path)
        return True

    def _show_reference(self, run: ReferenceRun) -> None:
        run.pinned = True
        self.session.runs.add(run)
        if not set(run.names()) & set(self.plots.channels()):
            self.plots.add_plot(run.names()[:MAX_CURVES], title=run.name)
        self._show_dock("plots")
        self.statusBar().showMessage(f"{run.name}: its curves are the thin ones in the plots", 8000)

    def _show_replay(self, run: Run, path: Path) -> bool:
        session = self.session
        if run.scene != session.document.scene:
            if not self.may_leave():
                return False
            session.document.load(run.scene)
        run.pinned = True
        session.lifecycle.watch(run)
        self.hide_welcome()
        self.statusBar().showMessage(f"{path.name} is shown as a replay; Fork continues it from here", 8000)
        return True

    def may_leave(self) -> bool:
        raise NotImplementedError

    def hide_welcome(self) -> None:
        raise NotImplementedError

    def fork_run(self) -> None:
        self.session.lifecycle.fork()
