"""What every panel needs to know to look right: theme, units, icons."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QProgressBar, QSizePolicy, QToolButton, QWidget

from app.platform.icons import icon
from app.platform.theme import Theme
from app.platform.units import Units


class Look(QObject):
    """Theme and display units, with a signal when the user changes one."""

    changed = Signal()

    def __init__(self, theme: Theme | None = None, units: Units | None = None) -> None:
        super().__init__()
        self.theme = theme or Theme()
        self.units = units or Units()

    def set(self, theme: Theme, units: Units) -> None:
        if (theme, units) != (self.theme, self.units):
            self.theme, self.units = theme, units
            self.changed.emit()

    def icon(self, name: str, role: str = "text") -> QIcon:
        return icon(name, self.theme, role)


class ToolButton(QToolButton):
    """A flat button with an icon that follows the theme."""

    def __init__(self, look: Look, image: str) -> None:
        super().__init__()
        self._look, self._image = look, image
        self.setAutoRaise(True)
        self._draw()
        look.changed.connect(self._draw)

    def set_image(self, image: str) -> None:
        if image != self._image:
            self._image = image
            self._draw()

    def _draw(self) -> None:
        self.setIcon(self._look.icon(self._image))


def tool_button(look: Look, name: str, image: str, tooltip: str, *, checkable: bool = False) -> ToolButton:
    """A button with a stable name and a tooltip."""
    button = ToolButton(look, image)
    button.setObjectName(name)
    button.setToolTip(tooltip)
    button.setAccessibleName(tooltip)
    button.setCheckable(checkable)
    return button


def title_bar(panel: QWidget, name: str) -> QWidget:
    """A row for buttons: hidden until the panel's dock takes it as its title, and gone with the panel."""
    bar = QWidget(panel)
    bar.setObjectName(name)
    bar.hide()
    return bar


def thin_progress(name: str, width: int | None = None) -> QProgressBar:
    """A bar of thousandths without words, `width` pixels wide, or as wide as there is room."""
    bar = QProgressBar()
    bar.setObjectName(name)
    bar.setRange(0, 1000)
    bar.setTextVisible(False)
    bar.setFixedHeight(8)
    if width is not None:
        bar.setFixedWidth(width)
    return bar


def label(text: str, role: str = "", name: str = "") -> QLabel:
    """A label of plain text whose `role` (section, muted, wrong, title) the stylesheet knows."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    if name:
        made.setObjectName(name)
    return made


def wrap(words: QLabel) -> None:
    """Lines within the width there is: no word, however long, widens a panel and the window with it."""
    words.setWordWrap(True)
    words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)


def button_box(buttons: QDialogButtonBox.StandardButton, name: str) -> QDialogButtonBox:
    """The buttons at the foot of a dialog, each with a name: `preferences.ok`."""
    made = QDialogButtonBox(buttons)
    made.setObjectName(f"{name}.buttons")
    for button in made.buttons():
        button.setObjectName(f"{name}.{button.text().lower().replace('&', '')}")
    return made


def restyle(widget: QWidget) -> None:
    """Let the stylesheet look again at a widget whose property changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
