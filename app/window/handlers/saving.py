"""Saving the scene, and asking for it before it is left."""

from pathlib import Path

from PySide6.QtWidgets import QMessageBox

from app.dialogs.exporting.base import ask_file
from app.platform.plain_text import as_plain
from app.platform.resources import scene_paths
from app.platform.user_error import why
from app.window.context import WindowContext
from app.window.view_memory import ViewMemory
from engine.errors import SceneError


class SavingHandler:
    """File menu: Save and Save as; everything that opens another scene asks it first."""

    def __init__(self, context: WindowContext, memory: ViewMemory) -> None:
        self._context, self._window, self._session = context, context.window, context.session
        self._memory = memory

    def save(self) -> bool:
        path = self._session.document.path
        if path is None or path in scene_paths().values():
            return self.save_as()
        return self.save_to(path)

    def save_as(self) -> bool:
        document = self._session.document
        start = self._context.files_folder() / (document.path.stem if document.path else document.title)
        path = ask_file(self._window, "Save the scene", start, (".json",), "Trammel scenes")
        return path is not None and self.save_to(path)

    def save_to(self, path: Path) -> bool:
        try:
            self._session.document.save(path, view=self._memory.kept())
        except (OSError, SceneError, ValueError) as error:
            self._context.complain(f"{path.name} cannot be saved", why(error, path))
            return False
        self._context.settings.add_recent(path)
        self._context.settings.folder = path.parent
        self._context.tell(f"Saved {path}")
        return True

    def keep_copy(self) -> None:
        """A copy for the day the program crashes, with the plots and the camera as they are."""
        self._session.document.autosave_aside(view=self._memory.kept())

    def keep_copy_after_fault(self) -> Path | None:
        """The same at once; where it is if there is one."""
        try:
            view = self._memory.kept()
        except Exception:  # what failed may be just this: the work is kept all the same
            view = None
        return self._session.document.autosave(view=view)

    def may_leave(self) -> bool:
        """Ask what to do with unsaved work; False: stay."""
        document = self._session.document
        if document.clean:
            return True
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._window,
            "Save changes?",
            as_plain(f"“{document.title}” has changes that are not saved."),
            buttons.Save | buttons.Discard | buttons.Cancel,
            buttons.Save,
        )
        if answer == buttons.Save:
            return self.save()
        return answer == buttons.Discard
