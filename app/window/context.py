"""What the handlers of all menus are given: whom they work on, and how they speak to the user."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QMainWindow, QMessageBox

from app.platform.appearance import Look
from app.platform.plain_text import as_plain, capitalised
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.session import Session


@dataclass(frozen=True)
class WindowContext:
    """`window` is the parent of dialogs and has the status bar."""

    window: QMainWindow
    session: Session
    settings: Settings
    look: Look

    def tell(self, text: str, seconds: int = 5) -> None:
        """In the status bar."""
        self.window.statusBar().showMessage(text, 1000 * seconds)

    def complain(self, title: str, text: str) -> None:
        """In the messages and in a box that has to be answered."""
        self.session.message.emit("error", f"{title}: {text}", None)
        QMessageBox.warning(self.window, title, as_plain(capitalised(text)))

    def files_folder(self) -> Path:
        """Where a dialog for files begins: beside the scene of the user, else where the last file was."""
        path = self.session.document.path
        own = path is not None and path not in scene_paths().values()
        return path.parent if path is not None and own else self.settings.folder
