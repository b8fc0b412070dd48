"""The middle of the window: the viewport, or the welcome page in place of it and of all panels."""

from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from app.window.docks import Docks
from app.window.welcome import WelcomePage

WELCOME_SIZE = (400, 300)  # px at least; its own wish would keep the panels beside the viewport narrow


class Pages(QStackedWidget):
    """While the welcome page is shown, the panels are hidden and their layout is kept."""

    def __init__(self, window: QMainWindow, docks: Docks, viewport: QWidget, welcome: WelcomePage) -> None:
        super().__init__()
        self.setObjectName("pages")
        self._window, self._docks = window, docks
        self._viewport, self._welcome = viewport, welcome
        self._behind: QByteArray | None = None  # the layout that the welcome page hides
        welcome.setMinimumSize(*WELCOME_SIZE)
        self.addWidget(viewport)
        self.addWidget(welcome)
        welcome.closed.connect(self.hide_welcome)

    def show_welcome(self, recent: list[Path]) -> None:
        self._welcome.show_recent(recent)
        if self._behind is None:
            self._behind = self._window.saveState()
            self._docks.hide_all()
        self.setCurrentWidget(self._welcome)

    def hide_welcome(self) -> None:
        self.setCurrentWidget(self._viewport)
        if self._behind is not None:
            state, self._behind = self._behind, None
            self._window.restoreState(state)

    @property
    def welcomes(self) -> bool:
        """The welcome page is shown."""
        return self.currentWidget() is self._welcome

    def layout_state(self) -> QByteArray:
        """Where the panels are, or are when the welcome page is left."""
        return self._behind or self._window.saveState()
