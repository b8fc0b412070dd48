"""Opening, saving, exporting, and what is unsaved."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from app.dialogs.exporting.base import ask_file
from app.dialogs.recovery import Answer, ask_recovery
from app.document.document import Document
from app.platform.plain_text import as_plain
from app.platform.resources import scene_paths
from app.platform.user_error import why
from app.window.handlers.import_ import ROBOTS, ImportActions
from app.window.view_memory import scene_view
from engine.errors import SceneError
from engine.model.meshes import ENDINGS as MESHES
from engine.results.files.formats import endings
from engine.results.saved_runs import is_saved_run

SCENE_ENDING = ".json"


def _opened() -> str:
    """What the dialog for opening filters by."""

    def listed(endings: Iterable[str]) -> str:
        return " ".join(f"*{ending}" for ending in dict.fromkeys(endings))

    sorts = {
        "Scenes and saved runs": (SCENE_ENDING, *endings()),
        "Trammel scenes": (SCENE_ENDING,),
        "Saved runs": endings(states=True),
        "Curves": endings(states=False),
    }
    return ";;".join([*(f"{title} ({listed(found)})" for title, found in sorts.items()), "All files (*)"])


class FileActions(ImportActions):
    """Actions of the File menu."""

    _recent: QMenu
    _behind: QByteArray | None = None  # the layout that the welcome page hides

    def new_scene(self) -> None:
        if self.may_leave():
            self.session.document.new()
            self.hide_welcome()

    def open_scene(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, "Open a scene or a saved run", str(self.files_folder()), _opened()
        )
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> bool:
        """Open a file; False when the user kept the old one or the file cannot be used."""
        if is_saved_run(path):
            return self.open_saved_run(path)
        if path.suffix.lower() in (*MESHES, *ROBOTS):
            return self.import_path(path)
        if not self.may_leave():
            return False
        try:
            self.session.document.open(path)
        except (SceneError, OSError) as error:
            self._complain(f"{path.name} cannot be opened", str(error))
            return False
        if path not in scene_paths().values():
            self.settings.add_recent(path)
            self.settings.folder = path.parent
        self.hide_welcome()
        return True

    def save_scene(self) -> bool:
        path = self.session.document.path
        if path is None or path in scene_paths().values():
            return self.save_scene_as()
        return self._save(path)

    def save_scene_as(self) -> bool:
        document = self.session.document
        start = self.files_folder() / (document.path.stem if document.path else document.title)
        path = ask_file(self, "Save the scene", start, (".json",), "Trammel scenes")
        return path is not None and self._save(path)

    def _save(self, path: Path) -> bool:
        try:
            self.session.document.save(path, view=scene_view(self))
        except (OSError, SceneError, ValueError) as error:
            self._complain(f"{path.name} cannot be saved", why(error, path))
            return False
        self.settings.add_recent(path)
        self.settings.folder = path.parent
        self.statusBar().showMessage(f"Saved {path}", 5000)
        return True

    def may_leave(self) -> bool:
        """Ask what to do with unsaved work; False: stay."""
        document = self.session.document
        if document.clean:
            return True
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self,
            "Save changes?",
            as_plain(f"“{document.title}” has changes that are not saved."),
            buttons.Save | buttons.Discard | buttons.Cancel,
            buttons.Save,
        )
        if answer == buttons.Save:
            return self.save_scene()
        return answer == buttons.Discard

    def offer_recovery(self) -> None:
        """After a crash: ask whether the unsaved work shall come back."""
        document: Document = self.session.document
        copies = document.recoverable()
        if not copies:
            return
        answer = ask_recovery(self, copies)
        if answer is Answer.OPEN:
            try:
                document.recover()
            except SceneError as error:
                self._complain("The unsaved work cannot be opened; its copy is kept", str(error))
        if answer is not Answer.DELETE:
            return
        for copy in copies:
            for file in (copy, copy.with_suffix(".info")):
                file.unlink(missing_ok=True)

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self.settings.recent:
            entry = self._recent.addAction(self.look.icon("recent"), path.name)
            entry.setToolTip(str(path))
            entry.triggered.connect(lambda _=False, path=path: self.open_path(path))
        if self._recent.isEmpty():
            self._recent.addAction("No files yet").setEnabled(False)

    def show_welcome(self) -> None:
        """The page takes the whole window: the panels are hidden until it is left."""
        self.welcome.show_recent(self.settings.recent)
        if self._behind is None:
            self._behind = self.saveState()
            for dock in self.docks.values():
                dock.hide()
        self.pages.setCurrentWidget(self.welcome)

    def hide_welcome(self) -> None:
        self.pages.setCurrentWidget(self.viewport)
        if self._behind is not None:
            state, self._behind = self._behind, None
            self.restoreState(state)
