"""The steps that can be undone and redone, by name; a click goes there."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QUndoView, QVBoxLayout, QWidget
from shiboken6 import isValid

from app.panels.base import PanelKind
from app.platform.appearance import Look, label, tool_button
from app.session.session import Session


class HistoryPanel(QWidget):
    """All steps since the scene was opened, the present one marked, the saved one with a sign."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("history")
        self._look, self._stack = look, session.document.stack
        self.view = QUndoView(self._stack)
        self.view.setObjectName("history.view")
        self.view.setEmptyLabel("As it was opened")
        self.view.setToolTip("Click a step to go there")
        self.view.setUniformItemSizes(True)
        self.view.setIconSize(QSize(14, 14))
        self._count = label("", "muted", "history.count")
        bar = QHBoxLayout()
        bar.setContentsMargins(0, 0, 0, 0)
        bar.setSpacing(2)
        for name, image, tip, call in (
            ("undo", "undo", "Take back the last edit", self._stack.undo),
            ("redo", "redo", "Do the edit again", self._stack.redo),
        ):
            button = tool_button(look, f"history.{name}", image, tip)
            button.clicked.connect(call)
            bar.addWidget(button)
        bar.addStretch(1)
        bar.addWidget(self._count)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(2)
        column.addLayout(bar)
        column.addWidget(self.view, 1)
        self._stack.indexChanged.connect(self._refresh)
        look.changed.connect(self._apply_theme)
        self._apply_theme()
        self._refresh()

    def _apply_theme(self) -> None:
        self.view.setCleanIcon(self._look.icon("save", "muted"))

    def _refresh(self, *_: Any) -> None:
        if not isValid(self._stack):  # it tells a last change while it is taken down
            return
        count = self._stack.count()
        self._count.setText(f"{self._stack.index()} of {count} steps" if count else "no steps yet")


PANEL = PanelKind(
    "history",
    "History",
    "history",
    "right",
    lambda given: HistoryPanel(given.session, given.look),
    hidden=True,
)
