"""Bringing work of others in: measured series, meshes, robots."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog

from app.export.opening import ReferenceRun
from app.run_list import COLORS
from app.window.exporting import ExportActions

SERIES = (".csv", ".txt", ".dat", ".tsv")
FILTER = "Tables of numbers (*.csv *.txt *.dat *.tsv);;All files (*)"


class ImportActions(ExportActions):
    """File › Import…"""

    def import_file(self) -> None:
        path = self.session.document.path
        name, _ = QFileDialog.getOpenFileName(self, "Import", str(path.parent) if path else "", FILTER)
        if name:
            self.import_path(Path(name))

    def import_path(self, path: Path) -> bool:
        """Import a file by its ending; False when nothing came of it."""
        return self.import_series(path)

    def import_series(self, path: Path) -> bool:
        """A table of numbers as motion, force or reference curve."""
        from app.dialogs.import_series import SeriesDialog

        run = self.session.current
        dialog = SeriesDialog(
            self,
            self.session.document.scene,
            self.look,
            path,
            channels=run.names() if run is not None else (),
            now=self._at_start,
        )
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        edit, curves = dialog.edit, dialog.curves
        dialog.deleteLater()
        if accepted and edit is not None:
            self.session.document.apply(edit)
            self.statusBar().showMessage(f"{edit.text}: undo takes it back", 5000)
        elif accepted and curves is not None:
            number = self.session.new_run_id()
            color = COLORS[number % len(COLORS)]
            self._show_reference(ReferenceRun(number, curves, name=f"{path.name} (reference)", color=color))
        return accepted

    def _at_start(self, channel: str) -> float | None:
        """A channel where the run begins, None when there is none."""
        run = self.session.current
        if run is None or run.empty or channel not in run.names():
            return None
        _, values = run.channel(channel, run.t_first, run.t_first)
        return float(values[0]) if len(values) else None
