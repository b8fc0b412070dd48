"""Numbers with either decimal mark, typed into the boxes of dialogs."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.exporting.base import real_box
from app.dialogs.preferences import PreferencesDialog
from app.platform.settings import Preferences
from app.widgets.decimal_box import DecimalBox


@pytest.mark.parametrize(
    ("typed", "value"), [("1,5", 1.5), ("1.5", 1.5), ("2,25 s", 2.25), (",5", 0.5), ("7", 7.0)]
)
def test_a_comma_is_a_decimal_mark(qtbot: QtBot, typed: str, value: float) -> None:
    """1,5 was taken for 15 without a word."""
    box = real_box("film.speed", 3.0, 0.0, 100.0, " s")
    qtbot.addWidget(box)
    box.show()
    box.selectAll()
    qtbot.keyClicks(box, typed)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == value
    assert box.text() == f"{value:.3f} s"


def test_preferences_take_it_too(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = PreferencesDialog(parent, Preferences())
    for box in (dialog.memory, dialog.font_size):
        assert isinstance(box, DecimalBox)
    dialog.memory.selectAll()
    qtbot.keyClicks(dialog.memory, "1,5")
    assert dialog.memory.value() == 1.5
