"""The axis of a joint that is being made: typed, picked by two points, and what is no direction."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton

from app.document.document import Edit
from app.edits import set_space
from app.tools.connect.direction_text import DirectionError, direction_text, read_direction
from engine.system.compiling.compile import compile_scene
from tests.app.tools.sheet import LEFT, Sheet


def part(sheet: Sheet, kind: type, name: str):
    return sheet.viewport.findChild(kind, f"joint_card.{name}")


def proposed(sheet: Sheet, space: str, kind: str) -> None:
    """A bar along x from the origin, and a joint with the ground at its end, not made yet."""
    document = sheet.session.document
    document.apply(set_space(document.scene, space))
    if space == "spatial":
        sheet.viewport.show_view("front")
    sheet.viewport.drafting.set(grounding=False)
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("0.3", "0")
    sheet.take(f"joint.{kind}")
    sheet.click(0.3, 0.0)
    assert part(sheet, QLineEdit, "direction").isVisible()


def write(sheet: Sheet, text: str, *, end: Qt.Key | None = None) -> None:
    line = part(sheet, QLineEdit, "direction")
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    if end is not None:
        QTest.keyClick(line, end)


def test_any_direction_can_be_typed_and_is_shown_before_the_joint_is_made(sheet: Sheet) -> None:
    proposed(sheet, "spatial", "revolute")
    before = sheet.viewport.grab().toImage()
    write(sheet, "1, 0, 0.5")
    want = np.array([1.0, 0.0, 0.5]) / np.sqrt(1.25)
    np.testing.assert_allclose(sheet.viewport.tool.proposal.axis.direction, want, atol=1e-15)
    assert part(sheet, QComboBox, "axis").currentText() == "as typed"
    assert sheet.viewport.grab().toImage() != before  # the axis is drawn where it would be
    write(sheet, "1, 0, 0.5", end=Qt.Key.Key_Return)
    (joint,) = sheet.scene.joints
    given = np.array(joint.a.axis) / np.linalg.norm(joint.a.axis)
    np.testing.assert_allclose(given, want, atol=1e-9)
    assert sheet.session.document.stack.undoText()
    sheet.session.document.stack.undo()
    assert sheet.scene.joints == ()


WRONG = {
    "0, 0, 0": "zero",
    "nan, 0, 1": "x",
    "1, 0": "3 numbers",
    " ": "missing",
    "1, , 0": "y",
    "1, 0, 1/0": "z",
    "1e999, 0, 0": "x",
    "hello": "3 numbers",
}


def test_what_is_no_direction_is_told_in_red_and_makes_no_joint(sheet: Sheet) -> None:
    proposed(sheet, "spatial", "revolute")
    line, note = part(sheet, QLineEdit, "direction"), part(sheet, QLabel, "note")
    for text, words in WRONG.items():
        write(sheet, text, end=Qt.Key.Key_Return)
        assert sheet.scene.joints == ()
        assert note.isVisible()
        assert note.text().startswith("Axis: ")
        assert words in note.text()
        assert note.property("role") == "wrong"
        assert line.property("wrong")
        assert not part(sheet, QPushButton, "take").isEnabled()
    sheet.viewport.grab()
    write(sheet, "0 2 0", end=Qt.Key.Key_Return)  # put right
    assert sheet.scene.joints[0].a.axis == pytest.approx((0.0, 1.0, 0.0))


def test_the_axis_through_two_points_that_are_clicked(sheet: Sheet) -> None:
    proposed(sheet, "planar", "prismatic")
    QTest.mouseClick(part(sheet, QPushButton, "between"), LEFT)
    assert "first" in sheet.viewport.tool.hint
    sheet.click(0.1, 0.1)
    assert "second" in sheet.viewport.tool.hint
    sheet.viewport.grab()
    sheet.click(0.1, 0.1)  # the same place again: refused
    assert "another one" in sheet.note
    sheet.click(0.2, 0.2)
    assert part(sheet, QLineEdit, "direction").text() == "1, 1"
    assert part(sheet, QComboBox, "axis").currentText() == "through two points"
    QTest.mouseClick(part(sheet, QPushButton, "take"), LEFT)
    (joint,) = sheet.scene.joints
    np.testing.assert_allclose(np.array(joint.a.axis), np.sqrt([0.5, 0.5]), atol=1e-9)
    assert joint.a.point == pytest.approx((0.3, 0.0))  # it stays where it was put


def test_escape_leaves_the_picking_then_the_joint(sheet: Sheet) -> None:
    proposed(sheet, "planar", "prismatic")
    QTest.mouseClick(part(sheet, QPushButton, "between"), LEFT)
    sheet.click(0.1, 0.1)
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Escape)
    assert part(sheet, QLineEdit, "direction").isVisible()
    QTest.keyClick(part(sheet, QLineEdit, "direction"), Qt.Key.Key_Escape)
    assert sheet.viewport.tool.proposal is None
    assert sheet.scene.joints == ()


def test_a_typed_axis_stays_when_the_kind_is_changed(sheet: Sheet) -> None:
    proposed(sheet, "spatial", "revolute")
    write(sheet, "0, 1, 1")
    kind = part(sheet, QComboBox, "kind")
    kind.setCurrentIndex(kind.findData("cylindrical"))
    kind.activated.emit(kind.currentIndex())
    assert part(sheet, QLineEdit, "direction").text() == "0, 1, 1"


@pytest.mark.parametrize(
    ("text", "count", "want"),
    [
        ("1, 0, 0.5", 3, (1.0, 0.0, 0.5)),
        ("(1; 0,5; 0)", 3, (1.0, 0.5, 0.0)),
        ("[1 -2 2]", 3, (1.0, -2.0, 2.0)),
        ("cos(a), sin(a), max(0, 1)", 3, (0.0, 1.0, 1.0)),
        ("3e200, 4e200", 2, (3.0, 4.0, 0.0)),
        ("-1e-300, 0", 2, (-1.0, 0.0, 0.0)),
    ],
)
def test_ways_to_write_a_direction(text: str, count: int, want: tuple[float, ...]) -> None:
    found = read_direction(text, count, {"a": np.pi / 2})
    np.testing.assert_allclose(found, np.array(want) / np.linalg.norm(want), atol=1e-15)
    again = read_direction(direction_text(found, count), count, {})
    np.testing.assert_allclose(again, found, atol=1e-4)


def test_a_direction_of_the_plane_has_two_numbers() -> None:
    with pytest.raises(DirectionError, match="2 numbers"):
        read_direction("1, 2, 3", 2, {})


def test_a_wheel_rolls_about_the_axis_of_its_cylinder(sheet: Sheet) -> None:
    """Seen from the front a disc lies in zx, its axle along y; the plane that it touches is across z."""
    document = sheet.session.document
    document.apply(set_space(document.scene, "spatial"))
    turned = {"axis": [1, 0, 0], "angle": np.pi / 2}
    disc = {"kind": "cylinder", "radius": 0.1, "length": 0.02, "orientation": turned}
    scene = document.scene.with_body("disc", position=[0, 0, 0.1], mass=1.0, shapes=[disc])
    document.apply(Edit("Add a disc", scene))
    sheet.viewport.show_view("front")
    sheet.take("joint.rolling")
    sheet.click(0.0, 0.05)
    write(sheet, "0, 0, 1", end=Qt.Key.Key_Return)
    (joint,) = sheet.scene.joints
    assert joint.radius == pytest.approx(0.1)
    np.testing.assert_allclose(np.abs(joint.b.axis), [0.0, 1.0, 0.0], atol=1e-9)
    assert len(compile_scene(sheet.scene).rows) == 3
