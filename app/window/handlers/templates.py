"""Mechanisms from templates, and scenes as Python scripts."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from app.platform.user_error import why
from app.window.context import WindowContext
from app.window.handlers.saving import SavingHandler
from app.window.handlers.selection_edits import SelectionEdits
from app.window.pages import Pages


class TemplateHandler:
    """Insert › Template…, File › Python script…"""

    def __init__(
        self, context: WindowContext, edits: SelectionEdits, pages: Pages, saving: SavingHandler
    ) -> None:
        self._context, self._window, self._session = context, context.window, context.session
        self._edits, self._pages, self._saving = edits, pages, saving

    def insert(self) -> None:
        """Ask for a template; insert it as one step, or begin a new scene with it."""
        from app.dialogs.template.template import TemplateDialog

        document, given = self._session.document, self._context
        # on the welcome page no scene is in view that something could be added to
        dialog = TemplateDialog(
            self._window, document.scene, given.look, given.settings, apart=self._pages.welcomes
        )
        accepted = bool(dialog.exec())
        made = dialog.taken
        if accepted and made is not None:
            if not dialog.new_scene:
                self._pages.hide_welcome()
                self._edits.apply(dialog.edit)
            elif self._saving.may_leave():
                document.load(made.scene, saved=False)
                self._pages.hide_welcome()
        dialog.deleteLater()

    def save_python(self) -> None:
        """The scene as a Python script."""
        from engine.model.files.script import save_python

        document = self._session.document
        folder = self._context.files_folder()
        stem = document.path.stem if document.path else "scene"
        name, _ = QFileDialog.getSaveFileName(
            self._window, "Save as a Python script", str(folder / f"{stem}.py"), "Python (*.py)"
        )
        if not name:
            return
        path = Path(name) if Path(name).suffix else Path(f"{name}.py")
        try:
            save_python(document.scene, path)
        except OSError as error:
            self._context.complain(f"{path.name} cannot be saved", why(error, path))
            return
        self._context.tell(f"Saved {path}")
