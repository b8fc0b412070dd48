"""Mechanisms from templates, and scenes as Python scripts."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from app.platform.user_error import why
from app.window.handlers.edit import EditActions
from app.window.handlers.file import FileActions


class TemplateActions(EditActions, FileActions):
    """Actions that begin with a template or end in a script."""

    def insert_template(self) -> None:
        """Ask for a template; insert it as one step, or begin a new scene with it."""
        from app.dialogs.template.template import TemplateDialog

        document = self.session.document
        dialog = TemplateDialog(self, document.scene, self.look, self.settings)
        accepted = bool(dialog.exec())
        made = dialog.made
        if accepted and made is not None:
            if not dialog.new_scene:
                self.hide_welcome()
                self._edit(dialog.edit)
            elif self.may_leave():
                document.load(made.scene, saved=False)
                self.hide_welcome()
        dialog.deleteLater()

    def save_python(self) -> None:
        """The scene as a Python script."""
        from engine.model.files.script import save_python

        document = self.session.document
        folder = self.files_folder()
        stem = document.path.stem if document.path else "scene"
        name, _ = QFileDialog.getSaveFileName(
            self, "Save as a Python script", str(folder / f"{stem}.py"), "Python (*.py)"
        )
        if not name:
            return
        path = Path(name) if Path(name).suffix else Path(f"{name}.py")
        try:
            save_python(document.scene, path)
        except OSError as error:
            self._complain(f"{path.name} cannot be saved", why(error, path))
            return
        self.statusBar().showMessage(f"Saved {path}", 5000)
