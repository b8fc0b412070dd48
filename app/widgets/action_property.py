"""What a QAction of the window carries beside its text: panels and dialogs below the window read it there."""

from PySide6.QtGui import QAction

MENU = "menu"  # property: path of menus, such as "View/Standard views"
ALSO = "also"  # property: words by which the command search finds it, too


def menu_of(action: QAction) -> str:
    """Path of the menus that an action stands in; empty for actions that stand in none."""
    return str(action.property(MENU) or "")


def other_words_of(action: QAction) -> str:
    """What people call it elsewhere."""
    return str(action.property(ALSO) or "")
