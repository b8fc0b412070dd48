"""Sections of the palette: a heading that folds, and buttons in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

CAPTION_SCALE = 0.83  # of the font, so that names fit
SIDES = 4  # px of a button beside its name
ICON = QSize(16, 16)


class Section(QWidget):
    """A heading and its buttons; `name` is the end of the object name."""

    def __init__(self, title: str, name: str, buttons: Sequence[QToolButton]) -> None:
        super().__init__()
        self.setObjectName(f"palette.section.{name}")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)  # never cut off
        self.buttons = tuple(buttons)
        self.head = QToolButton()
        self.head.setObjectName(f"palette.fold.{name}")
        self.head.setText(title)
        self.head.setToolTip(f"Fold or unfold {title.lower()}")
        self.head.setCheckable(True)
        self.head.setChecked(True)
        self.head.setAutoRaise(True)
        self.head.setProperty("role", "fold")
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.head.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.head.toggled.connect(self._fold)
        self._inside = QWidget()
        self._grid = QGridLayout(self._inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._columns = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._inside)
        self._fold(True)

    def _fold(self, shown: bool) -> None:
        self._inside.setVisible(shown)
        self.head.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)

    def widest(self) -> int:
        """Room that the longest name takes [px]."""
        return max(name_width(button) for button in self.buttons)

    def arrange(self, columns: int) -> None:
        """Put the buttons into so many columns, and take the height that they need as they look now."""
        if columns != self._columns:
            for i in range(max(columns, self._columns)):
                self._grid.setColumnStretch(i, 1 if i < columns else 0)
            self._columns = columns
            for i, button in enumerate(self.buttons):
                self._grid.addWidget(button, i // columns, i % columns)
        self._grid.invalidate()
        # at once, before the layouts around it have settled
        self._inside.setFixedHeight(self._grid.sizeHint().height())


class Tile(QToolButton):
    """A button that needs no more room than its name; others leave two blanks beside it."""

    def sizeHint(self) -> QSize:
        name = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(max(name, self.iconSize().width()) + SIDES, super().sizeHint().height())


def name_width(button: QToolButton) -> int:
    """Room that a button needs to show its name in full [px]."""
    return button.sizeHint().width()


def section_button(name: str) -> QToolButton:
    """A flat button, the name below the icon."""
    button = Tile()
    button.setObjectName(name)
    button.setAutoRaise(True)
    button.setIconSize(ICON)
    shrink(button)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    button.setProperty("role", "tile")
    return button


def wrapped(text: str, metrics: QFontMetrics, width: int) -> str:
    """The text in as many lines as it needs to be seen in full."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def shrink(widget: QWidget) -> None:
    """A smaller font."""
    font = widget.font()
    font.setPointSizeF(CAPTION_SCALE * font.pointSizeF())
    widget.setFont(font)
