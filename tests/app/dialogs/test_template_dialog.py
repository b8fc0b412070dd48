"""The dialog of templates: live, honest about what cannot be, one step to undo, and it remembers."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.dialogs.template.template import TemplateDialog
from app.platform.appearance import Look
from app.platform.resources import data_folder, scene_paths
from app.platform.settings import Settings
from app.platform.units import PRESETS, Units
from engine import TEMPLATES, Scene, load_scene
from engine.model.poses import given_poses
from engine.model.resolve import resolve
from tests.app.window.windows import open_window

PENDULUM = load_scene(scene_paths()["pendulum"])


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def open_dialog(qtbot, settings):
    def make(scene=PENDULUM, units=None):
        dialog = TemplateDialog(None, scene, Look(units=units), settings)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return make


def type_into(dialog, name, text):
    line = dialog.findChild(QLineEdit, f"template.{name}")
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    dialog.refresh()


def test_every_template_shows_itself_and_its_facts(open_dialog):
    dialog = open_dialog(Scene())
    assert dialog.list.count() == len(TEMPLATES)
    for template in TEMPLATES:
        dialog.choose(template.name)
        assert dialog.made.scene == template.make().scene
        assert dialog.ok.isEnabled()
        assert dialog.told.text() == ""
        for fact in template.make().facts:
            assert fact.title in dialog.facts.text()
        picture = dialog.preview.grab().toImage()
        colors = {
            picture.pixelColor(x, y).name() for x in range(0, picture.width(), 3) for y in range(0, 300, 3)
        }
        assert len(colors) > 3, template.name
        assert (data_folder("assets") / "thumbnails" / "templates" / f"{template.name}.png").is_file()


def test_grashof_follows_the_keys(open_dialog):
    dialog = open_dialog()
    dialog.choose("four_bar")
    assert "crank-rocker" in dialog.facts.text()
    type_into(dialog, "ground", "0.1")
    assert "triple rocker" in dialog.facts.text()  # 0.1 + 0.35 > 0.12 + 0.3
    type_into(dialog, "crank", "320 mm")
    assert "double crank" in dialog.facts.text()  # 0.1 + 0.35 < 0.32 + 0.3, and the ground is the shortest
    assert dialog.values["crank"] == 0.32


def test_what_cannot_be_is_told_in_the_units_that_are_shown(open_dialog):
    dialog = open_dialog(units=Units(PRESETS["Millimetres, degrees, rpm"]))
    dialog.choose("four_bar")
    type_into(dialog, "coupler", "1900")
    assert not dialog.ok.isEnabled()
    assert "Coupler BC 1900 mm" in dialog.told.text()
    # between r - c and r + c, with the diagonal r² = a² + d² - 2 a d cos 60°
    assert "between 55.53 mm and 655.5 mm" in dialog.told.text()
    type_into(dialog, "coupler", "nonsense")
    assert not dialog.ok.isEnabled()
    type_into(dialog, "coupler", "350")
    assert dialog.ok.isEnabled()
    assert dialog.told.text() == ""
    for text in ("1e999", "-1", "0", "1e30"):
        type_into(dialog, "coupler", text)
        assert not dialog.ok.isEnabled(), text
    dialog.accept()
    assert dialog.result() != QDialog.DialogCode.Accepted


def test_values_are_remembered_and_can_be_forgotten(open_dialog, settings):
    dialog = open_dialog()
    dialog.choose("klann_leg")
    type_into(dialog, "crank", "0.2")
    dialog.accept()
    assert dialog.result() == QDialog.DialogCode.Accepted
    again = open_dialog()
    assert again.template.name == "klann_leg"
    assert again.values["crank"] == 0.2
    again._restore()
    assert again.values == TEMPLATES["klann_leg"].defaults
    for nonsense in ("{", "[]", json.dumps({"crank": "x"}), json.dumps({"crank": -5, "other": 1})):
        settings.set_value("templates/klann_leg", nonsense)
        assert open_dialog().values == TEMPLATES["klann_leg"].defaults


def test_a_spatial_template_can_only_stand_alone_in_a_planar_scene(open_dialog):
    dialog = open_dialog()
    dialog.choose("four_bar")
    assert dialog.insert.isChecked()
    dialog.choose("bricard")
    assert dialog.new_scene
    assert not dialog.insert.isEnabled()
    dialog.choose("four_bar")
    assert not dialog.new_scene


def test_it_is_offered_a_place_beside_what_is_there_until_the_user_gives_one(open_dialog):
    four_bar = load_scene(scene_paths()["four_bar"])
    dialog = open_dialog(four_bar)
    dialog.choose("four_bar")
    edit = dialog.edit(four_bar)
    poses = given_poses(edit.after)
    new = {ref.name for ref in edit.made if ref.where == "bodies"}
    assert min(poses[name][0][0] for name in new) > max(
        origin[0] for name, (origin, _) in poses.items() if name not in new
    )
    type_into(dialog, "position.0", "-2")
    dialog.choose("slider_crank")
    assert dialog.position.lines[0].text() == "-2"


def test_expressions_of_numbers_are_taken(open_dialog):
    dialog = open_dialog()
    dialog.choose("four_bar")
    type_into(dialog, "crank", "0.1 + 20 mm")
    assert dialog.values["crank"] == pytest.approx(0.12)
    for axis, text in ((0, "2*0.3"), (1, "-0.5")):
        type_into(dialog, f"position.{axis}", text)
    after = dialog.edit(PENDULUM).after
    assert after.body("crank").position == pytest.approx((0.6, -0.5))


def test_escape_cancels(open_dialog, qtbot):
    dialog = open_dialog()
    dialog.list.setFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert dialog.result() == QDialog.DialogCode.Rejected


def test_the_window_inserts_it_as_one_step_or_begins_anew(tmp_path, monkeypatch):
    alone = False

    def answer(dialog):
        dialog.choose("four_bar")
        (dialog.alone if alone else dialog.insert).click()
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(TemplateDialog, "exec", answer)
    with open_window(tmp_path, warm=False) as window:
        document = window.session.document
        document.load(PENDULUM)
        window.act("insert.template")
        assert len(document.scene.bodies) == 1 + 3
        assert document.stack.count() == 1
        assert document.stack.undoText() == "Insert Four-bar linkage"
        assert window.session.selection.refs
        document.stack.undo()
        assert document.scene == PENDULUM
        alone = True
        document.stack.setClean()
        window.handlers.layout.show_welcome()
        window.welcome.wants_template.emit()
        assert document.scene.title == "Four-bar linkage"
        assert document.path is None
        assert window.pages.currentWidget() is window.viewport


def test_from_the_welcome_page_it_begins_a_new_scene_unless_told_otherwise(tmp_path, monkeypatch):
    """The scene behind the page is not in view: what was added to it came as a surprise."""

    def answer(dialog):
        dialog.choose("four_bar")
        assert dialog.alone.isChecked()
        dialog.choose("gear_train")
        assert dialog.alone.isChecked()
        assert dialog.insert.isEnabled()
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(TemplateDialog, "exec", answer)
    with open_window(tmp_path, warm=False) as window:
        document = window.session.document
        document.load(PENDULUM)
        window.handlers.layout.show_welcome()
        window.act("insert.template")
        assert document.scene.title == "Gear train"


def test_lengths_become_parameters_where_that_is_honest(open_dialog):
    dialog = open_dialog()
    dialog.choose("bennett")
    assert not dialog.lengths.isVisible()
    dialog.choose("double_wishbone")
    assert "Numbers stay" in dialog.lengths.toolTip()
    dialog.choose("four_bar")
    assert dialog.lengths.isVisible()
    assert dialog.lengths.isChecked()
    type_into(dialog, "crank", "0.11")
    dialog.insert.click()
    QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    edit = dialog.edit(PENDULUM)
    crank = next(p for p in edit.after.parameters if p.name == "L_crank")
    assert crank.value == pytest.approx(0.11)
    assert edit.after.body("crank").point("B").position[0] == "L_crank"
    # the same template again has parameters of its own
    again = open_dialog(edit.after)
    again.choose("four_bar")
    again.accept()
    twice = again.edit(edit.after).after
    assert {"L_crank", "L_crank_2"} <= {p.name for p in twice.parameters}
    assert twice.body("crank 2").point("B").position[0] == "L_crank_2"


def test_lengths_stay_numbers_when_the_box_is_off(open_dialog):
    dialog = open_dialog()
    dialog.choose("four_bar")
    QTest.mouseClick(dialog.lengths, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.lengths.height() // 2))
    assert not dialog.lengths.isChecked()
    dialog.accept()
    assert dialog.taken.scene == TEMPLATES["four_bar"].make().scene


def test_what_was_taken_stays_though_a_field_is_finished_late(open_dialog):
    """A field that loses the focus as the dialog closes builds what is shown anew: parameters were lost."""
    dialog = open_dialog()
    dialog.choose("four_bar")
    dialog.accept()
    dialog.refresh()
    assert "L_crank" in {p.name for p in dialog.taken.scene.parameters}
    assert "L_crank" in {p.name for p in dialog.edit(PENDULUM).after.parameters}


def test_a_slider_varies_the_inserted_linkage(tmp_path, monkeypatch):
    def answer(dialog):
        dialog.choose("four_bar")
        dialog.alone.click()
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(TemplateDialog, "exec", answer)
    with open_window(tmp_path, warm=False) as window:
        window.act("insert.template")
        window.docks["parameters"].raise_()
        slider = window.findChild(QWidget, "parameters.L_rocker.slider")
        before = resolve(window.session.document.scene).body("rocker").point("C").position[0]
        QTest.keyClick(slider, Qt.Key.Key_Right)
        after = resolve(window.session.document.scene).body("rocker").point("C").position[0]
        assert after > before == pytest.approx(0.3)
        assert window.session.document.stack.count() == 1


def test_the_scene_is_saved_as_a_script(tmp_path, monkeypatch):
    file = tmp_path / "made"
    monkeypatch.setattr(
        "app.window.handlers.templates.QFileDialog.getSaveFileName", lambda *_: (str(file), "")
    )
    with open_window(tmp_path, warm=False) as window:
        window.session.document.load(PENDULUM)
        window.act("file.python")
        names = {"__name__": "script"}
        exec(file.with_suffix(".py").read_text(encoding="utf-8"), names)
        assert names["scene"] == PENDULUM
