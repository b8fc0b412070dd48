"""The members of a group: a list with buttons that add and remove."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListWidget, QListWidgetItem, QMenu, QVBoxLayout

from app.platform.appearance import ToolButton, tool_button
from app.widgets.editors.base import Editor
from app.widgets.editors.editor_kind import Ask, EditorKind
from engine.model.scene import LISTS, Group

SHOWN_ROWS = 6  # before it scrolls
NAME = Qt.ItemDataRole.UserRole


class MembersEditor(Editor):
    """Commits all members, as `list.name`."""

    wide = True

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self._known = [
            f"{where}.{item.name}"
            for where in LISTS
            if where not in ("groups", "parameters")
            for item in getattr(ask.scene, where)
        ]
        self._members: tuple[str, ...] = ()
        self.view = QListWidget()
        self.view.setObjectName(ask.name)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        look = ask.context.look
        self.add = tool_button(look, f"{ask.name}.add", "plus", "Add an element to this group")
        menu = QMenu(self.add)
        menu.setObjectName(f"{ask.name}.menu")
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self.add.setMenu(menu)
        self.add.setPopupMode(ToolButton.ToolButtonPopupMode.InstantPopup)
        remove = tool_button(look, f"{ask.name}.remove", "minus", "Take the chosen members out of this group")
        remove.clicked.connect(self.remove_chosen)
        bar = QHBoxLayout()
        bar.setSpacing(2)
        bar.addWidget(self.add)
        bar.addWidget(remove)
        bar.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.view)
        column.addLayout(bar)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self._members = () if mixed else tuple(value or ())
        self.view.clear()
        for text in self._members:
            where, _, name = text.partition(".")
            item = QListWidgetItem(f"{name}   ({where})")
            item.setData(NAME, text)
            if text not in self._known:
                item.setText(f"{name}   (not in this scene)")
            self.view.addItem(item)
        rows = min(max(len(self._members), 1), SHOWN_ROWS)
        self.view.setFixedHeight(rows * (self.view.fontMetrics().lineSpacing() + 6) + 8)

    def remove_chosen(self) -> None:
        gone = {item.data(NAME) for item in self.view.selectedItems()}
        if gone:
            self.committed.emit(tuple(text for text in self._members if text not in gone))

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        lists: dict[str, QMenu] = {}
        for text in self._known:
            if text in self._members:
                continue
            where, _, name = text.partition(".")
            if where not in lists:
                lists[where] = menu.addMenu(where.capitalize())
            action = lists[where].addAction(name)
            action.triggered.connect(lambda _=False, text=text: self.committed.emit((*self._members, text)))
        if not lists:
            menu.addAction("Everything is in this group").setEnabled(False)


KIND = EditorKind(
    "members",
    lambda ask: ask.field.name == "members" and all(isinstance(owner, Group) for owner in ask.owners),
    MembersEditor,
)
