"""Dialogs and menus that are there for a moment."""

from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QMenu
from shiboken6 import isValid


def show_once(shown: QDialog | QMenu, *at: QPoint) -> Any:
    """Show it, wait for its answer, and let it go with all that it holds: its parent would keep it for ever.

    It can still be asked until the event loop goes on.
    """
    try:
        return shown.exec(*at)
    finally:
        if isValid(shown):  # its parent may have gone meanwhile
            shown.deleteLater()
