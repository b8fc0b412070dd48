"""The wheel scrolls panels and leaves values alone; sliders take the width there is (issue 18)."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QSlider, QWidget
from pytestqt.qtbot import QtBot

from app.panels.inspector.inspector import InspectorPanel
from app.panels.parameters.parameters import ParametersPanel
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from engine import load_scene
from tests.app.panels.desk import Desk

NOTCH = QPoint(0, -120)


def turn_wheel(widget: QWidget) -> bool:
    """One notch down over the middle of a widget; False: Qt offers it to what the widget stands in."""
    at = widget.rect().center()
    event = QWheelEvent(
        QPointF(at),
        QPointF(widget.mapToGlobal(at)),
        QPoint(),
        NOTCH,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_the_wheel_over_a_drop_down_scrolls_the_inspector(
    desk: Desk, inspector: InspectorPanel, hand: SimpleNamespace, qtbot: QtBot
) -> None:
    desk.begin(load_scene(scene_paths()["four_bar"]))
    box = hand.find("inspector.space", QComboBox)
    before = desk.scene
    assert not turn_wheel(box)
    assert desk.scene == before
    assert box.currentText() == "planar"
    inspector.activateWindow()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    assert turn_wheel(box)  # what has the focus takes the wheel


@pytest.fixture
def parameters(desk: Desk, qtbot: QtBot, tmp_path: Path) -> ParametersPanel:
    made = ParametersPanel(desk, Look())
    qtbot.addWidget(made)
    desk.begin(load_scene(scene_paths()["four_bar"]))
    made.resize(1000, 200)
    made.show()
    return made


def test_the_wheel_over_a_slider_scrolls_the_table(parameters: ParametersPanel, desk: Desk) -> None:
    before = desk.scene
    slider = parameters.findChild(QSlider)
    assert not turn_wheel(slider)
    assert desk.scene == before


def test_sliders_take_the_width_there_is(parameters: ParametersPanel, qtbot: QtBot) -> None:
    slider = parameters.findChild(QSlider)
    narrow = slider.width()
    parameters.resize(1600, 200)
    qtbot.waitUntil(lambda: slider.width() > 1.5 * narrow)
