"""Dialogs and menus that were open for a moment are gone afterwards: parents would keep them for ever."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from app.widgets.show_once import show_once


class Asked(QDialog):
    answer = 7

    def exec(self) -> int:
        return self.answer


class Chosen(QMenu):
    def exec(self, *at: QPoint) -> None:
        raise ValueError("whatever is done there")


@pytest.mark.usefixtures("qapp")
def test_a_parent_keeps_nothing_of_what_was_shown() -> None:
    parent = QWidget()
    dialog = Asked(parent)
    assert show_once(dialog) == 7
    assert dialog.answer == 7  # it can still be asked
    with pytest.raises(ValueError, match="whatever"):
        show_once(Chosen(parent), QPoint())
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not parent.children()
    parent.deleteLater()
