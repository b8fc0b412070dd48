"""The window: viewport in the middle, panels around it, and every action of the table."""

import signal
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabWidget, QToolBar

from app.dialogs.crash_report import FailureHook
from app.document.document import SceneChange
from app.panels.base import PanelContext, PanelKind
from app.panels.inspector.inspector import InspectorPanel
from app.panels.palette.palette import PalettePanel
from app.panels.registry import PANELS
from app.panels.status.compiling_sign import CompilingSign
from app.panels.status.recording_sign import RecordingSign
from app.panels.status.status_fields import StatusFields
from app.panels.status.status_line import StatusLine
from app.panels.transport.transport_bar import TransportPanel
from app.platform.appearance import Look
from app.platform.application import application, within_screen
from app.platform.settings import Settings
from app.platform.settings.recent_methods import RecentMethods
from app.platform.theme import apply_theme, chosen_theme
from app.session.frame_clock import FrameClock
from app.session.idle_compiler import IdleCompiler
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.window.actions import menus
from app.window.context import WindowContext
from app.window.docks import Docks
from app.window.handlers.menu_handlers import MenuHandlers
from app.window.heap_release import give_back_soon, keep_for_good
from app.window.menus import Menus
from app.window.overlays.overlays import Overlays
from app.window.pages import Pages
from app.window.status_messages import StatusMessages
from app.window.welcome import WelcomePage

SIZE = QSize(1280, 800)  # px at the first start, on screens that have so many


class MainWindow(QMainWindow):
    """Shows one session. Closing it ends the session's threads."""

    def __init__(
        self,
        session: Session | None = None,
        settings: Settings | None = None,
        *,
        viewport: Callable[[Session], ViewportWidget] = ViewportWidget,
        panels: Iterable[PanelKind] = PANELS,
    ) -> None:
        super().__init__()
        self.setObjectName("main")
        self.settings = settings or Settings()
        preferences = self.settings.preferences
        self.session = session or Session(memory=int(preferences.memory * 1e9))
        self.look = Look(chosen_theme(preferences.theme), preferences.display_units)
        self._closed = False
        self.resize(within_screen(SIZE))
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        running = QApplication.instance()
        if isinstance(running, QApplication):  # before there are widgets that would be dressed twice
            apply_theme(running, self.look.theme, preferences.font_size)

        # what is seen
        panels = tuple(panels)
        context = WindowContext(self, self.session, self.settings, self.look)
        recent = RecentMethods(self.settings)
        self.menus = Menus(self, self.session, self.look, menus(panels))
        actions = self.menus.actions
        self.viewport = viewport(self.session)
        self.viewport.setObjectName("viewport")
        self.docks = Docks(
            self,
            panels,
            PanelContext(
                self.session,
                self.look,
                self.settings,
                recent,
                actions,
                self.menus.context_actions,
                context.files_folder,
                lambda: self.handlers.saving.may_leave(),
            ),
        )
        self.welcome = WelcomePage(self.look, at_start=preferences.welcome)
        self.pages = Pages(self, self.docks, self.viewport, self.welcome)
        self.setCentralWidget(self.pages)
        self.transport = TransportPanel(self.session, self.look, actions, recent)
        self._add_toolbars()
        self.overlays = Overlays(self.viewport, self.session, self.look, actions)

        # what it does
        self._autosave = QTimer(self)
        self._autosave.setInterval(int(preferences.autosave * 1000))
        self.idle_compiler = IdleCompiler(self.session, self)
        self.handlers = MenuHandlers(
            context,
            viewport=self.viewport,
            docks=self.docks,
            pages=self.pages,
            overlays=self.overlays,
            transport_bar=self.transport,
            actions=actions,
            autosave=self._autosave,
            idle_compiler=self.idle_compiler,
        )
        self._autosave.timeout.connect(self.handlers.saving.keep_copy)
        bar = StatusLine(self)
        self.setStatusBar(bar)
        self.compiling = CompilingSign(self.idle_compiler, bar)
        self.recording = RecordingSign(self.session, self.look, bar)
        self.fields = StatusFields(self.session, self.look, bar, self.handlers.simulation.examine)
        self._messages = StatusMessages(self.session, bar, self.docks)
        self._connect()
        self.docks.restore(self.settings)
        self.handlers.layout.raise_left()
        self.handlers.view.show_style()
        self.handlers.view.show_navigation()
        self._refresh_title()
        self.menus.connect(self.handlers)
        self.hook = FailureHook(
            self, self.handlers.saving.keep_copy_after_fault, self.handlers.help.gl_renderer
        )
        self._frames = FrameClock(self.session, self)
        self._frames.start()
        self._autosave.start()

    def _add_toolbars(self) -> None:
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.menus.toolbar())
        bottom = QToolBar("Transport")
        bottom.setObjectName("toolbar.transport")
        bottom.setMovable(False)
        bottom.addWidget(self.transport)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, bottom)

    def _connect(self) -> None:
        session, document, handlers = self.session, self.session.document, self.handlers
        document.changed.connect(self._document_changed)
        document.path_changed.connect(self._refresh_title)
        document.stack.cleanChanged.connect(self._refresh_title)
        for changed in (
            document.stack.indexChanged,
            session.state_changed,
            session.runs.changed,
            session.streaming.changed,
            session.selection.changed,
            self.docks.changed,
            self.viewport.tool_changed,
        ):
            changed.connect(self.menus.refresh)
        self.viewport.context_requested.connect(self.menus.show_context)
        self.docks.panel(PalettePanel).chosen.connect(handlers.insert.take_suggestion)
        self.docks.panel(InspectorPanel).held.connect(handlers.insert.hold_piece)
        handlers.plots.panel.wants_saving.connect(handlers.plots.save)
        handlers.plots.panel.wants_copy.connect(handlers.plots.copy)
        self.welcome.chosen.connect(self.open_path)
        self.welcome.shown_off.connect(self._show_off)
        self.welcome.wants_new.connect(handlers.file.new)
        self.welcome.wants_open.connect(handlers.file.ask)
        self.welcome.wants_template.connect(handlers.templates.insert)
        self.welcome.wants_guide.connect(handlers.insert.guide_first_build)
        self.welcome.wants_news.connect(handlers.help.show_news)
        self.welcome.at_start_changed.connect(handlers.preferences.set_welcome)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    # what scripts, the command line and tests may call

    def open_path(self, path: Path) -> bool:
        """Open a file of any sort; False when the user kept the old scene or the file cannot be used."""
        return self.handlers.file.open_path(path)

    def begin(self, path: Path, *, welcome: bool) -> None:
        """Open the first scene, behind the welcome page where the user wants to see it."""
        self.open_path(path)
        if welcome and self.settings.preferences.welcome:
            self.handlers.layout.show_welcome()

    def act(self, id: str) -> None:
        """Run an action of the table by its id."""
        self.menus.act(id)

    # what is shown

    def _show_off(self, path: Path) -> None:
        """A shipped scene was chosen by its picture: it moves at once."""
        if self.open_path(path):
            self.session.transport.play()

    def _document_changed(self, change: SceneChange) -> None:
        if change.reset:
            self.pages.hide_welcome()
            self.handlers.layout.raise_left()
            self._messages.forget()
            self.handlers.view_memory.show(change.after.view)
            give_back_soon()
            self.menus.refresh()  # a step of the undo stack, which is all others, does it itself
        self._refresh_title()

    def _refresh_title(self, *_: object) -> None:
        document = self.session.document
        name = document.path.name if document.path else document.title
        self.setWindowTitle(f"{name}[*] – Trammel")
        self.setWindowModified(not document.clean)

    def _scheme_changed(self, *_: object) -> None:
        if not self._closed:
            self.handlers.preferences.apply()

    # Qt events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape that no panel takes puts the tool away, whoever has the focus, or the welcome page."""
        if event.key() == Qt.Key.Key_Escape and self.viewport.isVisible():
            self.viewport.keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape and self.pages.welcomes:
            self.pages.hide_welcome()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for url in event.mimeData().urls()[:1]:
            self.open_path(Path(url.toLocalFile()))

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab passes over the panels behind others, which Qt takes for visible."""
        first = self.focusWidget()
        while super().focusNextPrevChild(next):
            widget = self.focusWidget()
            if widget is None or widget is first or not self.docks.covers(widget):
                return True
        return False

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._closed:
            event.accept()
            return
        if not self.handlers.saving.may_leave():
            event.ignore()
            return
        self.shut_down()
        event.accept()

    def shut_down(self) -> None:
        """Frame timer, engine thread, VTK, window: in this order."""
        if self._closed:
            return
        self._closed = True
        self.menus.disconnect()
        self.settings.save_layout(self.saveGeometry(), self.pages.layout_state())
        self._frames.stop()
        self._autosave.stop()
        self.idle_compiler.stop()
        self.session.document.forget_autosave()
        self.docks.shutdown()
        self.session.close()
        self.viewport.shutdown()
        QGuiApplication.styleHints().colorSchemeChanged.disconnect(self._scheme_changed)
        self.hook.remove()


def show_window(path: Path, *, welcome: bool = False) -> int:
    """Open the program and stay until its window is closed; `welcome`: begin with its page, if wanted."""
    # Qt's loop does not look at Python's signals: let Ctrl-C in the terminal end the program
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    qt = application()
    window = MainWindow()
    window.hook.install()
    window.show()
    QTimer.singleShot(0, lambda: window.begin(path, welcome=welcome))
    QTimer.singleShot(200, window.handlers.file.offer_recovery)
    window.session.trusting.automatic = True
    if window.settings.preferences.compile_ahead:
        window.idle_compiler.start()
    keep_for_good()
    return qt.exec()
