"""Search for channels."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.document.channels.channel_words import words_of
from app.platform.appearance import button_box, label
from app.platform.units import Units
from app.session.recorded.run import NOT_UNIQUE, WHY_NOT_UNIQUE, Run

NAME = Qt.ItemDataRole.UserRole
MAX_LISTED = 500  # channels that are listed: a thousand bodies have tens of thousands


@dataclass(frozen=True, slots=True)
class _Described:
    """A channel as it is listed, and in `known` all that a search may find it by."""

    name: str
    text: str
    tip: str
    known: str


def _described(run: Run, name: str, units: Units | None) -> _Described:
    unit = units.shown(run.unit(name)) if units is not None else run.unit(name)
    text, unique = f"{name}   [{unit}]" if unit else name, run.is_unique(name)
    if not unique:
        text = f"{text}   {NOT_UNIQUE}"
    meaning = run.meaning(name)
    tip = meaning if unique else f"{meaning}\n{WHY_NOT_UNIQUE}"
    return _Described(name, text, tip, f"{text} {words_of(name)}".lower())


def closeness(name: str, text: str) -> int:
    """How a channel fits a search, 0 best: name, last part, any part, beginning, anywhere, all words."""
    name, text = name.lower(), text.lower().strip()
    if not text:
        return 0
    fits = (
        name == text,
        name.endswith(f".{text}"),
        f".{text}." in f".{name}.",
        name.startswith(text),
        text in name,
        all(word in name for word in text.split()),
    )
    return fits.index(True) if any(fits) else len(fits)


class ChannelDialog(QDialog):
    """Type some words, take one or several channels."""

    def __init__(
        self,
        parent: QWidget,
        run: Run,
        title: str,
        *,
        several: bool,
        prefix: str = "",
        units: Units | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("channels")
        self.setWindowTitle(title)
        self.resize(420, 480)
        self.search = QLineEdit(prefix)
        self.search.selectAll()  # typing looks among all
        self.search.setObjectName("channels.search")
        self.search.setPlaceholderText("for instance: crank angle")
        self.view = QListWidget()
        self.view.setObjectName("channels.view")
        mode = QAbstractItemView.SelectionMode
        self.view.setSelectionMode(mode.ExtendedSelection if several else mode.SingleSelection)
        self._channels = [_described(run, name, units) for name in run.names()]
        standard = QDialogButtonBox.StandardButton
        self.buttons = buttons = button_box(standard.Ok | standard.Cancel, "channels")
        column = QVBoxLayout(self)
        self.none = label("", "muted", "channels.none")
        self.none.setWordWrap(True)
        for widget in (label(title, "section", "channels.title"), self.search, self.none, self.view, buttons):
            column.addWidget(widget)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._take_first)
        self.view.itemDoubleClicked.connect(lambda item: self.accept())
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._filter(prefix)

    def names(self) -> list[str]:
        return [item.data(NAME) for item in self.view.selectedItems()]

    def _filter(self, text: str) -> None:
        """List what fits, the closest first, the others as the run has them; what is selected stays."""
        words, selected = text.lower().split(), set(self.names())
        found = [channel for channel in self._channels if all(word in channel.known for word in words)]
        found.sort(key=lambda channel: closeness(channel.name, text))
        shown = found[:MAX_LISTED]
        listed = {channel.name for channel in shown}
        self.view.clear()
        for channel in (*shown, *(c for c in self._channels if c.name in selected - listed)):
            item = QListWidgetItem(channel.text)
            item.setToolTip(channel.tip)
            item.setData(NAME, channel.name)
            self.view.addItem(item)
            item.setHidden(channel.name not in listed)
            item.setSelected(channel.name in selected)
        more = len(found) - len(shown)
        self.none.setText(
            "No channel has all of these words." if not found else f"{more} more: type another word."
        )
        self.none.setVisible(not found or more > 0)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(found))

    def _take_first(self) -> None:
        """Return in the search takes what is found, beside what was selected before if several may be."""
        if all(item.isHidden() for item in self.view.selectedItems()):
            for i in range(self.view.count()):
                if not self.view.item(i).isHidden():
                    self.view.item(i).setSelected(True)
                    break
        if self.view.selectedItems():
            self.accept()


def choose_channels(
    parent: QWidget, run: Run, title: str, *, several: bool, prefix: str = "", units: Units | None = None
) -> list[str]:
    """The channels the user takes, none when the dialog is cancelled; with the units that plots have."""
    dialog = ChannelDialog(parent, run, title, several=several, prefix=prefix, units=units)
    names = dialog.names() if dialog.exec() == QDialog.DialogCode.Accepted else []
    dialog.deleteLater()
    return names
