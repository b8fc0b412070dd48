"""Drawing with mouse and keys in a viewport: what comes of clicks and typed numbers, and of bad ones."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton

from app.document.document import EMPTY, Edit, Ref
from app.edits import Meeting, Placement, draw, drawn_bar, set_space
from app.platform.resources import scene_paths
from app.tools import TOOLS
from app.tools.connect.joint_tool import JointTool
from app.tools.snapping import grid_step
from engine.model.mass import mass_properties
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.validate import validate
from tests.app.tools.sheet import Sheet

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier


def test_bars_go_on_from_each_other_and_are_joined(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("0.2", "90")
    sheet.click(0.3, 0.3)
    sheet.click(0.3, 0.0, modifiers=CTRL)
    ends = [(joint.a.body, joint.b.body) for joint in sheet.scene.joints]
    assert ends == [("world", "bar 1"), ("bar 1", "bar 2"), ("bar 2", "bar 3"), ("world", "bar 3")]
    assert validate(sheet.scene) == []
    third = sheet.scene.body("bar 3")
    assert third.position == pytest.approx((0.3, 0.3))
    assert third.point("B").position[0] == pytest.approx(0.3)
    sheet.session.document.stack.undo()  # the bar and its two joints
    assert (len(sheet.scene.bodies), len(sheet.scene.joints)) == (2, 2)


def test_numbers_take_units_and_parameters(sheet: Sheet) -> None:
    sheet.session.document.load(sheet.scene.with_parameter("L1", 0.25))
    sheet.take("bar")
    sheet.type("10 mm", "-2 cm")
    sheet.type("2*L1", "30 deg")
    body = sheet.scene.body("bar 1")
    assert body.position == pytest.approx((0.01, -0.02))
    assert body.point("B").position[0] == "2*L1"
    assert body.angle == pytest.approx(np.radians(30.0))
    assert resolve(sheet.scene).body("bar 1").shapes[0].end[0] == pytest.approx(0.5)


def test_the_decimal_point_is_no_shortcut_while_drawing(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    for key in (Qt.Key.Key_0, Qt.Key.Key_Period):
        event = QTest.keyPress(sheet.viewport, key)
        assert event is None
    sheet.type("5", end=None)
    assert sheet.viewport.tool.entry.texts["length"] == "0.5"


def test_escape_steps_back(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("0.3", end=Qt.Key.Key_Escape)
    tool = sheet.viewport.tool
    assert (tool.entry.typing, len(tool.placed)) == (False, 1)
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Escape)
    assert tool.placed == []
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Escape)
    assert sheet.viewport.tool.id == "select"


def test_a_right_click_ends_the_chain_and_then_the_tool(sheet: Sheet) -> None:
    menus: list[object] = []
    sheet.viewport.context_requested.connect(menus.append)
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.click(0.2, 0.1)
    QTest.mouseClick(sheet.viewport, RIGHT, NONE, sheet.pixel(0.1, 0.3))
    assert (sheet.viewport.tool.id, sheet.viewport.tool.placed) == ("bar", [])
    QTest.mouseClick(sheet.viewport, RIGHT, NONE, sheet.pixel(0.1, 0.3))
    assert sheet.viewport.tool.id == "select"
    assert not menus
    sheet.viewport.context_requested.disconnect(menus.append)


def test_press_drag_release_draws_a_bar(sheet: Sheet) -> None:
    sheet.take("bar")
    QTest.mousePress(sheet.viewport, LEFT, NONE, sheet.pixel(0.0, 0.1))
    QTest.mouseMove(sheet.viewport, sheet.pixel(0.1, 0.1))
    QTest.mouseRelease(sheet.viewport, LEFT, NONE, sheet.pixel(0.2, 0.1))
    assert sheet.scene.body("bar 1").point("B").position[0] == pytest.approx(0.2)


@pytest.mark.parametrize("name", ["bar", "plate", "box", "wheel"])
def test_two_clicks_at_one_place_are_refused(sheet: Sheet, name: str) -> None:
    sheet.take(name)
    sheet.click(0.1, 0.1)
    sheet.click(0.1, 0.1)
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Return)
    assert not sheet.scene.bodies


@pytest.mark.parametrize("off", [(0.0, 0.0), (0.0, -0.001), (0.001, 0.0)])
def test_a_click_on_the_end_of_the_bar_before_begins_there(sheet: Sheet, off: tuple[float, float]) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.click(0.0, 0.2)
    sheet.click(off[0], 0.2 + off[1])
    assert "begins here" in sheet.note
    assert len(sheet.scene.bodies) == 1
    sheet.click(0.3, 0.2)
    assert sheet.scene.body("bar 2").point("B").position[0] == pytest.approx(0.3)


@pytest.mark.parametrize("text", ["abc", "1e999", "12 kg"])
def test_what_is_no_number_is_told_and_stays(sheet: Sheet, text: str) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("1", end=Qt.Key.Key_Backspace)
    sheet.viewport.tool.entry.texts["length"] = text
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Return)
    assert "length" in sheet.note
    assert not sheet.scene.bodies


def test_what_is_far_too_large_is_refused(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("1e99")
    assert "too large" in sheet.note
    assert not sheet.scene.bodies


def test_a_bar_of_negative_length_goes_the_other_way_or_not_at_all(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("-0.2", "0")
    assert "positive" in sheet.note
    assert not sheet.scene.bodies


def test_a_plate_is_closed_at_its_first_corner_and_joined_at_pins(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.click(0.2, 0.2)
    sheet.take("plate")
    for corner in ((0.2, 0.2), (0.4, 0.2), (0.3, 0.3), (0.2, 0.2)):
        sheet.click(*corner)
    plate = sheet.scene.body("plate 1")
    assert mass_properties(resolve(sheet.scene).body("plate 1"), "planar").mass == pytest.approx(
        7850.0 * 0.5 * 0.2 * 0.1 * float(plate.shapes[0].thickness)
    )
    assert [(joint.a.body, joint.b.body) for joint in sheet.scene.joints][-1] == ("bar 1", "plate 1")
    assert plate.layer != sheet.scene.body("bar 1").layer


def test_an_outline_that_crosses_itself_is_refused(sheet: Sheet) -> None:
    sheet.take("plate")
    for corner in ((0.0, 0.0), (0.2, 0.2), (0.2, 0.0), (0.0, 0.3)):
        sheet.click(*corner)
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Return)
    assert "cross" in sheet.note
    assert not sheet.scene.bodies
    assert len(sheet.viewport.tool.placed) == 4  # Esc goes back to where it was right


def test_box_cylinder_sphere_and_point_mass_by_numbers(sheet: Sheet) -> None:
    sheet.take("box")
    sheet.click(0.0, 0.0)
    sheet.type("0.2", "0.1", "50 mm")
    for name in ("cylinder", "sphere"):
        sheet.take(name)
        sheet.click(-0.3, -0.2)
        sheet.type(*(("0.1", "0.3") if name == "cylinder" else ("0.1",)))
    sheet.take("point_mass")
    sheet.type("2.5", end=None)
    sheet.click(0.3, -0.3)
    masses = [mass_properties(body, "planar").mass for body in resolve(sheet.scene).bodies]
    expected = [0.2 * 0.1 * 0.05, np.pi * 0.1**2 * 0.3, 4.0 / 3.0 * np.pi * 0.1**3]
    assert masses == pytest.approx([*(7850.0 * np.array(expected)), 2.5])
    assert sheet.scene.body("box 1").position == pytest.approx((0.1, 0.05))


def test_shapes_can_be_added_to_the_selected_body(sheet: Sheet) -> None:
    sheet.take("box")
    sheet.click(0.0, 0.0)
    sheet.click(0.2, 0.1)
    sheet.viewport.drafting.set(adding=True)
    sheet.take("sphere")
    sheet.click(0.3, 0.2)
    sheet.type("0.05")
    (body,) = sheet.scene.bodies
    assert len(body.shapes) == 2
    assert body.shapes[1].position == pytest.approx((0.2, 0.15, 0.0))  # from the middle of the box


def test_a_joint_where_two_bodies_lie_over_each_other(sheet: Sheet) -> None:
    sheet.viewport.drafting.set(joining=False, grounding=False)
    for a, b in (((-0.2, 0.0), (0.2, 0.0)), ((0.0, -0.2), (0.0, 0.2))):
        sheet.take("bar")
        sheet.click(*a, modifiers=ALT)
        sheet.click(*b, modifiers=ALT)
    sheet.take("joint.revolute")
    sheet.click(0.0, 0.0)
    tool = sheet.viewport.tool
    assert isinstance(tool, JointTool)
    assert {tool.proposal.a, tool.proposal.b} == {"bar 1", "bar 2"}
    take = sheet.viewport.findChild(QPushButton, "joint_card.take")
    assert take.isVisible()
    QTest.keyClick(take, Qt.Key.Key_Return)
    (joint,) = sheet.scene.joints
    assert sheet.session.selection.refs == (Ref("joints", joint.name),)
    assert validate(sheet.scene) == []


def test_body_body_point(sheet: Sheet) -> None:
    sheet.session.document.load(two_bars())
    sheet.take("joint.fixed")
    shift = Qt.KeyboardModifier.ShiftModifier
    sheet.click(0.05, 0.025, modifiers=shift)
    sheet.click(0.3, 0.0, modifiers=shift)
    sheet.click(-0.1, 0.2)  # away from both
    tool = sheet.viewport.tool
    assert {tool.proposal.a, tool.proposal.b} == {"bar 1", "bar 2"}
    assert tool.proposal.place.point[:2] == pytest.approx([-0.1, 0.2])


def test_one_body_alone_is_joined_to_the_ground_and_the_kind_can_be_changed(sheet: Sheet) -> None:
    sheet.viewport.drafting.set(grounding=False)
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.click(0.3, 0.0)
    sheet.take("joint.revolute")
    sheet.click(0.3, 0.0)
    kind = sheet.viewport.findChild(QComboBox, "joint_card.kind")
    kind.setCurrentIndex(kind.findData("prismatic"))
    kind.activated.emit(kind.currentIndex())
    axis = sheet.viewport.findChild(QComboBox, "joint_card.axis")
    assert axis.isVisible()
    assert axis.currentText() == "along bar 1"
    QTest.mouseClick(sheet.viewport.findChild(QPushButton, "joint_card.take"), LEFT)
    (joint,) = sheet.scene.joints
    assert type(joint).__name__ == "PrismaticSpec"
    assert joint.a.axis == pytest.approx((1.0, 0.0))


def test_clicks_beside_everything_say_what_is_missing(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.click(0.2, 0.0)
    before = sheet.scene
    for name, word in (
        ("joint.revolute", "body"),
        ("motor", "joint"),
        ("trace", "body"),
        ("force.force", "body"),
        ("force.rotational_spring", "joint"),
        ("joint.gear", "joint"),
    ):
        sheet.take(name)
        sheet.click(-0.4, 0.35)
        assert word in sheet.note, name
    assert sheet.scene is before


def any_clicks(sheet: Sheet, name: str, space: str) -> None:
    """Two bars and three pins are there; whatever is clicked with whatever tool, the scene stays sound."""
    document = sheet.session.document
    document.load(set_space(two_bars(), space).after)
    sheet.take(name)
    for p in ((0.0, 0.0), (0.2, 0.1), (0.1, 0.05), (-0.3, 0.3)):
        sheet.click(*p)
    sheet.viewport.grab()
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Return)
    assert validate(document.scene) == []


def two_bars() -> Scene:
    first = Placement(np.zeros(3), axes_along(0.2, 0.1))
    second = Placement(np.array([0.2, 0.1, 0.0]), axes_along(0.15, -0.15))
    one = drawn_bar(first, 0.05**0.5, 0.05**0.5, 0.01, [Meeting("A", point=(0.0, 0.0))])
    two = drawn_bar(second, 0.045**0.5, 0.045**0.5, 0.01, [Meeting("A", "bar 1", "B")])
    return draw(draw(EMPTY, one).after, two).after


def axes_along(x: float, y: float) -> np.ndarray:
    u = np.array([x, y, 0.0]) / np.hypot(x, y)
    return np.column_stack([u, np.cross((0.0, 0.0, 1.0), u), (0.0, 0.0, 1.0)])


SOME = ("select", "plate", "wheel", "motor", "trace", "measure.angle", "joint.fixed", "joint.rolling")
MORE = ("joint.belt", "joint.distance", "force.spring", "force.bushing", "force.torque", "joint.prismatic")


@pytest.mark.parametrize("name", [*SOME, *MORE])
def test_tools_take_any_clicks(sheet: Sheet, name: str) -> None:
    any_clicks(sheet, name, "planar")


@pytest.mark.soak
@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("name", TOOLS)
def test_any_tool_takes_any_clicks(sheet: Sheet, name: str, space: str) -> None:
    any_clicks(sheet, name, space)


def test_a_tool_in_hand_when_the_scene_is_replaced(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.session.document.open(scene_paths()["pendulum"])
    assert sheet.viewport.tool.id == "select"


def test_an_undo_while_a_bar_is_begun_forgets_what_is_gone(sheet: Sheet) -> None:
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.click(0.2, 0.0)
    sheet.session.document.stack.undo()
    assert sheet.viewport.tool.placed == []
    sheet.click(0.1, 0.1)
    sheet.click(0.1, 0.3)
    assert [joint.a.body for joint in sheet.scene.joints] == ["world"]


def test_in_space_bars_lie_on_the_work_plane(sheet: Sheet) -> None:
    document = sheet.session.document
    document.apply(set_space(document.scene, "spatial"))
    sheet.viewport.drafting.set(plane="yz", through=np.array([0.1, 0.0, 0.0]))
    sheet.take("bar")
    sheet.type("0.2", "0.1")
    sheet.type("0.3", "90")
    body = sheet.scene.body("bar 1")
    assert body.position == pytest.approx((0.1, 0.2, 0.1))
    end = sheet.viewport.view.queries.position_of(Ref("bodies", "bar 1"), "B")
    assert end == pytest.approx([0.1, 0.2, 0.4])
    (joint,) = sheet.scene.joints
    assert joint.a.axis == pytest.approx((1.0, 0.0, 0.0))  # across the work plane


# what drawing does not depend on


def test_issue_18_the_first_bar_is_as_thick_at_every_zoom(sheet: Sheet) -> None:
    radii = []
    for factor in (1.0, 0.4):
        sheet.session.document.new()
        sheet.viewport.zoom(factor)
        sheet.take("bar")
        sheet.click(0.0, 0.0)
        sheet.type("0.2", "0")
        radii.append(sheet.scene.bodies[0].shapes[0].radius)
        sheet.viewport.use_tool(None)
    assert radii[0] == radii[1]


def test_issue_18_the_middle_of_a_parametric_bar_stays_its_middle(sheet: Sheet) -> None:
    document = sheet.session.document
    document.apply(Edit("Parameter", document.scene.with_parameter("L", 0.4, unit="m")))
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("L", "0")
    sheet.viewport.use_tool(None)
    sheet.take("bar")
    sheet.click(0.2, 0.0)
    sheet.type("0.2", "60")
    joint = sheet.scene.joints[-1]
    assert joint.a.body == "bar 1"
    assert joint.a.point == ("0.5*L", 0.0)


def test_issue_18_a_joint_tool_stays_while_shift_is_held(
    sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet.viewport.drafting.set(grounding=False)
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("0.2", "0")
    for held, stays in ((Qt.KeyboardModifier.ShiftModifier, True), (Qt.KeyboardModifier.NoModifier, False)):
        monkeypatch.setattr(QGuiApplication, "keyboardModifiers", lambda held=held: held)
        if not stays:
            sheet.session.document.stack.undo()
        sheet.take("joint.revolute")
        tool = sheet.viewport.tool
        sheet.click(0.0, 0.0)
        tool.accept()
        assert len(sheet.scene.joints) == 1
        assert (sheet.viewport.tool is tool) is stays


def test_issue_18_bars_end_on_the_grid_that_is_seen_unless_shift_is_held(sheet: Sheet) -> None:
    cell = grid_step(sheet.viewport.view.camera.per_pixel)
    between = (3.44 * cell, 2.57 * cell)  # beyond what a crossing attracts
    for held, on_grid in ((NONE, True), (Qt.KeyboardModifier.ShiftModifier, False)):
        sheet.session.document.new()
        sheet.take("bar")
        assert "Shift: finer" in sheet.viewport.tool.hint
        sheet.click(*between, modifiers=held)
        sheet.type("0.2", "0")
        at = np.array(sheet.scene.body("bar 1").position[:2]) / cell
        assert bool(np.abs(at - np.round(at)).max() < 1e-9) is on_grid
        assert np.abs(at - (3.44, 2.57)).max() < (0.5 if on_grid else 0.1)


def test_issue_18_a_kept_tool_makes_several_until_it_is_put_away(sheet: Sheet) -> None:
    sheet.viewport.drafting.set(grounding=False)
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("0.2", "0")
    sheet.take("joint.revolute")
    sheet.viewport.drafting.set(keeping=True)
    tool = sheet.viewport.tool
    for x in (0.0, 0.2):
        sheet.click(x, 0.0)
        tool.accept()
    assert len(sheet.scene.joints) == 2
    assert sheet.viewport.tool is tool
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Escape)
    assert sheet.viewport.tool is not tool
    assert not sheet.viewport.drafting.keeping  # the next tool is used once again


def test_a_box_that_has_no_size_yet_has_no_depth(sheet: Sheet) -> None:
    """It began with a depth of 5e-10 m."""
    sheet.take("box")
    sheet.click(0.1, 0.1)
    tool = sheet.viewport.tool
    assert tool.shown_numbers(tool.placed[0]) == {"width": 0.0, "height": 0.0, "depth": 0.0}
    sheet.click(0.3, 0.2)
    assert sheet.scene.bodies[0].shapes[0].size == pytest.approx((0.2, 0.1, 0.05))
