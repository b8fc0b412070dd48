"""The inspector on real widgets: every edit is one undo step, wrong text stays, several elements at once."""

import math
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QToolTip

from app.document.document import Edit, Ref
from app.panels.inspector.inspector import InspectorPanel
from app.panels.inspector.listed_fields import lines_for
from app.platform.plain_text import unbroken
from app.platform.resources import scene_paths
from app.widgets.editors.base import Editor
from app.widgets.editors.orientation import euler_angles, euler_rotation
from engine import Scene, load_scene
from engine.elements.base import AxisAngle, Table
from engine.elements.bodies.shapes import SHAPES
from engine.model.mass import rotation
from engine.model.scene import LISTS
from engine.model.set_value import set_value
from tests.app.panels.desk import Desk
from tests.gallery.checks import cut_texts

BODY, OTHER = Ref("bodies", "link"), Ref("bodies", "arm")


def planar() -> Scene:
    return (
        Scene(space="planar")
        .with_parameter("L", 0.4, unit="m", min=0.1, max=1.0)
        .with_body("link", mass=1.0, points=[{"name": "A", "position": [0.0, 0.0]}])
        .with_body("arm", mass=2.0, position=["L", 0.0])
        .with_joint("revolute", "J", a={"body": "world"}, b={"body": "link", "point": "A"})
        .with_motion("joint_motion", "M", joint="J", function="0.5*t")
    )


def spatial() -> Scene:
    return (
        Scene()
        .with_body("link", mass=1.0)
        .with_body("arm", mass=1.0, orientation={"axis": [0.0, 0.0, 1.0], "angle": 0.3})
        .with_joint("revolute", "J", a={"body": "world", "axis": [0.0, 0.0, 1.0]}, b={"body": "link"})
    )


# numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [("25 mm", 0.025), ("1,5", 1.5), ("L/2", "L/2"), ("L + 25 mm", "L + 25 mm"), ("2 in", 0.0508)],
)
def test_a_number_takes_units_a_decimal_comma_and_parameters(
    desk: Desk, hand: SimpleNamespace, text: str, value: float | str
) -> None:
    desk.begin(planar(), BODY)
    hand.type("inspector.position.0", text)
    assert desk.scene.body("link").position[0] == value
    assert desk.steps == 1
    desk.document.stack.undo()
    assert desk.scene == planar()


def test_a_decimal_comma_works_inside_an_expression(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(planar(), BODY)
    hand.type("inspector.mass", "1,5*L")
    assert desk.scene.body("link").mass == "1.5*L"
    hand.type("inspector.mass", "max(1, L)")
    assert desk.scene.body("link").mass == "max(1, L)"


def test_a_field_says_what_it_means_where_it_is_typed(desk: Desk, inspector: InspectorPanel) -> None:
    """Its title alone did, and called an empty field null, as files do."""
    desk.document.load(planar())
    desk.selection.set([BODY])
    line = inspector.findChild(QLineEdit, "inspector.mass")
    assert line is not None
    at = line.rect().center()
    QApplication.sendEvent(line, QHelpEvent(QEvent.Type.ToolTip, at, line.mapToGlobal(at)))
    assert QToolTip.text() == "1 kg\nempty: from the shapes' densities\nunit: kg"
    QToolTip.hideText()


def test_wrong_text_stays_red_with_the_reason_until_it_is_right(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(planar(), BODY)
    line = hand.type("inspector.mass", "-1")
    assert line.text() == "-1"
    assert line.property("wrong")
    assert "at least 0" in hand.find("inspector.mass.reason", QLabel).text()
    hand.type("inspector.opacity", "0.5")  # another edit does not sweep the wrong text away
    assert line.text() == "-1"
    assert desk.steps == 1
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "1"
    assert not hand.find("inspector.mass.reason", QLabel).text()


def test_a_field_goes_back_to_its_default(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(planar(), BODY)
    hand.type("inspector.opacity", "0.25")
    assert hand.find("inspector.opacity.reset").isVisible()
    hand.click("inspector.opacity.reset")
    assert desk.scene.body("link").opacity == 1.0
    assert not hand.find("inspector.opacity.reset").isVisible()
    assert desk.steps == 2


# several elements


def test_several_elements_are_edited_together_in_one_step(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(planar(), BODY, OTHER)
    line = hand.find("inspector.mass")
    assert line.text() == ""
    assert line.placeholderText() == "several"
    hand.type("inspector.mass", "3")
    assert [desk.scene.body(name).mass for name in ("link", "arm")] == [3.0, 3.0]
    assert desk.steps == 1


def test_only_the_typed_component_becomes_the_same(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(planar(), BODY, OTHER)
    assert hand.find("inspector.position.0").placeholderText() == "…"
    assert hand.find("inspector.position.1").text() == "0"
    hand.type("inspector.position.1", "0.2")
    assert desk.scene.body("link").position[:2] == (0.0, 0.2)
    assert desk.scene.body("arm").position[:2] == ("L", 0.2)
    assert desk.steps == 1


# directions and poses


def test_a_direction_has_presets_flips_and_is_normalised(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(spatial(), Ref("joints", "J"))

    def axis() -> tuple[float, ...]:
        return desk.scene.joint("J").a.axis

    assert hand.find("inspector.a.axis.axis").currentText() == "z"
    hand.choose("inspector.a.axis.axis", "−x")
    assert axis() == (-1.0, 0.0, 0.0)
    hand.click("inspector.a.axis.flip")
    assert axis() == (1.0, 0.0, 0.0)
    hand.choose("inspector.a.axis.axis", "free")
    assert hand.find("inspector.a.axis.1").isVisible()
    hand.type("inspector.a.axis.1", "2")
    assert axis() == (1.0, 2.0, 0.0)
    assert hand.find("inspector.a.axis.axis").currentText() == "free"
    hand.click("inspector.a.axis.normalise")
    assert math.hypot(*axis()) == pytest.approx(1.0, abs=1e-15)
    assert desk.steps == 4
    hand.choose("inspector.a.axis.axis", "automatic")
    assert axis() is None


def test_euler_angles_are_turns_about_x_then_y_then_z() -> None:
    rng = np.random.default_rng(5)
    for angles in rng.uniform(-1.5, 1.5, (20, 3)):
        R = euler_rotation(angles)
        turns = [rotation(AxisAngle(axis=axis, angle=a)) for axis, a in zip(np.eye(3), angles, strict=True)]
        np.testing.assert_allclose(R, turns[2] @ turns[1] @ turns[0], atol=1e-14)
        np.testing.assert_allclose(euler_angles(R), angles, atol=1e-12)
    for angles in ((0.3, math.pi / 2, 0.0), (0.3, -math.pi / 2, 0.0)):
        np.testing.assert_allclose(euler_angles(euler_rotation(angles)), angles, atol=1e-7)


def test_an_orientation_is_typed_as_angles_and_stored_as_a_quaternion(
    desk: Desk, hand: SimpleNamespace
) -> None:
    desk.begin(spatial(), BODY)
    for axis, text in enumerate(("30", "100", "-20")):
        hand.type(f"inspector.orientation.euler.{axis}", text)
    assert [hand.find(f"inspector.orientation.euler.{i}").text() for i in range(3)] == ["30", "100", "-20"]
    stored = desk.scene.body("link").orientation
    assert isinstance(stored, tuple)
    wanted = euler_rotation(np.radians([30.0, 100.0, -20.0]))
    np.testing.assert_allclose(rotation(stored), wanted, atol=1e-14)
    assert desk.steps == 3


def test_an_axis_and_angle_stay_an_axis_and_angle(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(spatial(), OTHER)
    assert hand.find("inspector.orientation.form").currentText() == "axis and angle"
    hand.type("inspector.orientation.angle", "45")
    stored = desk.scene.body("arm").orientation
    assert isinstance(stored, AxisAngle)
    assert stored.angle == pytest.approx(math.pi / 4)
    assert stored.axis == (0.0, 0.0, 1.0)
    hand.choose("inspector.orientation.form", "Euler angles")
    hand.type("inspector.orientation.euler.2", "90")
    assert isinstance(desk.scene.body("arm").orientation, AxisAngle)
    np.testing.assert_allclose(
        rotation(desk.scene.body("arm").orientation) @ [1, 0, 0], [0, 1, 0], atol=1e-12
    )


def test_a_quaternion_of_zeros_is_refused(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(spatial(), BODY)
    hand.choose("inspector.orientation.form", "quaternion")
    hand.type("inspector.orientation.0", "0")
    assert desk.scene.body("link").orientation == (1.0, 0.0, 0.0, 0.0)
    assert "no rotation" in hand.find("inspector.orientation.reason", QLabel).text()


# points and shapes


def test_points_are_added_renamed_and_removed(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(planar(), BODY)
    hand.click("inspector.points.add")
    assert [p.name for p in desk.scene.body("link").points] == ["A", "P1"]
    hand.type("inspector.points.P1.position.0", "40 cm")
    assert desk.scene.body("link").point("P1").position == (0.4, 0.0)
    hand.type("inspector.points.A.name", "pin")
    assert desk.scene.joint("J").b.point == "pin"
    line = hand.type("inspector.points.pin.name", "P1")
    assert line.property("wrong")
    assert "taken" in hand.find("inspector.points.pin.position.reason", QLabel).text()
    hand.click("inspector.points.pin.remove")
    assert [p.name for p in desk.scene.body("link").points] == ["P1"]
    assert desk.scene.joint("J").b.point == (0.0, 0.0)
    assert desk.steps == 4


@pytest.mark.parametrize("kind", list(SHAPES), ids=lambda kind: kind.name)
def test_every_kind_of_shape_is_added_and_removed(
    desk: Desk, hand: SimpleNamespace, kind, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "app.widgets.editors.file.QFileDialog.getOpenFileName", lambda *a: (str(tmp_path / "part.stl"), "")
    )
    desk.begin(spatial(), BODY)
    menu = hand.find("inspector.shapes.add").menu()
    (action,) = [a for a in menu.actions() if a.objectName() == f"inspector.shapes.add.{kind.name}"]
    assert not action.icon().isNull()
    action.trigger()
    (shape,) = desk.scene.body("link").shapes
    assert isinstance(shape, kind.spec)
    assert not desk.document.problems
    hand.click("inspector.shapes.0.copy")
    assert len(desk.scene.body("link").shapes) == 2
    hand.click("inspector.shapes.1.remove")
    assert desk.scene.body("link").shapes == (shape,)
    assert desk.steps == 3


def test_the_corners_of_an_outline_are_a_table(desk: Desk, hand: SimpleNamespace) -> None:
    corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    shape = {"kind": "outline", "points": corners, "thickness": 0.1}
    desk.begin(Scene(space="planar").with_body("plate", mass=1.0, shapes=[shape]), Ref("bodies", "plate"))
    grid = hand.find("inspector.shapes.0.points.grid")
    assert grid.rowCount() == 3
    grid.item(1, 0).setText("50 cm")
    assert desk.scene.body("plate").shapes[0].points[1] == (0.5, 0.0)
    grid.item(1, 0).setText("five")
    assert "row 2" in hand.find("inspector.shapes.0.points.reason", QLabel).text()
    assert desk.steps == 1
    grid.selectRow(0)
    hand.click("inspector.shapes.0.points.remove")  # a triangle cannot lose a corner
    assert desk.steps == 1
    grid.setCurrentCell(2, 0)
    hand.click("inspector.shapes.0.points.add")
    assert len(desk.scene.body("plate").shapes[0].points) == 4
    assert desk.steps == 2


# functions and tables


def test_a_function_becomes_a_table_and_is_edited(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(planar(), Ref("motions", "M"))
    hand.choose("inspector.function.form", "table")
    table = desk.scene.motion("M").function
    assert isinstance(table, Table)
    assert table.points[-1] == (10.0, pytest.approx(5.0))  # 0.5 t at the end of the run
    grid = hand.find("inspector.function.table.grid")
    assert grid.horizontalHeaderItem(1).text() == "value [deg]"
    grid.item(0, 1).setText("90")
    assert desk.scene.motion("M").function.points[0][1] == pytest.approx(math.pi / 2)
    assert hand.find("inspector.function.preview").isVisible()
    hand.choose("inspector.function.table.interpolation", "cubic")
    assert desk.scene.motion("M").function.interpolation == "cubic"
    assert desk.steps == 3
    hand.choose("inspector.function.form", "number or expression")
    assert desk.scene.motion("M").function == pytest.approx(math.pi / 2)


@pytest.mark.parametrize(
    "text",
    [
        "0\t0\n1\t90\n2\t45",
        "time;angle\n0;0\n1;90\n2;45",
        "0 0\n1 90\n2 45",
        "0,0\t0,0\n1,0\t90,0\n2,0\t45,0",
    ],
)
def test_rows_are_pasted_from_a_spreadsheet(desk: Desk, hand: SimpleNamespace, text: str) -> None:
    scene = planar()
    table = Table(points=((0.0, 0.0), (5.0, 1.0)))
    desk.begin(scene.replace(msgspec.structs.replace(scene.motion("M"), function=table)), Ref("motions", "M"))
    QGuiApplication.clipboard().setText(text)
    hand.click("inspector.function.table.paste")
    points = desk.scene.motion("M").function.points
    assert [t for t, _ in points] == [0.0, 1.0, 2.0]
    assert [value for _, value in points] == pytest.approx([0.0, math.pi / 2, math.pi / 4])
    assert desk.steps == 1


def test_a_table_out_of_order_is_told_and_sorted(desk: Desk, hand: SimpleNamespace) -> None:
    scene = planar()
    table = Table(points=((0.0, 0.0), (2.0, 1.0), (1.0, 0.5)))
    desk.begin(scene.replace(msgspec.structs.replace(scene.motion("M"), function=table)), Ref("motions", "M"))
    assert "not later" in hand.find("inspector.function.reason", QLabel).text()
    hand.click("inspector.function.table.sort")
    assert desk.scene.motion("M").function.points == ((0.0, 0.0), (1.0, 0.5), (2.0, 1.0))
    assert not hand.find("inspector.function.reason", QLabel).text()
    QGuiApplication.clipboard().setText("nothing here")
    hand.click("inspector.function.table.paste")
    assert desk.steps == 1
    assert hand.find("inspector.function.reason", QLabel).text()


def test_the_unit_of_a_motion_follows_its_coordinate(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(planar(), Ref("motions", "M"))
    assert hand.find("inspector.function.title", QLabel).text() == "Function [rad]"  # of a formula: SI
    hand.type("inspector.function", "30")
    assert hand.find("inspector.function.title", QLabel).text() == "Function [deg]"
    hand.choose("inspector.level", "velocity")
    assert hand.find("inspector.function.title", QLabel).text() == f"Function [{unbroken('rad/s')}]"


def test_the_label_of_a_problem_stands_above_the_form(desk: Desk, hand: SimpleNamespace) -> None:
    scene = planar()
    joint = scene.joint("J")
    broken = msgspec.structs.replace(joint, b=msgspec.structs.replace(joint.b, body="nobody"))
    desk.begin(scene.replace(broken), Ref("joints", "J"))
    assert "nobody" in hand.find("inspector.problems", QLabel).text()


NARROW = 262  # px, what the window gives the inspector at 1280 x 800


def test_no_form_is_wider_than_the_panel(desk: Desk, inspector: InspectorPanel) -> None:
    """One element of every kind of the shipped scenes, in the plane and in space, and one scene of each."""
    inspector.resize(NARROW, 500)
    shown: set[tuple[str, type]] = set()
    for path in scene_paths().values():
        scene = load_scene(path)
        items = [(Ref(where, item.name), type(item)) for where in LISTS for item in getattr(scene, where)]
        new = [(ref, kind) for ref, kind in [(None, Scene), *items] if (scene.space, kind) not in shown]
        shown |= {(scene.space, kind) for _, kind in new}
        if new:
            desk.begin(scene)
        for ref, kind in new:
            desk.selection.set([ref] if ref else [])
            room = inspector._area.width() - inspector._area.verticalScrollBar().sizeHint().width()
            assert inspector._area.widget().minimumSizeHint().width() <= room, (path.stem, kind)
    assert len(shown) > 25


@pytest.mark.parametrize(
    "name", ["andrews", "cardan_shaft", "flyball_governor", "stewart_platform", "tether"]
)
def test_no_text_is_cut_off(inspector: InspectorPanel, desk: Desk, name: str) -> None:
    """In the narrow form of a small window, every element of these scenes."""
    inspector.resize(235, 700)
    scene = load_scene(scene_paths()[name])
    desk.begin(scene)
    for where in ("bodies", "joints", "forces", "motions", "measures", "traces", "parameters"):
        for item in {type(item): item for item in getattr(scene, where)}.values():
            desk.selection.set([Ref(where, item.name)])
            QApplication.processEvents()
            assert cut_texts(inspector) == [], f"{where} {item.name}"


def test_issue_18_a_planar_body_turns_about_one_axis(
    desk: Desk, inspector: InspectorPanel, hand: SimpleNamespace
) -> None:
    def named(word: str) -> list[QLineEdit]:
        lines = inspector.findChildren(QLineEdit)
        return [line for line in lines if word in line.objectName() and line.isVisibleTo(inspector)]

    desk.begin(planar(), BODY)
    assert len(named("angular_velocity")) == 1
    hand.type("inspector.angular_velocity.2", "2 rad/s")
    assert desk.scene.body("link").angular_velocity == (0.0, 0.0, 2.0)
    desk.begin(
        planar().with_force("torque", "T", body="link", components=[0.0, 0.0, 3.0]), Ref("forces", "T")
    )
    assert [line.text() for line in named("components")] == ["3"]


@pytest.mark.parametrize(
    ("typed", "kept", "heading"),
    [
        ("60 rpm*t", "60 rpm*t", "Function [rad]"),
        ("120 deg*t", "120 deg*t", "Function [rad]"),
        ("2*t", "2*t", "Function [rad]"),
        ("90", math.pi / 2, "Function [deg]"),
        ("0.25 rev", "0.25 rev", "Function [rad]"),
    ],
)
def test_issue_18_functions_keep_units_and_the_heading_is_true(
    desk: Desk, inspector: InspectorPanel, hand: SimpleNamespace, typed: str, kept: object, heading: str
) -> None:
    """A bare number counts in the unit of the heading, in a formula too."""
    desk.begin(planar(), Ref("motions", "M"))
    hand.type("inspector.function", typed)
    assert desk.scene.motion("M").function == kept
    assert inspector.findChildren(QLabel, "inspector.function.title")[-1].text() == heading


def test_a_unit_of_another_sort_is_refused_where_no_time_can_make_up_for_it(
    desk: Desk, hand: SimpleNamespace
) -> None:
    desk.begin(planar(), BODY)
    line = hand.type("inspector.position.0", "L + 2 kg")
    assert line.property("wrong")
    assert desk.steps == 0


def test_several_bars_have_one_length_radius_density_and_colour(desk: Desk, hand: SimpleNamespace) -> None:
    scene = Scene(space="planar")
    for i, length in enumerate((0.2, 0.3)):
        rod = {"kind": "rod", "start": [0, 0, 0], "end": [length, 0, 0], "radius": 0.01, "density": 7850.0}
        ends = [{"name": "A", "position": [0.0, 0.0]}, {"name": "B", "position": [length, 0.0]}]
        scene = scene.with_body(f"bar {i}", position=[0.0, 0.1 * i], shapes=[rod], points=ends)
    desk.begin(scene, Ref("bodies", "bar 0"), Ref("bodies", "bar 1"))
    hand.type("inspector.bars.length", "250 mm")
    hand.type("inspector.shapes.radius", "5 mm")
    hand.type("inspector.shapes.density", "2700")
    for body in desk.scene.bodies:
        (rod,) = body.shapes
        assert rod.end[0] == pytest.approx(0.25)
        assert body.point("B").position[0] == pytest.approx(0.25)
        assert (rod.radius, rod.density) == (0.005, 2700.0)


def test_issue_17_an_editor_that_answers_late_is_heard(desk: Desk, hand: SimpleNamespace) -> None:
    """A popup may still be open when something else is selected."""
    desk.begin(planar(), BODY)
    editor = hand.find("inspector.opacity").parentWidget()
    assert isinstance(editor, Editor)
    desk.selection.set(())
    editor.committed.emit(0.5)
    assert desk.scene.body("link").opacity == 0.5


@pytest.mark.parametrize("width", [190, 230, 300])
def test_mass_properties_are_never_cut_off(
    desk: Desk, inspector: InspectorPanel, hand: SimpleNamespace, width: int
) -> None:
    """Wrapped lines lay over each other when the form was shown for the first time."""
    inspector.resize(width, 500)
    shape = {"kind": "box", "size": [0.1, 0.2, 0.3], "density": 2700.0}
    desk.begin(Scene(space="spatial").with_body("stone", shapes=[shape]), Ref("bodies", "stone"))
    QApplication.processEvents()
    assert hand.find("inspector.mass.title").text() == "Mass properties, from the shapes"
    for part in ("title", "mass", "com", "inertia"):
        text = hand.find(f"inspector.mass.{part}")
        assert text.height() >= text.heightForWidth(text.width()), (part, text.text())


# how much of it follows an edit


def test_an_edit_is_shown_by_the_editors_of_what_it_changed(
    desk: Desk, hand: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others are left alone, unless a parameter changes, of which any text may be a formula."""
    desk.begin(planar(), BODY)
    shown: list[Editor] = []
    show = Editor.show_values
    monkeypatch.setattr(
        Editor, "show_values", lambda self, values: (shown.append(self), show(self, values))[1]
    )
    desk.document.apply(Edit("Change mass", set_value(desk.scene, "bodies.link.mass", 3.0)))
    assert len(shown) == 1
    assert hand.find("inspector.mass", QLineEdit).text().startswith("3")
    shown.clear()
    desk.document.apply(Edit("Change L", set_value(desk.scene, "parameters.L.value", 0.5)))
    assert len(shown) > 5


def test_what_was_typed_and_not_taken_gives_way_to_the_value(desk: Desk, hand: SimpleNamespace) -> None:
    """The same number in other words changes nothing; the next edit shows it as all numbers are shown."""
    desk.begin(planar(), BODY)
    before = hand.find("inspector.mass", QLineEdit).text()
    hand.type("inspector.mass", "1.000")
    assert desk.steps == 0
    desk.document.apply(Edit("Change colour", set_value(desk.scene, "bodies.link.notes", "changed")))
    assert hand.find("inspector.mass", QLineEdit).text() == before


def pushed(**fields: object) -> Scene:
    return planar().with_force(
        "contact", "push", a={"body": "link"}, b={"body": "arm", "point": [0, 0]}, shape_b="sphere", **fields
    )


def test_fields_that_a_law_of_contact_does_not_read_are_left_out() -> None:
    """A rigid contact showed a stiffness, an exponent and a length of shapes that have none."""

    def shown(**fields: object) -> set[str]:
        return {line.path for line in lines_for(pushed(**fields), (Ref("forces", "push"),))}

    rigid = shown(law="rigid")
    assert {"law", "restitution", "friction", "static_friction", "radius_b"} <= rigid
    assert rigid == shown(law="rigid", stiffness=1e5, damping=50.0)  # as the tool makes it, for other laws
    never = {"stiffness", "exponent", "damping", "impact_speed", "smoothing_speed"}
    assert not rigid & {*never, "radius_a", "length_a", "length_b", "bend_a", "bend_b"}
    assert {"stiffness", "damping", "smoothing_speed"} <= shown(law="kelvin_voigt")
    assert "damping" not in shown(law="flores")
    assert "damping" in shown(law="flores", damping=3.0)  # what was written can be seen, and taken away


def test_fields_that_a_model_of_friction_does_not_read_are_left_out() -> None:
    def shown(model: str) -> set[str]:
        scene = planar().with_force("friction", "rub", joint="J", model=model, kinetic=1.0)
        return {line.path for line in lines_for(scene, (Ref("forces", "rub"),))}

    own = {"smoothing_speed", "bristle_stiffness", "bristle_damping"}
    assert {model: shown(model) & own for model in ("held", "regularised", "lugre")} == {
        "held": set(),
        "regularised": {"smoothing_speed"},
        "lugre": {"bristle_stiffness", "bristle_damping"},
    }


def test_laws_of_contact_have_the_names_of_their_authors(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(pushed(law="hunt_crossley"), Ref("forces", "push"))
    box = hand.find("inspector.law", QComboBox)
    assert box.currentText() == "Hunt–Crossley"
    box.activated.emit(box.findText("Kelvin–Voigt"))
    assert desk.scene.force("push").law == "kelvin_voigt"


def test_an_empty_field_says_what_it_means_that_nothing_is_written(desk: Desk, hand: SimpleNamespace) -> None:
    """The limit that a stop does not have was called automatic."""
    desk.begin(planar().with_force("stop", "end", joint="J", lower=0.0), Ref("forces", "end"))
    assert hand.find("inspector.upper", QLineEdit).placeholderText() == "none"
    assert hand.find("inspector.stiffness", QLineEdit).placeholderText() == "automatic"
    headings = [line.title for line in lines_for(desk.scene, (Ref("forces", "end"),)) if line.heading]
    assert headings == ["Appearance"]  # nothing stands under "Against", and nothing can be added there
