"""Menus, toolbar and shortcuts, made from the table of actions; which of them are possible and on."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QWidget

from app.document.document import Ref
from app.platform.appearance import Look
from app.session.session import Session
from app.tools.suggestions import Suggestion, grouped, suggestions
from app.widgets.action_property import ALSO, MENU
from app.widgets.show_once import show_once
from app.window.actions.base import Action
from app.window.handlers.menu_handlers import MenuHandlers
from app.window.view_memory import STYLES

MAX_SUGGESTIONS = 5  # for the selection, in the context menu
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
    "plots.channel",
    "plots.cost",
    "view.fit_selection",
    "edit.select_none",
)


def qt_action(entry: Action, parent: QWidget) -> QAction:
    """The QAction of a line of the table; it does nothing yet."""
    made = QAction(entry.text, parent)
    made.setObjectName(entry.id)
    made.setProperty(MENU, entry.menu)
    made.setProperty(ALSO, entry.also)
    made.setToolTip(f"{entry.tooltip}{_keys(entry)}")
    made.setStatusTip(entry.tooltip)
    made.setCheckable(entry.checkable)
    # a check mark tells there whether a switch is on; a tool in hand has a frame around its icon
    made.setIconVisibleInMenu(not entry.checkable or entry.is_tool)
    if entry.shortcut:
        made.setShortcut(QKeySequence(entry.shortcut))
    return made


class Menus:
    """All actions of a window. They do nothing before `connect` tells whom they act on."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        look: Look,
        table: Mapping[str, tuple[Action, ...]],
    ) -> None:
        self._window, self._session, self._look = window, session, look
        self._table = {entry.id: entry for menu in table.values() for entry in menu}
        self._handlers: MenuHandlers | None = None
        self.actions: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}  # by path: "Edit", "Edit/Arrange"
        for entry in self._table.values():
            made = self.actions[entry.id] = qt_action(entry, window)
            made.triggered.connect(lambda _=False, id=entry.id: self.act(id))
            window.addAction(made)
        self._tint()
        look.changed.connect(self._tint)
        for title in table:
            self.menus[title] = _named(window.menuBar().addMenu(f"&{title}"), title)
        for entry in self._table.values():
            self._add(entry)

    def _tint(self) -> None:
        for entry in self._table.values():
            self.actions[entry.id].setIcon(self._look.icon(entry.icon))

    def _add(self, entry: Action) -> None:
        parent, _, child = entry.menu.partition("/")
        if child and entry.menu not in self.menus:
            self.menus[entry.menu] = _named(self.menus[parent].addMenu(child), child)
        menu = self.menus[entry.menu]
        if entry.separator:
            menu.addSeparator()
        menu.addAction(self.actions[entry.id])
        if entry.id == "file.open":
            self._recent = _named(menu.addMenu("Open recent"), "recent")
            self._recent.aboutToShow.connect(self._fill_recent)

    def _fill_recent(self) -> None:
        if self._handlers is not None:
            self._handlers.file.fill_recent(self._recent)

    def toolbar(self) -> QToolBar:
        """Actions that are marked for it, then the switches of the viewport."""
        bar = QToolBar("Toolbar")
        bar.setObjectName("toolbar")
        bar.setIconSize(QSize(19, 19))
        menu = ""
        for entry in self._table.values():
            if entry.toolbar:
                if menu and entry.menu != menu:
                    bar.addSeparator()
                menu = entry.menu
                bar.addAction(self.actions[entry.id])
        bar.addSeparator()
        for name in ("view.orthographic", *(f"view.{style}" for style in STYLES)):
            bar.addAction(self.actions[name])
        for made in bar.actions():
            bar.widgetForAction(made).setObjectName(f"toolbar.{made.objectName()}")
        return bar

    # what they do

    def connect(self, handlers: MenuHandlers) -> None:
        self._handlers = handlers
        self.refresh()

    def disconnect(self) -> None:
        """The window closes: nothing acts any more."""
        self._handlers = None

    def act(self, id: str) -> None:
        """Run an action by its id."""
        if self._handlers is not None:
            self._table[id].run(self._handlers)
            self.refresh()

    def refresh(self, *_: object) -> None:
        """Show which actions are possible, which are on, and what the texts are now."""
        if self._handlers is None:
            return
        known: dict[str, bool] = {}  # by need: many actions share one, and some look at every element
        for entry in self._table.values():
            made, need = self.actions[entry.id], entry.needs.name if entry.needs is not None else ""
            if need not in known:
                known[need] = entry.enabled(self._session)
            possible = known[need]
            made.setEnabled(possible)
            if entry.needs is not None and entry.needs.why:
                why = "" if possible else f": {entry.needs.why}"
                made.setToolTip(f"{entry.tooltip}{why}{_keys(entry)}")
            if entry.checked is not None:
                made.setChecked(entry.checked(self._handlers))
            if entry.text_now is not None:
                made.setText(entry.text_now(self._session))

    # context menu

    def show_context(self, at: QPoint, ref: Ref | None) -> None:
        """What can be done with the element under the pointer, or with the selection."""
        if ref is not None and ref not in self._session.selection.refs:
            self._session.selection.set([ref])
        menu = _named(QMenu(self._window), "context")
        found = suggestions(self._session.document.scene, self._session.selection.refs)
        for several in grouped(found)[:MAX_SUGGESTIONS]:
            first, inside = several[0], menu
            if len(several) > 1:
                inside = menu.addMenu(self._look.icon(first.icon), first.group)
                inside.setObjectName(f"{menu.objectName()}.{first.tool}")
            for suggestion in several:
                made = inside.addAction(
                    self._look.icon(suggestion.icon), suggestion.text if inside is menu else suggestion.short
                )
                made.triggered.connect(lambda _=False, suggestion=suggestion: self._take(suggestion))
        menu.addSeparator()
        for entry in self.context_actions():
            menu.addAction(entry) if entry is not None else menu.addSeparator()
        show_once(menu, at)

    def _take(self, suggestion: Suggestion) -> None:
        if self._handlers is not None:
            self._handlers.insert.take_suggestion(suggestion)

    def context_actions(self) -> Iterator[QAction | None]:
        """Actions for the selection, None for a separator."""
        for id in CONTEXT:
            if id in self.menus:
                menu = self.menus[id]
                if any(entry.isEnabled() for entry in menu.actions()):
                    yield menu.menuAction()
            else:
                yield self.actions[id] if id else None


def _named(menu: QMenu, title: str) -> QMenu:
    menu.setObjectName(f"menu.{title.lower()}")
    menu.setToolTipsVisible(True)
    return menu


def _keys(entry: Action) -> str:
    """The shortcut of an action, for its tooltip."""
    return f" ({entry.shortcut})" if entry.shortcut else ""
