"""The panels of the registry in their docks around the viewport, and where they are."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QWidget

from app.panels.base import Area, CatchesUp, Ends, HasBar, PanelContext, PanelKind
from app.platform.settings import Settings

AREAS: dict[Area, Qt.DockWidgetArea] = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
P = TypeVar("P", bound=QWidget)
BOTTOM = 0.30  # of the window's height, at first
LOWEST, HIGHEST = 0.1, 0.8  # of it that a panel at the bottom may have


class Docks(QObject):
    """One dock per panel, by the panel's id; all panels of an area are tabs at first."""

    changed = Signal()  # a dock was shown or hidden

    def __init__(self, window: QMainWindow, kinds: Iterable[PanelKind], given: PanelContext) -> None:
        super().__init__(window)
        self._window, self._kinds = window, tuple(kinds)
        self._made: dict[str, QDockWidget] = {}
        self.panels: dict[str, QWidget] = {}
        self._default = QByteArray()
        front: dict[Area, QDockWidget] = {}
        last: dict[Area, QDockWidget] = {}
        for kind in sorted(self._kinds, key=lambda kind: not kind.first_tab):
            dock = self._make(kind, given)
            if kind.area in last:  # at once: side by side they would make the window wide
                window.tabifyDockWidget(last[kind.area], dock)
            last[kind.area] = dock
            front.setdefault(kind.area, dock)
            if kind.hidden:
                dock.hide()
        for dock in front.values():
            dock.raise_()

    def _make(self, kind: PanelKind, given: PanelContext) -> QDockWidget:
        panel = self.panels[kind.id] = kind.make(given)
        dock = self._made[kind.id] = QDockWidget(kind.title, self._window)
        dock.setObjectName(f"dock.{kind.id}")
        dock.setWidget(panel)
        if isinstance(panel, HasBar):  # it can be dragged all the same
            dock.setTitleBarWidget(panel.bar)
        self._window.addDockWidget(AREAS[kind.area], dock)
        dock.visibilityChanged.connect(self.changed)
        if isinstance(panel, CatchesUp):
            dock.visibilityChanged.connect(panel.catch_up)
        return dock

    def __getitem__(self, id: str) -> QDockWidget:
        return self._made[id]

    def __iter__(self) -> Iterator[QDockWidget]:
        return iter(self._made.values())

    def panel(self, sort: type[P]) -> P:
        """The panel of a class."""
        return next(panel for panel in self.panels.values() if isinstance(panel, sort))

    def covers(self, widget: QWidget | None) -> bool:
        """Whether a widget is in a panel behind another one: Qt keeps it visible, away from the window."""
        while widget is not None and not isinstance(widget, QDockWidget):
            widget = widget.parentWidget()
        return widget is not None and widget.visibleRegion().isEmpty()

    def is_open(self, id: str) -> bool:
        """Whether it is shown, perhaps behind another tab."""
        return not self[id].isHidden()

    def covering(self, id: str) -> str:
        """The panel whose tab is in front of this one; empty when nothing is."""
        behind = self[id]
        if behind.isHidden() or not behind.visibleRegion().isEmpty():
            return ""
        beside = self._window.tabifiedDockWidgets(behind)
        front = (dock for dock in beside if not dock.isHidden() and not dock.visibleRegion().isEmpty())
        return next((dock.objectName().removeprefix("dock.") for dock in front), "")

    def show(self, id: str) -> None:
        """Bring a panel to the front."""
        self[id].show()
        self[id].raise_()

    def toggle(self, id: str) -> None:
        """Bring a panel to the front, or hide it when it is there."""
        if not self.is_open(id) or self[id].visibleRegion().isEmpty():
            self.show(id)
        else:
            self[id].hide()

    def hide_all(self) -> None:
        for dock in self:
            dock.hide()

    # layout

    def restore(self, settings: Settings) -> None:
        """The layout of the last time; what it was before is the one that `reset` gives."""
        self._default = self._window.saveState()
        layout = settings.layout()
        if layout is not None:
            self._window.restoreGeometry(layout[0])
            self._window.restoreState(layout[1])
        else:
            self._default_sizes()

    def reset(self) -> None:
        """All panels back to where they were at first."""
        self._window.restoreState(self._default)
        self._default_sizes()

    def _default_sizes(self) -> None:
        """The viewport keeps at least a third of the window, and curves have room to be read."""
        width, height = self._window.width(), self._window.height()
        sizes = {"left": max(222, int(width * 0.13)), "right": max(247, int(width * 0.17))}
        first = {kind.area: self[kind.id] for kind in reversed(self._kinds)}
        self._window.resizeDocks(
            [first[area] for area in sizes if area in first],
            [size for area, size in sizes.items() if area in first],
            Qt.Orientation.Horizontal,
        )
        if "bottom" in first:
            self._window.resizeDocks([first["bottom"]], [round(BOTTOM * height)], Qt.Orientation.Vertical)

    # heights

    def share(self, id: str) -> float | None:
        """The height of a panel over that of the window; None where it is not docked at the bottom."""
        dock = self[id]
        below = self._window.dockWidgetArea(dock) is Qt.DockWidgetArea.BottomDockWidgetArea
        if dock.isFloating() or dock.isHidden() or not below:
            return None
        return round(dock.height() / self._window.height(), 3)

    def set_share(self, id: str, share: float) -> None:
        """Give it that height, as far as there is room."""
        if self.share(id) is not None:
            height = round(min(max(share, LOWEST), HIGHEST) * self._window.height())
            tabs = self._tabs(self[id])  # Qt counts them to the height that is asked for
            self._window.resizeDocks([self[id]], [height + tabs], Qt.Orientation.Vertical)

    def _tabs(self, dock: QDockWidget) -> int:
        """Height of the row of tabs above a dock, 0 without one."""
        rows = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        titles = {row: [row.tabText(i) for i in range(row.count())] for row in rows if row.isVisible()}
        return next((row.height() for row, texts in titles.items() if dock.windowTitle() in texts), 0)

    def shutdown(self) -> None:
        """Let the panels end what they do."""
        for panel in self.panels.values():
            if isinstance(panel, Ends):
                panel.shutdown()
