"""Adding a measure: channels are offered and quoted, mistakes are told at once, the unit is kept."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.channels.measure import MeasureDialog
from app.session.recorded.run import Run
from engine import Scene
from engine.simulation.live.live_simulation import LiveSimulation


def run() -> Run:
    scene = (
        Scene(space="planar")
        .with_body("bar 1", mass=1.0, inertia=[1.0])
        .with_joint("revolute", "pin 1", a={"body": "world"}, b={"body": "bar 1", "point": [0.1, 0.0]})
        .with_measure("angle", "angle 1", a={"body": "world"}, b={"body": "bar 1"})
    )
    simulation = LiveSimulation(scene)
    simulation.advance(0.01)
    return Run(1, scene, record=simulation.record)


def test_issue_18_default_names_are_taken_with_their_unit(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = MeasureDialog(parent, run())
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled()
    QTest.keyClicks(dialog.line, "2*measure.angle 1")
    assert ok.isEnabled()
    assert dialog.expression == '2*measure."angle 1"'
    assert dialog.unit == "rad"
    dialog.line.setText("joint.pin 1.angel")
    assert not ok.isEnabled()
    assert "angel" in dialog.note.text()


def test_issue_18_a_channel_is_offered_and_inserted(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = MeasureDialog(parent, run())
    QTest.keyClicks(dialog.line, "1 + joint.pin")
    shown = [dialog.offered.item(i) for i in range(dialog.offered.count())]
    shown = [item for item in shown if not item.isHidden() and item.text().startswith("joint.pin 1.angle ")]
    assert len(shown) == 1
    dialog.offered.itemActivated.emit(shown[0])
    assert dialog.expression == '1 + joint."pin 1".angle'
    assert dialog.unit == "rad"
    QTest.keyClicks(dialog.unit_line, "x")
    typed = dialog.unit
    dialog.line.setText("t")
    assert dialog.unit == typed  # what was typed stays
