"""A list of channels to check, with a search."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.document.channels.channel_words import words_of
from app.platform.appearance import label
from app.session.recorded.run import Run

NAME = Qt.ItemDataRole.UserRole


class ChannelPicks(QWidget):
    """Channels of a run; those of `checked` are taken at first, and stand at the top to be seen."""

    def __init__(self, name: str, run: Run, checked: Collection[str]) -> None:
        super().__init__()
        self.setObjectName(f"{name}.picks")
        self.search = QLineEdit()
        self.search.setObjectName(f"{name}.search")
        self.search.setPlaceholderText("Search channels, for instance: crank angle")
        self.view = QListWidget()
        self.view.setObjectName(f"{name}.channels")
        self.view.setSpacing(1)  # px: boxes to check must not touch each other
        self._counted = label("", "muted", f"{name}.counted")
        picks = QHBoxLayout()
        for word, text, tip, on in (
            ("all", "Check shown", "Take all channels that the search shows", True),
            ("none", "Uncheck shown", "Leave out all channels that the search shows", False),
        ):
            button = QPushButton(text)
            button.setObjectName(f"{name}.{word}")
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, on=on: self.check_shown(on))
            picks.addWidget(button)
        picks.addStretch(1)
        picks.addWidget(self._counted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.search)
        column.addWidget(self.view, 1)
        column.addLayout(picks)
        self.search.textChanged.connect(self._filter)
        self.view.itemChanged.connect(lambda item: self._count())
        self._fill(run, checked)

    def show_run(self, run: Run) -> None:
        """The channels of another run; those that are checked stay so as far as it has them."""
        self._fill(run, self.channels())

    def _fill(self, run: Run, checked: Collection[str]) -> None:
        self.view.blockSignals(True)
        self.view.clear()
        for channel in sorted(run.names(), key=lambda channel: channel not in checked):
            unit = run.unit(channel)
            item = QListWidgetItem(f"{channel}   [{unit}]" if unit else channel)
            item.setData(NAME, channel)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(_state(channel in checked))
            self.view.addItem(item)
        self.view.blockSignals(False)
        self._filter(self.search.text())
        self._count()

    def channels(self) -> list[str]:
        return [item.data(NAME) for item in self._items() if item.checkState() == Qt.CheckState.Checked]

    def check_shown(self, on: bool) -> None:
        for item in self._items():
            if not item.isHidden():
                item.setCheckState(_state(on))

    def _items(self) -> list[QListWidgetItem]:
        return [self.view.item(i) for i in range(self.view.count())]

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        for item in self._items():
            known = f"{item.text()} {words_of(item.data(NAME))}".lower()
            item.setHidden(not all(word in known for word in words))

    def _count(self) -> None:
        self._counted.setText(f"{len(self.channels())} of {self.view.count()} channels")


def _state(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
