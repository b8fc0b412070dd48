"""Opening scenes, runs and all else that has a file."""

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu

from app.dialogs.recovery import Answer, ask_recovery
from app.document.document import Read, Reading
from app.platform.resources import scene_paths
from app.window.context import WindowContext
from app.window.handlers.import_ import ROBOTS, ImportHandler
from app.window.handlers.saved_runs import SavedRunsHandler
from app.window.handlers.saving import SavingHandler
from app.window.pages import Pages
from app.window.patience import patiently
from engine.errors import SceneError
from engine.model.meshes import ENDINGS as MESHES
from engine.results.files.formats import endings
from engine.results.saved_runs import is_saved_run
from engine.studies.study_file import ENDING as STUDY_ENDING

SCENE_ENDING = ".json"
LARGE_FILE = 100_000  # bytes of a scene that take about 50 ms to read and check


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


def _is_long(path: Path) -> bool:
    try:
        return path.stat().st_size > LARGE_FILE
    except OSError:  # told by whoever reads it
        return False


class FileHandler:
    """File menu: New and Open."""

    def __init__(
        self,
        context: WindowContext,
        pages: Pages,
        saving: SavingHandler,
        saved_runs: SavedRunsHandler,
        imports: ImportHandler,
        open_study: Callable[[Path], bool],
    ) -> None:
        self._context, self._window, self._session = context, context.window, context.session
        self._pages, self._saving = pages, saving
        self._saved_runs, self._imports = saved_runs, imports
        self._open_study = open_study

    def new(self) -> None:
        if self._saving.may_leave():
            self._session.document.new()
            self._pages.hide_welcome()

    def ask(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Open a scene or a saved run", str(self._context.files_folder()), _opened()
        )
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> bool:
        """Open a file; False when the user kept the old one or the file cannot be used."""
        if path.name.endswith(STUDY_ENDING):
            return self._open_study(path)
        if is_saved_run(path):
            return self._saved_runs.open(path)
        if path.suffix.lower() in (*MESHES, *ROBOTS):
            return self._imports.import_path(path)
        if not self._saving.may_leave():
            return False
        try:
            self._session.document.open(path, self._read_long if _is_long(path) else lambda read: read())
        except (SceneError, OSError) as error:
            self._context.complain(f"{path.name} cannot be opened", str(error).removeprefix(f"{path.name}: "))
            return False
        if path not in scene_paths().values():
            self._context.settings.add_recent(path)
            self._context.settings.folder = path.parent
        self._pages.hide_welcome()
        return True

    def _read_long(self, read: Reading) -> Read:
        return patiently(self._window, read)

    def offer_recovery(self) -> None:
        """After a crash: ask whether the unsaved work shall come back."""
        document = self._session.document
        copies = document.recoverable()
        if not copies:
            return
        answer = ask_recovery(self._window, copies)
        if answer is Answer.OPEN:
            try:
                document.recover()
            except SceneError as error:
                self._context.complain("The unsaved work cannot be opened; its copy is kept", str(error))
        if answer is not Answer.DELETE:
            return
        for copy in copies:
            for file in (copy, copy.with_suffix(".info")):
                file.unlink(missing_ok=True)

    def fill_recent(self, menu: QMenu) -> None:
        """Entries for the files that were open last."""
        menu.clear()
        for path in self._context.settings.recent:
            entry = menu.addAction(self._context.look.icon("recent"), path.name)
            entry.setToolTip(str(path))
            entry.triggered.connect(lambda _=False, path=path: self.open_path(path))
        if menu.isEmpty():
            menu.addAction("No files yet").setEnabled(False)
