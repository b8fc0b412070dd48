"""The window: viewport in the middle, panels around it, and every action of the table."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from app.dialogs.failure import FailureHook
from app.panels.analyses.analyses import AnalysesPanel
from app.panels.doctor.doctor import DoctorPanel
from app.panels.history import HistoryPanel
from app.panels.inspector.inspector import InspectorPanel
from app.panels.messages import MessagesPanel
from app.panels.palette.palette import PalettePanel
from app.panels.parameters.parameters import ParametersPanel
from app.panels.plots import PlotsPanel
from app.panels.runs import RunsPanel
from app.panels.status.recording_sign import RecordingSign
from app.panels.status.status_fields import StatusFields
from app.panels.status.status_line import StatusLine
from app.panels.transport.transport_bar import TransportPanel
from app.panels.tree import TreePanel
from app.platform.appearance import Look
from app.platform.application import application
from app.platform.settings import Settings
from app.platform.settings.recent_methods import RecentMethods
from app.platform.theme import chosen_theme
from app.session.frame_clock import FrameClock
from app.session.session import Session
from app.window.frame import WindowFrame
from app.window.handlers.arrange import ArrangeActions
from app.window.handlers.build import BuildActions
from app.window.handlers.help import HelpActions
from app.window.handlers.plots import PlotActions
from app.window.handlers.simulation import RunActions
from app.window.handlers.templates import TemplateActions
from app.window.heap import give_back_soon
from app.window.view_memory import ARROWS, remembered_styles, show_scene_view
from app.window.welcome import WelcomePage

__all__ = ["ARROWS", "MainWindow", "make_viewport", "show_window"]

SIZE = (1280, 800)  # px at the first start

MakeViewport = Callable[[Session], QWidget]


def make_viewport(session: Session) -> QWidget:
    from app.tools.interactive_viewport import ViewportWidget  # heavy: VTK

    return ViewportWidget(session)


class MainWindow(
    WindowFrame, ArrangeActions, BuildActions, HelpActions, PlotActions, RunActions, TemplateActions
):
    """Shows one session. Closing it ends the session's threads."""

    def __init__(
        self,
        session: Session | None = None,
        settings: Settings | None = None,
        *,
        viewport: MakeViewport = make_viewport,
    ) -> None:
        super().__init__()
        self.setObjectName("main")
        self.settings = settings or Settings()
        preferences = self.settings.preferences
        self.session = session or Session(memory=int(preferences.memory * 1e9))
        self.look = Look(chosen_theme(preferences.theme), preferences.display_units)
        self._closed = self._error_raised = False
        self._last_told: tuple[str, Any, bool] | None = None  # in the status bar, and what it is about
        self._styles, self._arrow_scale = remembered_styles(self.settings)
        self.resize(*SIZE)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._dress()

        self.actions_by_id = {}
        self._make_actions()
        self.viewport = viewport(self.session)
        self.viewport.setObjectName("viewport")
        self.welcome = WelcomePage(self.look)
        self.welcome.setMinimumSize(400, 300)  # its own wish would keep the panels beside the viewport narrow
        self.pages = QStackedWidget()
        self.pages.setObjectName("pages")
        self.pages.addWidget(self.viewport)
        self.pages.addWidget(self.welcome)
        self.setCentralWidget(self.pages)
        self.palette_panel = PalettePanel(self.session, self.look, self.actions_by_id)
        self.tree = TreePanel(self.session, self.look, self._context_actions)
        recent = RecentMethods(self.settings)
        self.inspector = InspectorPanel(self.session, self.look, recent)
        self.plots = PlotsPanel(self.session, self.look)
        self.messages = MessagesPanel(self.session, self.look)
        self.runs = RunsPanel(self.session, self.look)
        self.analyses = AnalysesPanel(self.session, self.look)
        self.analyses.files_folder = self.files_folder
        self.doctor = DoctorPanel(self.session, self.look)
        self.parameters = ParametersPanel(self.session, self.look)
        self.history = HistoryPanel(self.session, self.look)
        self.transport = TransportPanel(self.session, self.look, self.actions_by_id, recent)
        self.docks = {}
        self._make_docks()
        self._make_menus()
        self._make_bars()
        self.setStatusBar(StatusLine(self))
        self.recording = RecordingSign(self.session, self.look, self.statusBar())
        self.fields = StatusFields(self.session, self.look, self.statusBar(), self.examine)

        self._make_overlays()
        self._connect()
        self._default_state = self.saveState()
        layout = self.settings.layout()
        if layout is not None:
            self.restoreGeometry(layout[0])
            self.restoreState(layout[1])
        else:
            self._default_sizes()
        self.palette_panel.fold(str(self.settings.value("palette/folded", "")).split("|"))
        self._raise_left()
        self._show_style()
        self._show_navigation()
        self._show_tool()
        self._refresh_title()
        self._refresh_actions()
        self.hook = FailureHook(self, self.session.document.autosave, self.gl_renderer)
        self._frames = FrameClock(self.session, self)
        self._frames.start()
        self._autosave = QTimer(self)
        self._autosave.setInterval(int(preferences.autosave * 1000))
        self._autosave.timeout.connect(self.session.document.autosave)
        self._autosave.start()

    def _connect(self) -> None:
        session, document = self.session, self.session.document
        document.changed.connect(self._document_changed)
        document.path_changed.connect(self._refresh_title)
        document.stack.cleanChanged.connect(self._refresh_title)
        document.stack.indexChanged.connect(self._refresh_actions)
        session.state_changed.connect(self._refresh_actions)
        session.runs.changed.connect(self._refresh_actions)
        session.runs.changed.connect(self._take_back)
        session.faults.changed.connect(self._take_back)
        session.streaming.changed.connect(self._refresh_actions)
        session.selection.changed.connect(self._refresh_actions)
        session.message.connect(self._show_message)
        self.look.changed.connect(self._tint_actions)
        self.palette_panel.chosen.connect(self.take_offer)
        self.inspector.held.connect(self.hold_piece)
        self.docks["parameters"].visibilityChanged.connect(self.parameters.catch_up)
        self.plots.wants_saving.connect(self.save_plots)
        self.plots.wants_copy.connect(self.copy_plots)
        viewport: Any = self.viewport
        if hasattr(viewport, "context_requested"):
            viewport.context_requested.connect(self._show_context)
            viewport.tool_changed.connect(self._show_tool)
        self.welcome.chosen.connect(self.open_path)
        self.welcome.wants_new.connect(self.new_scene)
        self.welcome.wants_open.connect(self.open_scene)
        self.welcome.wants_template.connect(self.insert_template)
        self.welcome.wants_guide.connect(self.guide_first_build)
        self.welcome.closed.connect(self.hide_welcome)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._scheme_changed)

    # what is shown

    def _document_changed(self, change: Any) -> None:
        if change.reset:
            self.hide_welcome()
            self.statusBar().clearMessage()
            self._raise_left()
            if self._error_raised:  # the error was one of the scene before
                self._error_raised = False
                self.docks["plots"].raise_()
            show_scene_view(self, change.after.view)
            give_back_soon()
        self._refresh_title()
        self._refresh_actions()

    def _refresh_title(self, *_: Any) -> None:
        document = self.session.document
        name = document.path.name if document.path else document.title
        self.setWindowTitle(f"{name}[*] – Trammel")
        self.setWindowModified(not document.clean)

    def _show_message(self, level: str, text: str, ref: Any) -> None:
        bar = self.statusBar()
        bar.showMessage(text.splitlines()[0] if text else "", 8000)
        self._last_told = (bar.currentMessage(), *self._told_of()) if level != "info" else None
        if level == "error":
            self._error_raised = True
            self._show_dock("messages")
            if ref is not None:
                self.session.selection.set([ref])

    def _told_of(self) -> tuple[Any, bool]:
        """The run that is watched, and whether the scene has problems."""
        run = self.session.current
        return run.id if run is not None else None, bool(self.session.faults.problems)

    def _take_back(self) -> None:
        """What was told of another run, or of problems that are mended, would mislead."""
        if self._last_told is None:
            return
        text, run, broken = self._last_told
        now, still_broken = self._told_of()
        if now != run or (broken and not still_broken):
            self._last_told = None
            if self.statusBar().currentMessage() == text:
                self.statusBar().clearMessage()

    # Qt events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for url in event.mimeData().urls()[:1]:
            self.open_path(Path(url.toLocalFile()))

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._closed:
            event.accept()
            return
        if not self.may_leave():
            event.ignore()
            return
        self.shut_down()
        event.accept()

    def shut_down(self) -> None:
        """Frame timer, engine thread, VTK, window: in this order."""
        if self._closed:
            return
        self._closed = True
        self.settings.save_layout(self.saveGeometry(), self.layout_state())
        self.settings.set_value("palette/folded", "|".join(self.palette_panel.folded()))
        self._frames.stop()
        self._autosave.stop()
        self.session.document.forget_autosave()
        self.analyses.shutdown()
        self.doctor.shutdown()
        self.session.close()
        getattr(self.viewport, "shutdown", self.viewport.close)()
        QGuiApplication.styleHints().colorSchemeChanged.disconnect(self._scheme_changed)
        self.hook.remove()


def show_window(path: Path | None) -> int:
    """Open the program and stay until its window is closed."""
    # Qt's loop does not look at Python's signals: let Ctrl-C in the terminal end the program
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    qt = application()
    window = MainWindow()
    window.hook.install()
    window.show()
    if path is not None:
        QTimer.singleShot(0, lambda: window.open_path(path))
    QTimer.singleShot(200, window.offer_recovery)
    return qt.exec()
