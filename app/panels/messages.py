"""Messages: what the program, the scene and the engine have to say, newest last."""

import time
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.document.document import Ref, SceneChange
from app.panels.base import PanelKind
from app.platform.appearance import Look, label, title_bar, tool_button
from app.session.session import Session
from engine.errors import Problem

KEPT = 500  # messages
LEVELS = {"info": ("info", "accent"), "warning": ("warning", "warning"), "error": ("error", "danger")}
REF = Qt.ItemDataRole.UserRole


class MessagesPanel(QWidget):
    """Problems of the scene first, then what was reported; a double click selects the element."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("messages")
        self._session, self._look = session, look
        self._faults: dict[Ref | None, list[Problem]] = {}  # that are shown
        self._log: list[tuple[str, str, Ref | None, str]] = []
        self.view = QListWidget()
        self.view.setObjectName("messages.view")
        self.view.setWordWrap(True)
        self.view.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        clear = tool_button(look, "messages.clear", "clear", "Clear the messages")
        copy = tool_button(look, "messages.copy", "copy", "Copy all messages")
        clear.clicked.connect(self.clear)
        copy.clicked.connect(lambda: QApplication.clipboard().setText("\n".join(self.texts())))
        self.bar = title_bar(self, "messages.bar")
        bar = QHBoxLayout(self.bar)
        bar.setContentsMargins(6, 1, 4, 1)
        bar.addWidget(label("Double-click a message to select its element", "muted", "messages.hint"))
        bar.addStretch(1)
        bar.addWidget(copy)
        bar.addWidget(clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(2)
        column.addWidget(self.view, 1)
        self.view.itemDoubleClicked.connect(self._select)
        session.message.connect(self.add)
        session.faults.changed.connect(self.refresh)
        session.document.changed.connect(self._follow)
        look.changed.connect(self.rebuild)
        self.rebuild()

    def add(self, level: str, text: str, ref: Ref | None = None) -> None:
        """One more message; the same text again only moves to the end."""
        self._log = [entry for entry in self._log if entry[:3] != (level, text, ref)][-KEPT:]
        self._log.append((level, text, ref, time.strftime("%H:%M:%S")))
        self.rebuild()

    def texts(self) -> list[str]:
        return [self.view.item(i).text() for i in range(self.view.count())]

    def clear(self) -> None:
        self._log = []
        self.rebuild()

    def _follow(self, change: SceneChange) -> None:
        if change.reset:  # what was said of another scene would mislead
            self._log = []
            self.rebuild()
        else:
            self.refresh()

    def refresh(self, *_: Any) -> None:
        """Show the problems of the scene as it is now; nothing is done when they are the same."""
        if self._session.faults.by_element() != self._faults:
            self.rebuild()

    def rebuild(self, *_: Any) -> None:
        self.view.clear()
        self._faults = faults = self._session.faults.by_element()
        for ref, problems in faults.items():
            for problem in problems:
                self._add_item(
                    "error", f"{problem.path or 'scene'}: {problem.message}\n→ {problem.remedy}", ref
                )
        listed = {
            f"{problem.message}; {problem.remedy}" for problems in faults.values() for problem in problems
        }
        for level, text, ref, when in self._log:
            if text not in listed:  # said once, at its element, is enough
                self._add_item(level, f"{when}  {text}", ref)
        if not self.view.count():
            item = QListWidgetItem("No messages: the scene is sound.")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setForeground(self._look.theme.color("muted"))
            self.view.addItem(item)
        self.view.scrollToBottom()

    def _add_item(self, level: str, text: str, ref: Ref | None) -> None:
        image, role = LEVELS.get(level, LEVELS["info"])
        item = QListWidgetItem(self._look.icon(image, role), text)
        item.setData(REF, ref)
        self.view.addItem(item)

    def _select(self, item: QListWidgetItem) -> None:
        ref = item.data(REF)
        if ref is not None:
            self._session.selection.set([ref])


PANEL = PanelKind(
    "messages",
    "Messages",
    "messages",
    "bottom",
    lambda given: MessagesPanel(given.session, given.look),
    also="errors warnings log console",
)
