"""Menus, toolbars and docks, made from the table of actions."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMenu, QToolBar, QWidget

from app.platform.action_property import MENU
from app.tools.suggestions import offers
from app.window.actions import ACTIONS, MENUS, action
from app.window.actions.base import WHY, Action
from app.window.handlers.file import FileActions
from app.window.view_memory import STYLES

MAX_OFFERS = 4  # for the selection, in the context menu
CONTEXT = (  # actions, or whole menus
    "edit.cut",
    "edit.copy",
    "edit.paste",
    "edit.duplicate",
    "edit.delete",
    "edit.rename",
    None,
    "Edit/Arrange",
    "Edit/Joints",
    "Edit/Mass",
    "Edit/Group",
    "Edit/Show",
    None,
    "view.fit_selection",
    "edit.select_none",
)


def qt_action(entry: Action, parent: QWidget) -> QAction:
    """The QAction of a line of the table; it does nothing yet."""
    made = QAction(entry.text, parent)
    made.setObjectName(entry.id)
    made.setProperty(MENU, entry.menu)
    made.setToolTip(f"{entry.tooltip}{_keys(entry)}")
    made.setStatusTip(entry.tooltip)
    made.setCheckable(entry.checkable)
    made.setIconVisibleInMenu(not entry.checkable)  # there a check mark tells whether it is on
    if entry.shortcut:
        made.setShortcut(QKeySequence(entry.shortcut))
    return made


class WindowFrame(FileActions):
    """What surrounds the viewport, and which actions are possible."""

    _default_state: QByteArray

    def _make_actions(self) -> None:
        for entry in ACTIONS:
            made = qt_action(entry, self)
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
            ("insert", self.palette_panel, areas.LeftDockWidgetArea),
            ("tree", self.tree, areas.LeftDockWidgetArea),
            ("inspector", self.inspector, areas.RightDockWidgetArea),
            ("plots", self.plots, areas.BottomDockWidgetArea),
            ("messages", self.messages, areas.BottomDockWidgetArea),
            ("runs", self.runs, areas.BottomDockWidgetArea),
            ("analyses", self.analyses, areas.BottomDockWidgetArea),
            ("parameters", self.parameters, areas.BottomDockWidgetArea),
            ("history", self.history, areas.RightDockWidgetArea),
            ("doctor", self.doctor, areas.BottomDockWidgetArea),
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
        self.tabifyDockWidget(self.docks["analyses"], self.docks["parameters"])
        self.tabifyDockWidget(self.docks["parameters"], self.docks["doctor"])
        self.tabifyDockWidget(self.docks["inspector"], self.docks["history"])
        self.tabifyDockWidget(self.docks["insert"], self.docks["tree"])
        self.docks["history"].hide()
        self.docks["plots"].raise_()

    def _raise_left(self) -> None:
        """Behind each other: the palette where all is still to be drawn, the tree where there is a scene."""
        self.docks["tree" if self.session.document.scene.bodies else "insert"].raise_()

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
            sides, [max(222, int(width * 0.13)), max(247, int(width * 0.17))], Qt.Orientation.Horizontal
        )
        self.resizeDocks([self.docks["plots"]], [max(160, int(height * 0.22) - 24)], Qt.Orientation.Vertical)

    def _refresh_actions(self, *_: Any) -> None:
        if self._closed:
            return
        for entry in ACTIONS:
            made, possible = self.actions_by_id[entry.id], entry.enabled(self.session)
            made.setEnabled(possible)
            if entry.needs in WHY:
                why = "" if possible else f": {WHY[entry.needs]}"
                made.setToolTip(f"{entry.tooltip}{why}{_keys(entry)}")
        stack = self.session.document.stack
        self.actions_by_id["edit.undo"].setText(f"Undo {stack.undoText()}".strip())
        self.actions_by_id["edit.redo"].setText(f"Redo {stack.redoText()}".strip())
        for name, dock in self.docks.items():
            self.actions_by_id[f"window.{name}"].setChecked(not dock.isHidden())
        view = self.view
        checks = {
            "run.loop": bool(self.session.transport.loop),
            "view.fullscreen": self.isFullScreen(),
            "view.orthographic": bool(getattr(view, "is_orthographic", False)),
            "view.follow": bool(getattr(view, "followed", "")),
        }
        if hasattr(self, "plots"):
            checks |= {"plots.whole": self.plots.whole, "plots.range": self.plots.ranged}
        for id, on in checks.items():
            self.actions_by_id[id].setChecked(on)

    def _show_context(self, at: QPoint, ref: Any) -> None:
        if ref is not None and ref not in self.session.selection.refs:
            self.session.selection.set([ref])
        menu = self._menu(QMenu(self), "context")
        for offer in offers(self.session.document.scene, self.session.selection.refs)[:MAX_OFFERS]:
            made = menu.addAction(self.look.icon(offer.icon), offer.text)
            made.triggered.connect(lambda _=False, offer=offer: self.palette_panel.chosen.emit(offer))
        menu.addSeparator()
        for entry in self._context_actions():
            menu.addAction(entry) if entry is not None else menu.addSeparator()
        menu.exec(at)

    def _context_actions(self) -> Iterator[QAction | None]:
        for id in CONTEXT:
            if id in self.menus:
                menu = self.menus[id]
                if any(entry.isEnabled() for entry in menu.actions()):
                    yield menu.menuAction()
            else:
                yield self.actions_by_id[id] if id else None

    def act(self, id: str) -> None:
        """Run an action of the table by its id."""
        action(id).run(self)
        self._refresh_actions()

    def toggle_dock(self, name: str) -> None:
        dock = self.docks[name]
        hidden = dock.isHidden() or dock.visibleRegion().isEmpty()
        dock.setVisible(hidden)
        if hidden:
            dock.raise_()

    def reset_layout(self) -> None:
        self.settings.forget_layout()
        self.hide_welcome()
        self.restoreState(self._default_state)
        self._default_sizes()
        self._raise_left()

    def layout_state(self) -> QByteArray:
        return self._behind or self.saveState()


def _keys(entry: Action) -> str:
    """The shortcut of an action, for its tooltip."""
    return f" ({entry.shortcut})" if entry.shortcut else ""
