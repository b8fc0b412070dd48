"""The palette: tools that add things, and what can be added to the selection with one click."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.actions.insert import ACTIONS
from app.offers import Offer, offers
from app.panels.look import Look, label

COLUMNS = 3
MENUS = {  # a button with a list each: which sub-menus it holds
    "Joint": ("Insert/Joint",),
    "Force": ("Insert/Force", "Insert/Motion"),
    "Measure": ("Insert/Measure",),
}
FIRST = ("insert.joint.revolute",)  # kinds with a button of their own
SHORT = {
    "insert.point_mass": "Mass",
    "insert.joint.revolute": "Pin",
    "insert.mesh": "Mesh",
}
SMALL = 0.86  # of the font, so that names fit
NAMES = {"Measure": "Measure"}  # shorter than the plural
SPACES = ("insert.planar", "insert.spatial")
MOST = 7  # offers
ROOM = 8  # px below the buttons


class PalettePanel(QScrollArea):
    """Buttons for the actions of the Insert menu; below them, what the selection can be given."""

    chosen = Signal(object)  # Offer

    def __init__(self, session: Any, look: Look, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self.setObjectName("palette")
        self._session, self._look, self._actions = session, look, actions
        self._shown: list[tuple[str, str]] | None = None
        self._menus: dict[str, QToolButton] = {}
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setObjectName("palette.inside")
        column = QVBoxLayout(inside)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(3)
        grid = QGridLayout()
        grid.setSpacing(1)
        buttons = [self._tool(action.id) for action in ACTIONS if _has_button(action)]
        for i, button in enumerate([*buttons, *(self._menu(menu) for menu in MENUS)]):
            grid.addWidget(button, i // COLUMNS, i % COLUMNS)
        for i in range(COLUMNS):
            grid.setColumnStretch(i, 1)
        column.addLayout(grid)
        self._head = label("With the selection", "section", "palette.head")
        column.addWidget(self._head)
        self._offers = QVBoxLayout()
        self._offers.setSpacing(1)
        column.addLayout(self._offers)
        column.addStretch(1)
        self.setWidget(inside)
        self.setMinimumHeight(grid.sizeHint().height() + ROOM)
        session.selection.changed.connect(self.refresh)
        session.document.changed.connect(self.refresh)
        look.changed.connect(self._redraw)
        self.refresh()

    def _tool(self, id: str) -> QToolButton:
        button = _button(f"palette.{id}")
        button.setDefaultAction(self._actions[id])
        if id in SHORT:
            button.setText(SHORT[id])
            self._actions[id].changed.connect(lambda: button.setText(SHORT[id]))
        return button

    def _menu(self, title: str) -> QToolButton:
        """A button that opens the kinds of a sub-menu."""
        button = _button(f"palette.{title.lower()}")
        button.setText(NAMES.get(title, f"{title}s"))
        button.setToolTip(f"Choose a kind of {title.lower()}")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.setObjectName(f"palette.menu.{title.lower()}")
        menu.setToolTipsVisible(True)
        for action in ACTIONS:
            if action.menu in MENUS[title]:
                menu.addAction(self._actions[action.id])
        button.setMenu(menu)
        button.setIcon(self._look.icon(title.lower()))
        self._menus[title] = button
        return button

    def _redraw(self) -> None:
        for title, button in self._menus.items():
            button.setIcon(self._look.icon(title.lower()))
        self._shown = None
        self.refresh()

    def refresh(self, *_: Any) -> None:
        """Show what the selection can be given."""
        found = offers(self._session.document.scene, self._session.selection.refs)[:MOST]
        now = [(offer.text, offer.tool) for offer in found]
        if now == self._shown:
            return
        self._shown = now
        while self._offers.count():
            item: Any = self._offers.takeAt(0)
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for i, offer in enumerate(found):
            self._offers.addWidget(self._offer(i, offer))
        self._head.setVisible(bool(found))

    def _offer(self, index: int, offer: Offer) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"palette.offer.{index}")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIcon(self._look.icon(offer.icon))
        button.setText(offer.text)
        _shrink(button)
        button.setToolTip(f"{offer.text}, in one step")
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.chosen.emit(offer))
        return button


def _has_button(action: Any) -> bool:
    """What is on the toolbar needs no second place."""
    if action.id in SPACES or action.toolbar:
        return False
    return action.menu == "Insert" or action.id in FIRST


def _button(name: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setAutoRaise(True)
    button.setIconSize(QSize(18, 18))
    _shrink(button)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return button


def _shrink(button: QToolButton) -> None:
    font = button.font()
    font.setPointSizeF(SMALL * font.pointSizeF())
    button.setFont(font)
