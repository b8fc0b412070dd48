"""Preferences: the set of units is named by what the units are."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.preferences import PreferencesDialog
from app.platform.settings import Preferences
from app.platform.units import PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_the_set_of_units_is_named(qtbot: QtBot, name: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = PreferencesDialog(parent, Preferences(units=dict(PRESETS[name])))
    assert dialog.preset.currentText() == name
    other = dialog.units["J"]
    other.setCurrentIndex(other.findData("kJ"))
    assert dialog.preset.currentText() == "Own choice"
    other.setCurrentIndex(other.findData("J"))
    assert dialog.preset.currentText() == name


def test_choosing_a_set_changes_every_unit(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = PreferencesDialog(parent, Preferences())
    dialog.preset.setCurrentIndex(dialog.preset.findData("Millimetres, degrees, rpm"))
    dialog.preset.activated.emit(dialog.preset.currentIndex())
    assert dialog.preferences.units == PRESETS["Millimetres, degrees, rpm"]
    assert dialog.preset.currentText() == "Millimetres, degrees, rpm"
