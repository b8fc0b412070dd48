"""The palette: tools that add things, by section, and what can be added to the selection with one click."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.panels.base import PanelKind
from app.panels.palette.sections import ICON, Section, section_button, shrink, wrapped
from app.platform.appearance import Look, label
from app.platform.settings import Settings
from app.session.session import Session
from app.tools.suggestions import Suggestion, grouped, suggestions
from app.widgets.action_property import menu_of
from engine.elements.measures import MEASURES

SECTIONS: dict[str, tuple[str, ...]] = {  # title → actions, and menus of all kinds at the end
    "Bodies": (
        "insert.bar",
        "insert.plate",
        "insert.box",
        "insert.cylinder",
        "insert.wheel",
        "insert.sphere",
        "insert.point_mass",
        "insert.mesh",
    ),
    "Joints": (
        "insert.joint.revolute",
        "insert.joint.prismatic",
        "insert.joint.fixed",
        "insert.joint.spherical",
        "insert.joint.distance",
        "insert.joint.gear",
        "insert.ground",
        "Joint",
    ),
    "Forces and motors": (
        "insert.motor",
        "insert.motion.linear_motion",
        "insert.force.spring",
        "insert.force.force",
        "insert.force.contact",
        "Force",
    ),
    "Measures": (
        "insert.trace",
        *(f"insert.measure.{kind.name}" for kind in MEASURES if kind.between is not None),
    ),
}
MENUS = {  # a button with a list each: which sub-menus it holds
    "Joint": ("Insert/Joint",),
    "Force": ("Insert/Force", "Insert/Motion"),
}
SHORT_NAMES = {
    "insert.point_mass": "Mass",
    "insert.mesh": "Mesh",
    "insert.joint.revolute": "Pin",
    "insert.joint.prismatic": "Slider",
    "insert.joint.spherical": "Ball",
    "insert.joint.distance": "Rod",
    "insert.joint.gear": "Gears",
    "insert.motion.linear_motion": "Actuator",
    "insert.measure.distance": "Length",
}
FOLDED = "palette/folded"  # key of the settings
MAX_COLUMNS = 4
LOWEST = 240  # px: of the panel, so that the window may be small
SIDE = 4  # px beside the sections
GAP = 8  # px beside an icon


class PalettePanel(QScrollArea):
    """Buttons for the actions of the Insert menu; below them, what the selection can be given."""

    chosen = Signal(object)  # Offer

    def __init__(
        self,
        session: Session,
        look: Look,
        actions: Mapping[str, QAction],
        settings: Settings | None = None,
    ) -> None:
        super().__init__()
        self.setObjectName("palette")
        self._session, self._look, self._actions = session, look, actions
        self._settings = settings  # remember which sections are folded
        self._offers: list[Suggestion] = []  # of the selection as it is now; buttons name their place here
        self._shown: list[tuple[str, str]] | None = None
        self._filled = 0  # px: the room that offers were laid out for
        self._menus: dict[str, QToolButton] = {}
        self.sections: list[Section] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setObjectName("palette.inside")
        column = QVBoxLayout(inside)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(2)
        self.sections = [self._section(title, names) for title, names in SECTIONS.items()]
        for section in self.sections:
            column.addWidget(section)
        self._head = label("With the selection", "section", "palette.head")
        column.addWidget(self._head)
        self._suggestions = QVBoxLayout()
        self._suggestions.setSpacing(1)
        column.addLayout(self._suggestions)
        column.addStretch(1)
        self.setWidget(inside)
        self.setMinimumHeight(LOWEST)
        session.selection.changed.connect(self.refresh)
        session.document.changed.connect(self.refresh)
        look.changed.connect(self._redraw)
        if settings is not None:
            self.fold(str(settings.value(FOLDED, "")).split("|"))
        self._arrange()
        self.refresh()

    def _section(self, title: str, names: tuple[str, ...]) -> Section:
        buttons = [self._menu(name) if name in MENUS else self._tool(name) for name in names]
        return Section(title, title.split(maxsplit=1)[0].lower(), buttons)

    def _tool(self, id: str) -> QToolButton:
        button = section_button(f"palette.{id}")
        button.setDefaultAction(self._actions[id])
        if id in SHORT_NAMES:
            button.setText(SHORT_NAMES[id])
            self._actions[id].changed.connect(lambda: button.setText(SHORT_NAMES[id]))
        return button

    def _menu(self, title: str) -> QToolButton:
        """A button that opens all kinds of a sub-menu."""
        button = section_button(f"palette.{title.lower()}")
        button.setText("All…")
        button.setToolTip(f"Choose a kind of {title.lower()}")
        button.setAccessibleName(f"All kinds of {title.lower()}")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.setObjectName(f"palette.menu.{title.lower()}")
        menu.setToolTipsVisible(True)
        for action in self._actions.values():
            if menu_of(action) in MENUS[title]:
                menu.addAction(action)
        button.setMenu(menu)
        button.setIcon(self._look.icon(title.lower()))
        self._menus[title] = button
        return button

    def folded(self) -> list[str]:
        """Headings of the sections that are folded."""
        return [section.head.text() for section in self.sections if not section.head.isChecked()]

    def fold(self, titles: Collection[str]) -> None:
        """Fold these sections and no others."""
        for section in self.sections:
            section.head.setChecked(section.head.text() not in titles)

    def shutdown(self) -> None:
        """Remember what is folded."""
        if self._settings is not None:
            self._settings.set_value(FOLDED, "|".join(self.folded()))

    def _redraw(self) -> None:
        for title, button in self._menus.items():
            button.setIcon(self._look.icon(title.lower()))
        self._shown = None
        self._arrange()
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        if self._room != self._filled:
            self._filled = self._room
            self._shown = None  # what stood side by side may not fit any more
            self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Another font or style sheet makes other buttons: rows would be cut off."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and self.sections:
            self._arrange()

    def _arrange(self) -> None:
        """As many columns as names fit side by side."""
        widest = max(section.widest() for section in self.sections)
        columns = max(1, min(MAX_COLUMNS, self._room // widest))
        for section in self.sections:
            section.arrange(columns)

    def refresh(self, *_: Any) -> None:
        """Show what the selection can be given."""
        found = self._offers = suggestions(self._session.document.scene, self._session.selection.refs)
        now = [(suggestion.text, suggestion.tool) for suggestion in found]
        if now == self._shown:
            return
        self._shown = now
        while self._suggestions.count():
            item: Any = self._suggestions.takeAt(0)
            old = item.widget()
            if old is not None:
                old.hide()
                old.setParent(None)  # its name is given again before it is deleted
                old.deleteLater()
        numbers = iter(range(len(found)))
        for several in grouped(found):
            named = [(next(numbers), suggestion) for suggestion in several]
            row = self._row(several[0].group, named) if len(named) > 1 else None
            for widget in [row] if row is not None else [self._line(*one) for one in named]:
                self._suggestions.addWidget(widget)
        self._head.setVisible(bool(found))

    @property
    def _room(self) -> int:
        """Width of what stands in it, which leaves room for the scroll bar in any case.

        Rows that are laid out for the width without it bring it in; laid out anew, they let it go again.
        """
        return self.width() - 2 * self.frameWidth() - self.verticalScrollBar().sizeHint().width() - SIDE

    def _row(self, title: str, several: list[tuple[int, Suggestion]]) -> QWidget | None:
        """Offers of one sort side by side: what they do, and a button for each point; None if too wide."""
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(3)
        picture, words = QLabel(), label(title, "", f"palette.group.{several[0][0]}")
        picture.setObjectName(f"{words.objectName()}.picture")
        picture.setPixmap(self._look.icon(several[0][1].icon).pixmap(ICON))
        shrink(words)
        line.addWidget(picture)
        line.addWidget(words)
        for index, suggestion in several:
            button = self._button(index, suggestion)
            button.setProperty("role", "point")
            button.setText(suggestion.short)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            line.addWidget(button)
        line.addStretch(1)
        if row.sizeHint().width() > self._room:
            row.deleteLater()
            return None
        return row

    def _line(self, index: int, suggestion: Suggestion) -> QToolButton:
        button = self._button(index, suggestion)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIcon(self._look.icon(suggestion.icon))
        button.setText(wrapped(suggestion.text, button.fontMetrics(), self._room - ICON.width() - GAP))
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return button

    def _button(self, index: int, suggestion: Suggestion) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"palette.offer.{index}")
        button.setIconSize(ICON)
        shrink(button)
        button.setToolTip(f"{suggestion.text}, in one step")
        button.setAccessibleName(suggestion.text)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # looked up when it is clicked: two bars are offered the same words, but each is given its own
        button.clicked.connect(lambda: self.chosen.emit(self._offers[index]))
        return button


PANEL = PanelKind(
    "insert",
    "Insert",
    "insert",
    "left",
    lambda given: PalettePanel(given.session, given.look, given.actions, given.settings),
    first_tab=True,
)
