"""Command search: every action of the table by a few letters, or by what it is called elsewhere."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.widgets.action_property import menu_of, other_words_of

ID = Qt.ItemDataRole.UserRole


class CommandDialog(QDialog):
    """Type, choose with the arrow keys, Return runs it; the last line looks for the words in the help."""

    def __init__(self, parent: QWidget, actions: Mapping[str, QAction]) -> None:
        super().__init__(parent)
        self.setObjectName("commands")
        self.setWindowTitle("Command search")
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint, False)
        self.resize(480, 420)
        self._actions = actions
        self.chosen: str | None = None  # an action
        self.asked_help = ""  # or words to be looked for in the help
        self.search = QLineEdit()
        self.search.setObjectName("commands.search")
        self.search.setPlaceholderText("What do you want to do?")
        self.search.installEventFilter(self)
        self.view = QListWidget()
        self.view.setObjectName("commands.view")
        column = QVBoxLayout(self)
        column.addWidget(self.search)
        column.addWidget(self.view, 1)
        for id, made in actions.items():
            keys = f"    {made.shortcut().toString()}" if not made.shortcut().isEmpty() else ""
            item = QListWidgetItem(made.icon(), f"{menu_of(made).replace('/', ' › ')} › {made.text()}{keys}")
            item.setToolTip(made.statusTip())
            item.setData(ID, id)
            if not made.isEnabled():
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.view.addItem(item)
        self._help = QListWidgetItem()
        self._help.setToolTip("Look for these words in all pages of the help")
        self.view.addItem(self._help)
        self.search.textChanged.connect(self._filter)
        self.view.itemActivated.connect(lambda item: self._take())
        self.view.itemClicked.connect(lambda item: self._take())
        self._filter("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                self._move(1 if event.key() == Qt.Key.Key_Down else -1)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take()
                return True
        return bool(super().eventFilter(watched, event))

    def shown(self) -> list[str]:
        items = (self.view.item(i) for i in range(self.view.count()))
        return [item.data(ID) for item in items if not item.isHidden() and item is not self._help]

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        first = None
        for i in range(self.view.count()):
            item = self.view.item(i)
            if item is self._help:
                continue
            about = f"{item.text()} {item.toolTip()} {other_words_of(self._actions[item.data(ID)])}".lower()
            item.setHidden(not all(word in about for word in words))
            if first is None and not item.isHidden() and item.flags() & Qt.ItemFlag.ItemIsEnabled:
                first = item
        self._help.setText(f"Search the help for “{text.strip()}”")
        self._help.setHidden(not words)
        if first is None and words:
            first = self._help
        if first is None:
            self.view.setCurrentRow(-1)
        else:
            self.view.setCurrentItem(first)

    def _move(self, by: int) -> None:
        row = self.view.currentRow() + by
        while 0 <= row < self.view.count():
            item = self.view.item(row)
            if not item.isHidden() and item.flags() & Qt.ItemFlag.ItemIsEnabled:
                self.view.setCurrentItem(item)
                return
            row += by

    def _take(self) -> None:
        item = self.view.currentItem()
        if item is not None and not item.isHidden():
            self.chosen = item.data(ID)
            self.asked_help = self.search.text().strip() if item is self._help else ""
            self.accept()
