"""The window: viewport in the middle, panels around it, and every action of the table."""

import csv
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFileDialog,
    QInputDialog,
    QMainWindow,
    QMenu,
    QMessageBox,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QWidget,
)

from app.actions import ACTIONS, MENUS, action
from app.commands import add, duplicate, free_name, remove, set_visible
from app.dialogs.about import AboutDialog, diagnostics
from app.dialogs.commands import CommandDialog
from app.dialogs.failure import FailureHook
from app.dialogs.help import HelpDialog
from app.dialogs.preferences import PreferencesDialog
from app.document import Document, refs_of
from app.panels.analyses import AnalysesPanel
from app.panels.inspector import InspectorPanel, element, reason, shown_refs
from app.panels.look import Look
from app.panels.messages import MessagesPanel
from app.panels.plots import PlotsPanel
from app.panels.runs import RunsPanel
from app.panels.status import StatusFields
from app.panels.transport import SPEEDS, TransportPanel
from app.panels.tree import TreePanel
from app.qt import application
from app.resources import scene_paths
from app.session import Session
from app.settings import Settings
from app.theme import apply_theme, chosen_theme
from app.welcome import WelcomePage
from engine.elements.measures import ExpressionMeasure
from engine.errors import SceneError

FRAME = 16  # ms between two ticks
SIZE = (1280, 800)  # px at the first start
FILTER = "Trammel scenes (*.json);;All files (*)"
CONTEXT = (
    "edit.rename",
    "edit.duplicate",
    "edit.delete",
    "edit.visible",
    None,
    "view.fit_selection",
    "edit.select_none",
)
DOCKS = ("tree", "inspector", "plots", "messages", "runs", "analyses")
STYLES = {
    "grid": True,
    "joints": True,
    "frames": False,
    "com": False,
    "labels": False,
    "traces": True,
    "arrows": False,
    "velocities": False,
    "ghosts": True,
}
ARROWS = (1.0 / 16.0, 16.0)  # smallest and largest scale of arrows

MakeViewport = Callable[[Session], QWidget]


def make_viewport(session: Session) -> QWidget:
    from app.viewport.widget import ViewportWidget  # heavy: VTK

    return ViewportWidget(session)


class MainWindow(QMainWindow):
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
        self._closed = False
        self._styles = dict(STYLES)
        self._arrow_scale = 1.0
        self.resize(*SIZE)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._dress()

        self.actions_by_id: dict[str, QAction] = {}
        self._make_actions()
        self.viewport = viewport(self.session)
        self.viewport.setObjectName("viewport")
        self.welcome = WelcomePage(self.look)
        self.pages = QStackedWidget()
        self.pages.setObjectName("pages")
        self.pages.addWidget(self.viewport)
        self.pages.addWidget(self.welcome)
        self.setCentralWidget(self.pages)
        self.tree = TreePanel(self.session, self.look, self._context_actions)
        self.inspector = InspectorPanel(self.session, self.look)
        self.plots = PlotsPanel(self.session, self.look)
        self.messages = MessagesPanel(self.session, self.look)
        self.runs = RunsPanel(self.session, self.look)
        self.analyses = AnalysesPanel(self.session, self.look)
        self.transport = TransportPanel(self.session, self.look, self.actions_by_id)
        self.docks: dict[str, QDockWidget] = {}
        self._make_docks()
        self._make_menus()
        self._make_bars()
        self.fields = StatusFields(self.session, self.look, self.statusBar())

        self._connect()
        self._default_state = self.saveState()
        layout = self.settings.layout()
        if layout is not None:
            self.restoreGeometry(layout[0])
            self.restoreState(layout[1])
        else:
            self._default_sizes()
        self._show_style()
        self._show_navigation()
        self._refresh_title()
        self._refresh_actions()
        self.hook = FailureHook(self, self.session.document.autosave, self.gl_renderer)
        self._frames = QTimer(self)
        self._frames.setTimerType(Qt.TimerType.PreciseTimer)
        self._frames.setInterval(FRAME)
        self._frames.timeout.connect(self.session.tick)
        self._frames.start()
        self._autosave = QTimer(self)
        self._autosave.setInterval(int(preferences.autosave * 1000))
        self._autosave.timeout.connect(self.session.document.autosave)
        self._autosave.start()

    # building the window

    def _make_actions(self) -> None:
        for entry in ACTIONS:
            made = QAction(entry.text, self)
            made.setObjectName(entry.id)
            keys = f" ({entry.shortcut})" if entry.shortcut else ""
            made.setToolTip(f"{entry.tooltip}{keys}")
            made.setStatusTip(entry.tooltip)
            made.setCheckable(entry.checkable)
            made.setIconVisibleInMenu(True)
            if entry.shortcut:
                made.setShortcut(QKeySequence(entry.shortcut))
            made.triggered.connect(lambda _=False, id=entry.id: self.act(id))
            self.addAction(made)
            self.actions_by_id[entry.id] = made
        self._tint_actions()

    def _tint_actions(self) -> None:
        for entry in ACTIONS:
            self.actions_by_id[entry.id].setIcon(self.look.icon(entry.icon))

    def _make_docks(self) -> None:
        areas = Qt.DockWidgetArea
        for name, panel, area in (
            ("tree", self.tree, areas.LeftDockWidgetArea),
            ("inspector", self.inspector, areas.RightDockWidgetArea),
            ("plots", self.plots, areas.BottomDockWidgetArea),
            ("messages", self.messages, areas.BottomDockWidgetArea),
            ("runs", self.runs, areas.BottomDockWidgetArea),
            ("analyses", self.analyses, areas.BottomDockWidgetArea),
        ):
            dock = QDockWidget(action(f"window.{name}").text, self)
            dock.setObjectName(f"dock.{name}")
            dock.setWidget(panel)
            if hasattr(
                panel, "bar"
            ):  # low panels: their buttons are the title, which can be dragged all the same
                dock.setTitleBarWidget(panel.bar)
            self.addDockWidget(area, dock)
            dock.visibilityChanged.connect(self._refresh_actions)
            self.docks[name] = dock
        self.tabifyDockWidget(self.docks["plots"], self.docks["messages"])
        self.tabifyDockWidget(self.docks["messages"], self.docks["runs"])
        self.tabifyDockWidget(self.docks["runs"], self.docks["analyses"])
        self.docks["plots"].raise_()

    def _make_menus(self) -> None:
        menus: dict[str, QMenu] = {}
        for title in MENUS:
            menus[title] = self._menu(self.menuBar().addMenu(f"&{title}"), title)
        for entry in ACTIONS:
            parent, _, child = entry.menu.partition("/")
            if child and entry.menu not in menus:
                menus[entry.menu] = self._menu(menus[parent].addMenu(child), child)
            menu = menus[entry.menu]
            if entry.separator:
                menu.addSeparator()
            menu.addAction(self.actions_by_id[entry.id])
            if entry.id == "file.open":
                self._recent = self._menu(menu.addMenu("Open recent"), "recent")
                self._recent.aboutToShow.connect(self._fill_recent)
        self.menus = menus

    def _menu(self, menu: QMenu, title: str) -> QMenu:
        menu.setObjectName(f"menu.{title.lower()}")
        menu.setToolTipsVisible(True)
        return menu

    def _make_bars(self) -> None:
        bar = QToolBar("Toolbar")
        bar.setObjectName("toolbar")
        bar.setIconSize(QSize(19, 19))
        menu = ""
        for entry in ACTIONS:
            if entry.toolbar:
                if menu and entry.menu != menu:
                    bar.addSeparator()
                menu = entry.menu
                bar.addAction(self.actions_by_id[entry.id])
        bar.addSeparator()
        for name in ("view.orthographic", *(f"view.{style}" for style in STYLES)):
            bar.addAction(self.actions_by_id[name])
        for made in bar.actions():
            bar.widgetForAction(made).setObjectName(f"toolbar.{made.objectName()}")
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
        bottom = QToolBar("Transport")
        bottom.setObjectName("toolbar.transport")
        bottom.setMovable(False)
        bottom.addWidget(self.transport)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, bottom)

    def _default_sizes(self) -> None:
        """Viewport first: it keeps at least two fifths of the window."""
        width, height = self.width(), self.height()
        sides = [self.docks["tree"], self.docks["inspector"]]
        self.resizeDocks(
            sides, [max(188, int(width * 0.13)), max(262, int(width * 0.17))], Qt.Orientation.Horizontal
        )
        self.resizeDocks([self.docks["plots"]], [max(146, int(height * 0.24) - 24)], Qt.Orientation.Vertical)

    def _connect(self) -> None:
        session, document = self.session, self.session.document
        document.changed.connect(self._document_changed)
        document.path_changed.connect(self._refresh_title)
        document.stack.cleanChanged.connect(self._refresh_title)
        document.stack.indexChanged.connect(self._refresh_actions)
        session.state_changed.connect(self._refresh_actions)
        session.runs_changed.connect(self._refresh_actions)
        session.selection.changed.connect(self._refresh_actions)
        session.message.connect(self._show_message)
        self.look.changed.connect(self._tint_actions)
        menu = getattr(self.viewport, "context_requested", None)
        if menu is not None:
            menu.connect(self._show_context)
        self.welcome.chosen.connect(self.open_path)
        self.welcome.wants_new.connect(self.new_scene)
        self.welcome.wants_open.connect(self.open_scene)
        self.welcome.closed.connect(self.hide_welcome)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._scheme_changed)

    # what is shown

    def _dress(self) -> None:
        running = QApplication.instance()
        if isinstance(running, QApplication):
            apply_theme(running, self.look.theme, self.settings.preferences.font_size)

    def _scheme_changed(self, *_: Any) -> None:
        if not self._closed:
            self.apply_preferences()

    def apply_preferences(self) -> None:
        """Show what was chosen in the preferences."""
        preferences = self.settings.preferences
        theme = chosen_theme(preferences.theme)
        running = QApplication.instance()
        if isinstance(running, QApplication):
            apply_theme(running, theme, preferences.font_size)
        self.look.set(theme, preferences.display_units)
        self._autosave.setInterval(int(preferences.autosave * 1000))
        self._show_style()
        self._show_navigation()

    def _show_style(self) -> None:
        change = getattr(self.viewport, "set_view_style", None)
        if change is not None:
            change(dark=self.look.theme.dark, arrow_scale=self._arrow_scale, **self._styles)
        for name, on in self._styles.items():
            self.actions_by_id[f"view.{name}"].setChecked(on)

    def _show_navigation(self) -> None:
        choose = getattr(self.viewport, "set_navigation", None)
        if choose is not None:
            choose(self.settings.preferences.navigation)

    @property
    def view(self) -> Any:
        """The SceneView behind the viewport, None when it is closed."""
        return None if self._closed else getattr(self.viewport, "view", None)

    def gl_renderer(self) -> str:
        view = self.view
        value = getattr(view, "gl_renderer", "") if view is not None else ""
        return str(value() if callable(value) else value)

    def _document_changed(self, change: Any) -> None:
        if change.reset:
            self.hide_welcome()
        self._refresh_title()
        self._refresh_actions()

    def _refresh_title(self, *_: Any) -> None:
        document = self.session.document
        name = document.path.name if document.path else document.title
        self.setWindowTitle(f"{name}[*] – Trammel")
        self.setWindowModified(not document.clean)

    def _refresh_actions(self, *_: Any) -> None:
        if self._closed:
            return
        for entry in ACTIONS:
            self.actions_by_id[entry.id].setEnabled(entry.enabled(self.session))
        stack = self.session.document.stack
        self.actions_by_id["edit.undo"].setText(f"Undo {stack.undoText()}".strip())
        self.actions_by_id["edit.redo"].setText(f"Redo {stack.redoText()}".strip())
        for name, dock in self.docks.items():
            self.actions_by_id[f"window.{name}"].setChecked(not dock.isHidden())
        view = self.view
        checks = {
            "run.loop": bool(self.session.loop),
            "view.fullscreen": self.isFullScreen(),
            "view.orthographic": bool(getattr(view, "is_orthographic", False)),
        }
        if hasattr(self, "plots"):
            checks |= {"plots.whole": self.plots.whole, "plots.range": self.plots.ranged}
        for id, on in checks.items():
            self.actions_by_id[id].setChecked(on)

    def _show_message(self, level: str, text: str, ref: Any) -> None:
        self.statusBar().showMessage(text.splitlines()[0] if text else "", 8000)
        if level == "error":
            self.docks["messages"].show()
            self.docks["messages"].raise_()
            if ref is not None:
                self.session.selection.set([ref])

    def _show_context(self, at: QPoint, ref: Any) -> None:
        if ref is not None and ref not in self.session.selection.refs:
            self.session.selection.set([ref])
        menu = self._menu(QMenu(self), "context")
        for entry in self._context_actions():
            menu.addAction(entry) if entry is not None else menu.addSeparator()
        menu.exec(at)

    def _context_actions(self) -> Iterator[QAction | None]:
        return (self.actions_by_id[id] if id else None for id in CONTEXT)

    # acting

    def act(self, id: str) -> None:
        """Run an action of the table by its id."""
        action(id).run(self)
        self._refresh_actions()

    def new_scene(self) -> None:
        if self.may_leave():
            self.session.document.new()
            self.hide_welcome()

    def open_scene(self) -> None:
        start = str(self.session.document.path.parent) if self.session.document.path else ""
        name, _ = QFileDialog.getOpenFileName(self, "Open a scene", start, FILTER)
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> bool:
        """Open a file; False when the user kept the old one or the file cannot be used."""
        if not self.may_leave():
            return False
        try:
            self.session.document.open(path)
        except (SceneError, OSError) as error:
            self._complain(f"{path.name} cannot be opened", str(error))
            return False
        if path not in scene_paths().values():
            self.settings.add_recent(path)
        self.hide_welcome()
        return True

    def save_scene(self) -> bool:
        path = self.session.document.path
        if path is None or path in scene_paths().values():
            return self.save_scene_as()
        return self._save(path)

    def save_scene_as(self) -> bool:
        document = self.session.document
        start = document.path.name if document.path else f"{document.title}.json"
        name, _ = QFileDialog.getSaveFileName(self, "Save the scene", start, FILTER)
        if not name:
            return False
        path = Path(name)
        return self._save(path if path.suffix else path.with_suffix(".json"))

    def _save(self, path: Path) -> bool:
        try:
            self.session.document.save(path)
        except (OSError, SceneError, ValueError) as error:
            self._complain(f"{path.name} cannot be saved", str(error))
            return False
        self.settings.add_recent(path)
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
            f"“{document.title}” has changes that are not saved.",
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
        answer = QMessageBox.question(
            self,
            "Recover unsaved work?",
            "Trammel ended unexpectedly. There is a copy of your unsaved work: open it?",
        )
        if answer == QMessageBox.StandardButton.Yes:
            document.recover()
            return
        for copy in copies:
            for file in (copy, copy.with_suffix(".info")):
                file.unlink(missing_ok=True)

    def save_picture(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save picture", "picture.png", "PNG (*.png)")
        if name and not self.viewport.grab().save(name):
            self._complain("The picture cannot be saved", name)

    def export_channels(self) -> None:
        run, names = self.session.current, self.plots.channels()
        if run is None or not names:
            return
        file, _ = QFileDialog.getSaveFileName(self, "Export channels", "channels.csv", "CSV (*.csv)")
        if not file:
            return
        columns = [run.channel(name) for name in names]
        try:
            with open(file, "w", newline="", encoding="utf-8") as stream:
                writer = csv.writer(stream)
                writer.writerow(["t [s]", *(f"{name} [{run.unit(name)}]" for name in names)])
                for i, t in enumerate(columns[0][0]):
                    writer.writerow([repr(float(t)), *(repr(float(values[i])) for _, values in columns)])
        except OSError as error:
            self._complain("The channels cannot be saved", str(error))

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self.settings.recent:
            entry = self._recent.addAction(self.look.icon("recent"), path.name)
            entry.setToolTip(str(path))
            entry.triggered.connect(lambda _=False, path=path: self.open_path(path))
        if self._recent.isEmpty():
            self._recent.addAction("No files yet").setEnabled(False)

    def show_welcome(self) -> None:
        self.welcome.show_recent(self.settings.recent)
        self.pages.setCurrentWidget(self.welcome)

    def hide_welcome(self) -> None:
        self.pages.setCurrentWidget(self.viewport)

    # editing

    def undo(self) -> None:
        self.session.document.stack.undo()

    def redo(self) -> None:
        self.session.document.stack.redo()

    def _selected(self) -> tuple[Any, ...]:
        return shown_refs(self.session.document.scene, self.session.selection.refs)

    def rename_selected(self) -> None:
        for ref in self._selected()[:1]:
            self.docks["tree"].show()
            self.tree.rename(ref)

    def duplicate_selected(self) -> None:
        self._edit(lambda scene: duplicate(scene, self._selected()))

    def delete_selected(self) -> None:
        if self._selected():
            self._edit(lambda scene: remove(scene, self._selected()))

    def toggle_visible(self) -> None:
        scene, refs = self.session.document.scene, self._selected()
        refs = tuple(ref for ref in refs if hasattr(element(scene, ref), "visible"))
        if refs:
            show = not all(element(scene, ref).visible for ref in refs)
            self._edit(lambda scene: set_visible(scene, refs, show))

    def _edit(self, make: Callable[[Any], Any]) -> None:
        document = self.session.document
        try:
            document.apply(make(document.scene))
        except (SceneError, ValueError, KeyError) as error:
            self.session.message.emit("warning", reason(error), None)

    def select_all(self) -> None:
        lists = ("bodies", "joints", "forces", "motions", "traces", "measures")
        self.session.selection.set(ref for ref in refs_of(self.session.document.scene) if ref.where in lists)

    def select_none(self) -> None:
        self.session.selection.clear()

    def focus_search(self) -> None:
        self.docks["tree"].show()
        self.tree.search.setFocus()
        self.tree.search.selectAll()

    def show_commands(self) -> None:
        dialog = CommandDialog(self, self.actions_by_id)
        if dialog.exec() and dialog.chosen:
            self.actions_by_id[dialog.chosen].trigger()

    # view

    def fit_view(self) -> None:
        if self.view is not None:
            self.view.fit()
            self.viewport.update()

    def fit_selection(self) -> None:
        if self.view is not None:
            self.view.fit(self._selected())
            self.viewport.update()

    def standard_view(self, name: str) -> None:
        if self.view is not None:
            self.view.view("iso" if name == "isometric" else name)
            self.viewport.update()

    def set_orthographic(self) -> None:
        if self.view is not None:
            self.view.orthographic(not self.view.is_orthographic)
            self.viewport.update()

    def toggle_style(self, name: str) -> None:
        self._styles[name] = not self._styles[name]
        self._show_style()

    def scale_arrows(self, factor: float) -> None:
        """Longer or shorter arrows; 0 gives them back their own length."""
        scale = self._arrow_scale * factor if factor else 1.0
        self._arrow_scale = min(max(scale, ARROWS[0]), ARROWS[1])
        self._show_style()
        self.statusBar().showMessage(f"Arrow scale {self._arrow_scale:.3g}", 4000)

    def toggle_theme(self) -> None:
        dark = self.look.theme.dark
        self.settings.preferences = replace(self.settings.preferences, theme="light" if dark else "dark")
        self.apply_preferences()

    def toggle_fullscreen(self) -> None:
        self.showNormal() if self.isFullScreen() else self.showFullScreen()

    # simulation

    def toggle_play(self) -> None:
        self.session.toggle()

    def step_forward(self) -> None:
        self.session.step(1)

    def step_back(self) -> None:
        self.session.step(-1)

    def reset_run(self) -> None:
        self.session.reset()

    def go_live(self) -> None:
        self.session.go_live()

    def toggle_loop(self) -> None:
        self.session.loop = not self.session.loop
        self.transport.refresh()

    def faster(self) -> None:
        self.session.set_speed(next((s for s in SPEEDS if s > self.session.speed), float("inf")))

    def slower(self) -> None:
        self.session.set_speed(next((s for s in reversed(SPEEDS) if s < self.session.speed), SPEEDS[0]))

    def real_time(self) -> None:
        self.session.set_speed(1.0)

    def run_analysis(self) -> None:
        self._show_dock("analyses")
        self.analyses.run()

    # plots

    def add_plot(self) -> None:
        self._show_dock("plots")
        self.plots.add_plot()

    def add_channel(self) -> None:
        self._show_dock("plots")
        self.plots.add_channel()

    def add_measure(self) -> None:
        text, given = QInputDialog.getText(
            self, "Add measure", "Expression of channels, for instance\nbody.crank.angle*2 + t"
        )
        run = self.session.current
        if not given or not text.strip() or run is None:
            return
        scene = self.session.document.scene
        name = free_name(scene, "measures", "measure")
        try:
            run.segments[-1].channels.expression(text, f"measures.{name}")
            self.session.document.apply(add(scene, ExpressionMeasure(name=name, expression=text.strip())))
        except SceneError as error:
            self._complain("The measure cannot be added", reason(error))
            return
        self._show_dock("plots")
        self.plots.add_plot([f"measure.{name}"], title=text.strip())

    def add_phase_plot(self) -> None:
        self._show_dock("plots")
        self.plots.add_phase()

    def add_spectrum(self) -> None:
        self._show_dock("plots")
        self.plots.add_spectrum()

    def toggle_range(self) -> None:
        self.plots.toggle_range()

    def toggle_whole(self) -> None:
        self.plots.toggle_whole()

    # window

    def _show_dock(self, name: str) -> None:
        self.docks[name].show()
        self.docks[name].raise_()

    def toggle_dock(self, name: str) -> None:
        dock = self.docks[name]
        hidden = dock.isHidden() or dock.visibleRegion().isEmpty()
        dock.setVisible(hidden)
        if hidden:
            dock.raise_()

    def reset_layout(self) -> None:
        self.settings.forget_layout()
        self.restoreState(self._default_state)
        self._default_sizes()

    # help

    def show_preferences(self) -> None:
        dialog = PreferencesDialog(self, self.settings.preferences)
        if dialog.exec():
            self.settings.preferences = dialog.preferences
            self.apply_preferences()

    def show_help(self) -> None:
        HelpDialog(self, "guide").exec()

    def show_shortcuts(self) -> None:
        HelpDialog(self, "shortcuts").exec()

    def show_methods(self) -> None:
        HelpDialog(self, "methods").exec()

    def show_about(self) -> None:
        AboutDialog(self, self.gl_renderer()).exec()

    def copy_diagnostics(self) -> None:
        QApplication.clipboard().setText(diagnostics(self.gl_renderer()))
        self.statusBar().showMessage("Diagnostics copied", 4000)

    def _complain(self, title: str, text: str) -> None:
        self.session.message.emit("error", f"{title}: {text}", None)
        QMessageBox.warning(self, title, text)

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
        self._frames.stop()
        self._autosave.stop()
        self.session.document.forget_autosave()
        self.analyses.shutdown()
        self.session.close()
        getattr(self.viewport, "shutdown", self.viewport.close)()
        QGuiApplication.styleHints().colorSchemeChanged.disconnect(self._scheme_changed)
        self.hook.remove()

    def layout_state(self) -> QByteArray:
        return self.saveState()


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
