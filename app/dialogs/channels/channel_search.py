"""Search for channels."""

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

NAME, ORDER = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


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
        self.search.setObjectName("channels.search")
        self.search.setPlaceholderText("for instance: crank angle")
        self.view = QListWidget()
        self.view.setObjectName("channels.view")
        mode = QAbstractItemView.SelectionMode
        self.view.setSelectionMode(mode.ExtendedSelection if several else mode.SingleSelection)
        for order, name in enumerate(run.names()):
            unit = units.shown(run.unit(name)) if units is not None else run.unit(name)
            item = QListWidgetItem(f"{name}   [{unit}]" if unit else name)
            if not run.is_unique(name):
                item.setText(f"{item.text()}   {NOT_UNIQUE}")
                item.setToolTip(WHY_NOT_UNIQUE)
            item.setData(NAME, name)
            item.setData(ORDER, order)
            self.view.addItem(item)
        standard = QDialogButtonBox.StandardButton
        self.buttons = buttons = button_box(standard.Ok | standard.Cancel, "channels")
        column = QVBoxLayout(self)
        self.none = label("", "muted", "channels.none")
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
        """Hide what does not fit; the closest stand first, the others in the order of the run."""
        words, selected = text.lower().split(), self.names()
        items = [self.view.takeItem(0) for _ in range(self.view.count())]
        items.sort(key=lambda item: (closeness(item.data(NAME), text), item.data(ORDER)))
        for item in items:
            self.view.addItem(item)
            known = f"{item.text()} {words_of(item.data(NAME))}".lower()
            item.setHidden(not all(word in known for word in words))
            item.setSelected(item.data(NAME) in selected)
        found = any(not item.isHidden() for item in items)
        self.none.setText("" if found else "No channel has all of these words.")
        self.none.setVisible(not found)
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(found)

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
