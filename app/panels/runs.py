"""Runs: the present one and earlier ones, what differs between them, and what to do with them."""

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.panels.base import PanelKind
from app.platform.appearance import Look, label, title_bar, tool_button
from app.session.recorded.run import Run
from app.session.session import Session
from app.widgets.edit_in_place import edit_in_place
from app.widgets.show_once import show_once

RUN = Qt.ItemDataRole.UserRole
COLUMNS = ("Run", "Ghost", "Time", "Method", "Differs in")
NAME, GHOST, TIME = 0, 1, 2


class RunsPanel(QWidget):
    """Check marks show or hide the curves of earlier runs, and their ghosts in the viewport."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("runs")
        self._session, self._look = session, look
        self.view = QTreeWidget()
        self.view.setObjectName("runs.view")
        self.view.setColumnCount(len(COLUMNS))
        self.view.setHeaderLabels(COLUMNS)
        self.view.setRootIsDecorated(False)
        self.view.setUniformRowHeights(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.view.header()
        header.setStretchLastSection(True)
        for section in range(len(COLUMNS) - 1):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.ResizeToContents)
        self._pin = tool_button(look, "runs.pin", "pin", "Keep the selected runs until you delete them")
        self._ghost = tool_button(
            look, "runs.ghost", "ghosts", "Show the selected runs as ghosts, or no longer"
        )
        self._watch = tool_button(
            look, "runs.watch", "eye", "Watch the selected run in place of the present one"
        )
        self._rename = tool_button(look, "runs.rename", "rename", "Rename the selected run")
        self._delete = tool_button(look, "runs.delete", "delete", "Delete the selected runs")
        self.bar = title_bar(self, "runs.bar")
        bar = QHBoxLayout(self.bar)
        bar.setContentsMargins(4, 1, 4, 1)
        bar.setSpacing(2)
        for button in (self._watch, self._pin, self._ghost, self._rename, self._delete):
            bar.addWidget(button)
        bar.addSpacing(8)
        hint = "Check marks show earlier runs in the plots, and as ghosts in the viewport"
        bar.addWidget(label(hint, "muted", "runs.hint"))
        bar.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(2)
        column.addWidget(self.view, 1)
        self._pin.clicked.connect(self.pin)
        self._ghost.clicked.connect(self.ghost)
        self._watch.clicked.connect(self.watch)
        self._rename.clicked.connect(self.rename)
        self._delete.clicked.connect(self.delete)
        self.view.itemChanged.connect(self._changed)
        self.view.itemSelectionChanged.connect(self._enable)
        self.view.customContextMenuRequested.connect(self._menu)
        session.runs.changed.connect(self.rebuild)
        session.state_changed.connect(self.rebuild)
        session.document.changed.connect(self.rebuild)
        look.changed.connect(self.rebuild)
        self.rebuild()

    def rebuild(self, *_: object) -> None:
        """Rows stay as long as the runs do: one of them may be telling that it was changed."""
        runs = list(reversed(self._session.runs))
        with QSignalBlocker(self.view):
            rows = (self.view.topLevelItem(i) for i in range(self.view.topLevelItemCount()))
            items = [item for item in rows if item is not None]
            if [item.data(0, RUN) for item in items] != runs:
                chosen = {run.id for run in self.selected()}
                self.view.clear()
                items = [QTreeWidgetItem(self.view) for _ in runs]
                for item, run in zip(items, runs, strict=True):
                    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
                    item.setData(0, RUN, run)
                    item.setSelected(run.id in chosen)
            for item, run in zip(items, runs, strict=True):
                self._fill(item, run)
        self._enable()

    def _fill(self, item: QTreeWidgetItem, run: Run) -> None:
        current = run is self._session.current
        scene = self._session.document.scene
        differs = "this is the present run" if current else run.differs(scene) or "nothing"
        live = current and run.kind == "live"
        span = "live" if live else f"{float(run.t_last):.3g} s"
        methods = run.methods
        tip = f"{run.name}: {methods}\ndiffers in: {differs}"
        for column, text in enumerate((run.name, "", span, methods, differs)):
            item.setText(column, text)
            item.setToolTip(column, tip)
        item.setCheckState(NAME, Qt.CheckState.Checked if run.visible else Qt.CheckState.Unchecked)
        ghost = Qt.CheckState.Checked if run.ghost else Qt.CheckState.Unchecked
        item.setData(GHOST, Qt.ItemDataRole.CheckStateRole, None if current else ghost)
        shown = f"Show this run as a ghost in the viewport, up to its end at {float(run.t_last):.3g} s"
        item.setToolTip(GHOST, "" if current else shown)
        item.setIcon(NAME, _square(run.color or self._look.theme["ghost"]))
        item.setIcon(TIME, self._look.icon("pin") if run.pinned else QIcon())

    def selected(self) -> list[Run]:
        return [item.data(0, RUN) for item in self.view.selectedItems()]

    def pin(self) -> None:
        for run in self.selected():
            self._session.runs.pin(run, not run.pinned)

    def ghost(self) -> None:
        runs = [run for run in self.selected() if run is not self._session.current]
        on = not all(run.ghost for run in runs)
        for run in runs:
            self._session.runs.set_ghost(run, on)

    def watch(self) -> None:
        """Show an earlier run; a reset begins a new live one."""
        for run in self.selected()[:1]:
            self._session.lifecycle.watch(run)

    def rename(self) -> None:
        items = self.view.selectedItems()
        if items:
            edit_in_place(self.view, items[0])

    def delete(self) -> None:
        for run in self.selected():
            self._session.runs.remove(run)

    def _changed(self, item: QTreeWidgetItem, column: int) -> None:
        run = item.data(0, RUN)
        if run is None:
            return
        if column == GHOST:
            self._session.runs.set_ghost(run, item.checkState(GHOST) == Qt.CheckState.Checked)
            return
        if column != NAME:
            return
        visible = item.checkState(0) == Qt.CheckState.Checked
        if visible != run.visible:
            run.visible = visible
            self._session.runs.changed.emit()
        elif item.text(0) != run.name:
            self._session.runs.rename(run, item.text(0))

    def _enable(self) -> None:
        runs = self.selected()
        self._pin.setEnabled(bool(runs))
        self._rename.setEnabled(len(runs) == 1)
        self._watch.setEnabled(len(runs) == 1 and runs[0] is not self._session.current and not runs[0].empty)
        self._ghost.setEnabled(any(run is not self._session.current for run in runs))
        self._delete.setEnabled(any(run is not self._session.current for run in runs))

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        for text, image, call, button in (
            ("Watch", "eye", self.watch, self._watch),
            ("Keep or let go", "pin", self.pin, self._pin),
            ("Ghost in the viewport", "ghosts", self.ghost, self._ghost),
            ("Rename", "rename", self.rename, self._rename),
            ("Delete", "delete", self.delete, self._delete),
        ):
            action = menu.addAction(self._look.icon(image), text)
            action.setEnabled(button.isEnabled())
            action.triggered.connect(call)
        show_once(menu, self.view.viewport().mapToGlobal(at))


PANEL = PanelKind("runs", "Runs", "runs", "bottom", lambda given: RunsPanel(given.session, given.look))


def _square(color: str) -> QIcon:
    picture = QPixmap(12, 12)
    picture.fill(QColor(color))
    return QIcon(picture)
