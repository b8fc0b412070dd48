"""The parts of the window that all families of actions use."""

from pathlib import Path
from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMessageBox, QStackedWidget, QWidget

from app.panels.analyses.analyses import AnalysesPanel
from app.panels.doctor.doctor import DoctorPanel
from app.panels.history import HistoryPanel
from app.panels.inspector.inspector import InspectorPanel
from app.panels.messages import MessagesPanel
from app.panels.palette.palette import PalettePanel
from app.panels.parameters.parameters import ParametersPanel
from app.panels.plots import PlotsPanel
from app.panels.runs import RunsPanel
from app.panels.transport.transport_bar import TransportPanel
from app.panels.tree import TreePanel
from app.platform.appearance import Look
from app.platform.plain_text import as_plain
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.session import Session
from app.window.welcome import WelcomePage


class WindowParts(QMainWindow):
    """Session, settings and widgets; `MainWindow` makes them."""

    session: Session
    settings: Settings
    look: Look
    actions_by_id: dict[str, QAction]
    docks: dict[str, QDockWidget]
    viewport: QWidget
    welcome: WelcomePage
    pages: QStackedWidget
    palette_panel: PalettePanel
    tree: TreePanel
    inspector: InspectorPanel
    plots: PlotsPanel
    messages: MessagesPanel
    runs: RunsPanel
    analyses: AnalysesPanel
    doctor: DoctorPanel
    parameters: ParametersPanel
    history: HistoryPanel
    transport: TransportPanel
    _closed = False

    @property
    def view(self) -> Any:
        """The SceneView behind the viewport, None when it is closed."""
        return None if self._closed else getattr(self.viewport, "view", None)

    def gl_renderer(self) -> str:
        view = self.view
        value = getattr(view, "gl_renderer", "") if view is not None else ""
        return str(value() if callable(value) else value)

    def _sheets(self, boxes: list[Any] | None = None, least: tuple[float, float] | None = None) -> list[Any]:
        """What plots show, all or these; those over time at least this interval."""
        from app.exchange.sheets.sheets import sheet_of

        self._show_dock("plots")
        self.plots.refresh(force=True)
        runs, current = self.plots.shown_runs(), self.session.current
        shown = [box for box in boxes or self.plots.boxes if box.channels]
        return [sheet_of(box, runs, current, least) for box in shown]

    def _show_dock(self, name: str) -> None:
        self.docks[name].show()
        self.docks[name].raise_()

    def files_folder(self) -> Path:
        """Where a dialog for files begins: beside the scene of the user, else where the last file was."""
        path = self.session.document.path
        own = path is not None and path not in scene_paths().values()
        return path.parent if path is not None and own else self.settings.folder

    def _complain(self, title: str, text: str) -> None:
        self.session.message.emit("error", f"{title}: {text}", None)
        QMessageBox.warning(self, title, as_plain(text[:1].upper() + text[1:]))
