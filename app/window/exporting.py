"""Taking results away, and bringing saved runs back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog

from app.export.opening import ReferenceRun, open_run
from app.run import Run
from app.run_list import COLORS
from app.window.parts import WindowParts
from engine.errors import SceneError
from engine.runtime.reading import ReadError

MOST_CURVES = 4  # of a reference that get a plot by themselves


class ExportActions(WindowParts):
    """Export actions of the File menu; saved runs that are opened."""

    def save_picture(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save picture", "picture.png", "PNG (*.png)")
        if name and not self.viewport.grab().save(name):
            self._complain("The picture cannot be saved", name)

    def export_run(self) -> None:
        from app.dialogs.export import ExportDialog

        run = self.session.current
        if run is None or run.empty:
            return
        path = self.session.document.path
        known = set(run.names())
        plotted = [name for name in self.plots.channels() if name in known]
        dialog = ExportDialog(self, run, plotted, path.parent if path else None)
        if dialog.exec() == QDialog.DialogCode.Accepted and dialog.saved is not None:
            self.statusBar().showMessage(f"Saved {dialog.saved}", 5000)
        dialog.deleteLater()

    def open_saved_run(self, path: Path) -> bool:
        """A run from a file: watched as a replay, or plotted as a reference; False when it cannot be used."""
        session = self.session
        number = session.new_run_id()
        try:
            run = open_run(path, number, budget=session.budget, color=COLORS[number % len(COLORS)])
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
        self.session.add_run(run)
        if not set(run.names()) & set(self.plots.channels()):
            self.plots.add_plot(run.names()[:MOST_CURVES], title=run.name)
        self._show_dock("plots")
        self.statusBar().showMessage(f"{run.name}: its curves are grey in the plots", 8000)

    def _show_replay(self, run: Run, path: Path) -> bool:
        session = self.session
        if run.scene != session.document.scene:
            if not self.may_leave():
                return False
            session.document.load(run.scene)
        run.pinned = True
        session.watch(run)
        self.hide_welcome()
        self.statusBar().showMessage(f"{path.name} is shown as a replay; Fork continues it from here", 8000)
        return True

    def may_leave(self) -> bool:
        raise NotImplementedError

    def hide_welcome(self) -> None:
        raise NotImplementedError

    def fork_run(self) -> None:
        self.session.fork()
