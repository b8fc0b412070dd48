"""Bringing work of others in: measured series, meshes, robots."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog

from app.exchange.runs.opening import ReferenceRun
from app.tools.draw.return_to_start import to_start
from app.tools.interactive_viewport import ViewportWidget
from app.window.context import WindowContext
from app.window.handlers.saved_runs import SavedRunsHandler
from app.window.handlers.saving import SavingHandler
from app.window.pages import Pages
from engine.model.meshes import ENDINGS as MESHES

ROBOTS = (".urdf", ".xml")
FILTER = (
    "All that can be imported (*.csv *.txt *.dat *.tsv *.urdf *.xml *.stl *.obj *.ply *.gltf *.glb);;"
    "Tables of numbers (*.csv *.txt *.dat *.tsv);;Robots (*.urdf *.xml);;"
    "Meshes (*.stl *.obj *.ply *.gltf *.glb);;All files (*)"
)


class ImportHandler:
    """File › Import…"""

    def __init__(
        self,
        context: WindowContext,
        viewport: ViewportWidget,
        pages: Pages,
        saving: SavingHandler,
        saved_runs: SavedRunsHandler,
    ) -> None:
        self._context, self._window, self._session = context, context.window, context.session
        self._viewport, self._pages, self._saving, self._saved_runs = viewport, pages, saving, saved_runs

    def ask(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Import", str(self._context.files_folder()), FILTER
        )
        if name:
            self.import_path(Path(name))

    def import_path(self, path: Path) -> bool:
        """Import a file by its ending; False when nothing came of it."""
        ending = path.suffix.lower()
        if ending in MESHES:
            return self.import_mesh(path)
        return self.import_robot(path) if ending in ROBOTS else self.import_series(path)

    def import_mesh(self, path: Path) -> bool:
        """A mesh as a shape of the chosen body, or as a new one."""
        from app.dialogs.importing.mesh import MeshDialog

        document, chosen = self._session.document, self._session.selection.refs
        body = next((ref.name for ref in chosen if ref.where == "bodies"), "")
        folder = str(document.path.parent) if document.path else ""
        dialog = MeshDialog(self._window, document.scene, self._context.look, path, folder, body)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        edit = dialog.edit
        dialog.deleteLater()
        if not accepted or edit is None:
            return False
        self._pages.hide_welcome()
        to_start(self._session)
        document.apply(edit)
        self._viewport.reveal()
        return True

    def import_robot(self, path: Path) -> bool:
        """A robot as a new scene; what is not taken over is told in the messages too."""
        from app.dialogs.importing.urdf import UrdfDialog

        dialog = UrdfDialog(self._window, path)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        imported = dialog.imported
        dialog.deleteLater()
        if not accepted or imported is None or not self._saving.may_leave():
            return False
        self._session.document.load(imported.scene)
        self._pages.hide_welcome()
        for line in imported.lines():
            self._session.message.emit("warning", f"{path.name}, {line}", None)
        return True

    def import_series(self, path: Path) -> bool:
        """A table of numbers as motion, force or reference curve."""
        from app.dialogs.importing.series import SeriesDialog

        run = self._session.current
        dialog = SeriesDialog(
            self._window,
            self._session.document.scene,
            self._context.look,
            path,
            channels=run.names() if run is not None else (),
            now=self._at_start,
        )
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        edit, curves = dialog.edit, dialog.curves
        dialog.deleteLater()
        if accepted and edit is not None:
            self._session.document.apply(edit)
            self._context.tell(f"{edit.text}: undo takes it back")
        elif accepted and curves is not None:
            number = self._session.runs.new_id()
            color = self._session.runs.free_color()
            self._saved_runs.show_reference(
                ReferenceRun(number, curves, name=f"{path.name} (reference)", color=color)
            )
        return accepted

    def _at_start(self, channel: str) -> float | None:
        """A channel where the run begins, None when there is none."""
        run = self._session.current
        if run is None or run.empty or channel not in run.names():
            return None
        _, values = run.channel(channel, run.t_first, run.t_first)
        return float(values[0]) if len(values) else None
