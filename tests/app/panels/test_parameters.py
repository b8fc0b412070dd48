"""The table of parameters: cells, sliders, users; a used parameter goes only with its value in its place."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QDockWidget, QMessageBox
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.edits import parameter_users, remove, substitute
from app.panels.parameters.parameters import LARGEST, NAME, NOTE, UNIT, USERS, VALUE, ParametersPanel
from app.platform.appearance import Look
from engine import Scene, SceneError, validate
from engine.model.resolve import resolve
from tests.app.panels.desk import Desk, hands_on


def scene() -> Scene:
    return (
        Scene(space="planar")
        .with_parameter("L", 0.4, unit="m", min=0.1, max=1.0)
        .with_parameter("half", "L/2", unit="m")
        .with_parameter("spare", -2.0)
        .with_body("link", mass="3*L", com=["half", 0.0], inertia=[0.1], position=["L", "-half"])
        .with_joint("revolute", "J", a={"body": "world"}, b={"body": "link"})
        .with_motion("joint_motion", "M", joint="J", function="L*sin(2*t) + spare^2")
        .with_simulation(stop_when=["joint.J.angle - L"])
    )


@pytest.fixture
def panel(desk: Desk, qtbot: QtBot) -> Iterator[ParametersPanel]:
    desk.begin(scene())
    made = ParametersPanel(desk, Look())
    dock = QDockWidget()
    dock.setTitleBarWidget(made.bar)
    dock.setWidget(made)
    qtbot.addWidget(dock)
    dock.show()
    yield made
    dock.close()


def typed(panel: ParametersPanel, row: int, column: int, text: str) -> None:
    panel.table.item(row, column).setText(text)


def test_users_are_found_in_numbers_functions_and_expressions() -> None:
    users = {str(ref): fields for ref, fields in parameter_users(scene(), "L")}
    assert users == {
        "parameters.half": "value",
        "bodies.link": "position, mass",
        "motions.M": "function",
        "simulation": "stop when",
    }
    assert not parameter_users(scene(), "nobody")


def test_a_used_parameter_is_not_removed_and_its_users_are_named() -> None:
    with pytest.raises(SceneError, match=r"bodies.link \(position, mass\)"):
        remove(scene(), [Ref("parameters", "L")])
    both = [Ref("parameters", "half"), Ref("bodies", "link")]
    after = remove(scene(), both).after  # its only user goes with it
    assert [p.name for p in after.parameters] == ["L", "spare"]


@pytest.mark.parametrize("names", [("L",), ("half",), ("spare",), ("L", "half", "spare"), ("half", "L")])
def test_the_value_takes_the_place_of_the_name(names: tuple[str, ...]) -> None:
    after = substitute(scene(), names).after
    assert not validate(after)
    assert not [p.name for p in after.parameters if p.name in names]
    old, new = resolve(scene()), resolve(after)
    assert new.bodies == old.bodies
    assert all(not parameter_users(after, name) for name in names)
    if "spare" in names:
        assert "(-2.0)^2" in str(after.motion("M").function)  # not -2^2


def test_cells_are_edited_one_step_each(panel: ParametersPanel, desk: Desk) -> None:
    typed(panel, 0, VALUE, "50 cm")
    assert desk.scene.parameter("L").value == 0.5
    typed(panel, 0, LARGEST, "2,5")
    assert desk.scene.parameter("L").max == 2.5
    typed(panel, 1, NOTE, "half of it")
    typed(panel, 2, UNIT, "kg")
    assert desk.scene.parameter("spare").unit == "kg"
    assert desk.steps == 4
    typed(panel, 0, NAME, "length")
    assert desk.scene.parameter("half").value == "length/2"
    assert desk.scene.body("link").mass == "3*length"
    assert desk.scene.simulation.stop_when == ("joint.J.angle - length",)
    assert desk.steps == 5
    assert panel.table.item(0, USERS).text() == "half, link, M, simulation"
    assert "bodies.link: position, mass" in panel.table.item(0, USERS).toolTip()
    assert panel.table.item(2, USERS).text() == "M"


def test_wrong_text_stays_with_the_reason(panel: ParametersPanel, desk: Desk) -> None:
    hand = hands_on(panel.parentWidget())
    for column, text, word in ((VALUE, "L/", ""), (NAME, "half", "taken"), (VALUE, "5 kg", "unknown unit")):
        typed(panel, 0, column, text)
        assert panel.table.item(0, column).text() == text
        assert word in panel.table.item(0, column).toolTip()
        assert panel._note.property("role") == "wrong"
    assert desk.steps == 0
    assert hand.find("parameters.note").text()


def test_a_drag_of_the_slider_acts_at_once_and_is_one_step(panel: ParametersPanel, desk: Desk) -> None:
    slider = panel._sliders[0]
    assert slider.isEnabled()
    assert not panel._sliders[1].isEnabled()  # an expression
    seen: list[float] = []
    desk.document.changed.connect(lambda change: seen.append(change.after.parameter("L").value))
    slider.setSliderDown(True)
    for step in (400, 500, 1000):
        slider.setSliderPosition(step)
    slider.setSliderDown(False)
    assert seen == pytest.approx([0.46, 0.55, 1.0])
    assert desk.steps == 1
    assert panel._sliders[0] is slider
    desk.document.stack.undo()
    assert desk.scene == scene()


def test_a_slider_stays_under_the_pointer_and_sets_round_values(
    panel: ParametersPanel, desk: Desk, qtbot: QtBot
) -> None:
    """A value with other digits made its column another width, and the slider moved away in mid-drag."""
    typed(panel, 0, VALUE, "0.5830951895")
    slider = panel._sliders[0]
    qtbot.wait(1)
    place = slider.geometry()
    slider.setSliderDown(True)
    for step in (533, 534, 600):
        slider.setSliderPosition(step)
        qtbot.wait(1)
        assert slider.geometry() == place
        assert desk.scene.parameter("L").value == round(0.1 + 0.0009 * step, 4)  # to the digit
    slider.setSliderDown(False)
    qtbot.waitUntil(lambda: slider.geometry() != place)


def test_add_makes_a_free_name_and_delete_asks(
    panel: ParametersPanel, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand: SimpleNamespace = hands_on(panel.parentWidget())
    hand.click("parameters.add")
    hand.click("parameters.add")
    assert [p.name for p in desk.scene.parameters][3:] == ["p1", "p2"]
    hand.click("parameters.delete")  # the new one is chosen; nothing uses it
    assert [p.name for p in desk.scene.parameters][3:] == ["p1"]
    asked: list[str] = []

    def answer(text: str):
        def run(box: QMessageBox) -> int:
            asked.append(box.informativeText())
            next(button for button in box.buttons() if button.text() == text).click()
            return 0

        return run

    panel.table.selectRow(0)
    monkeypatch.setattr(QMessageBox, "exec", answer("Keep"))
    hand.click("parameters.delete")
    assert desk.scene.parameter("L")
    monkeypatch.setattr(QMessageBox, "exec", answer("Replace by value"))
    steps = desk.steps
    hand.click("parameters.delete")
    assert "bodies.link (position, mass)" in asked[0]
    assert [p.name for p in desk.scene.parameters] == ["half", "spare", "p1"]
    assert desk.scene.parameter("half").value == "0.4/2"
    assert desk.steps == steps + 1
    desk.document.stack.undo()
    assert desk.scene.parameter("L").value == 0.4
