"""What an action is: a line of the table that menus, toolbar, shortcuts and command search are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.window.actions.needs import Need

if TYPE_CHECKING:
    from app.session.session import Session
    from app.window.handlers.menu_handlers import MenuHandlers


@dataclass(frozen=True)
class Action:
    """One command of the program."""

    id: str
    text: str
    menu: str  # path of menus, such as "View/Standard views"
    icon: str
    tooltip: str
    run: Callable[[MenuHandlers], object]
    shortcut: str = ""
    needs: Need | None = None  # None: always possible
    checked: Callable[[MenuHandlers], bool] | None = None  # whether it is on; None: it is no switch
    text_now: Callable[[Session], str] | None = None  # where the text depends on what there is to do
    toolbar: bool = False
    separator: bool = False  # a line above it in the menu
    is_tool: bool = False  # on means in hand: it keeps its icon in menus, where switches have a box
    also: str = ""  # what people call it elsewhere; the command search finds it by these words

    @property
    def checkable(self) -> bool:
        return self.checked is not None

    def enabled(self, session: Session) -> bool:
        """Whether it is possible now."""
        return self.needs is None or self.needs.holds(session)

    def row(self) -> dict[str, Any]:
        """What `trammel list actions` shows."""
        return {
            "id": self.id,
            "text": self.text,
            "menu": self.menu,
            "shortcut": self.shortcut,
            "tooltip": self.tooltip,
            "enabled": self.needs is None,
            "needs": self.needs.name if self.needs is not None else "",
        }
