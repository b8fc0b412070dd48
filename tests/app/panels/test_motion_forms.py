"""A motion in the inspector: constant speed with a unit first, then profile, table and expression."""

import math
from types import SimpleNamespace

import msgspec
import pytest
from PySide6.QtWidgets import QLineEdit

from app.document.document import Ref
from app.panels.inspector.inspector import InspectorPanel
from app.platform.units import UnitError, Units
from engine import Scene
from engine.maths.expressions import parse
from tests.app.panels.desk import Desk

MOTION = Ref("motions", "M")


def driven(function: str | float = "2*t", level: str = "position") -> Scene:
    return (
        Scene(space="planar")
        .with_body("link", mass=1.0)
        .with_joint("revolute", "J", a={"body": "world"}, b={"body": "link"})
        .with_motion("joint_motion", "M", joint="J", function=function, level=level)
    )


def test_a_new_motor_shows_its_constant_speed_first(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(driven(), MOTION)
    box = hand.find("inspector.function.form")
    assert [box.itemText(i) for i in range(box.count())] == [
        "constant speed",
        "profile",
        "table",
        "number or expression",
    ]
    assert box.currentText() == "constant speed"
    assert hand.find("inspector.function.speed").text() == "2"
    assert hand.find("inspector.function.speed.title").text() == "Speed [rad/s]"


def test_a_speed_with_a_unit_is_stored_as_the_function_it_is(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(driven(), MOTION)
    hand.type("inspector.function.speed", "60 rpm")
    assert desk.scene.motion("M").function == "60 rpm*t"
    # a heading names the unit of numbers that have none
    assert hand.find("inspector.function.speed.title").text() == "Speed"
    assert hand.find("inspector.function.start.title").text() == "At t = 0 [deg]"
    hand.type("inspector.function.start", "30")  # in the display unit
    assert desk.scene.motion("M").function == "30 deg + 60 rpm*t"
    hand.type("inspector.function.speed", "-90 deg/s")
    assert desk.scene.motion("M").function == "30 deg - 90 deg/s*t"
    assert hand.find("inspector.function").text() == "30 deg - 90 deg/s*t"
    assert desk.steps == 3


def test_a_speed_of_another_sort_is_refused(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(driven(), MOTION)
    assert hand.type("inspector.function.speed", "5 mm/s").property("wrong")
    assert hand.type("inspector.function", "10 mm*t").property("wrong")
    assert desk.scene.motion("M").function == "2*t"


def test_a_rate_where_an_angle_is_asked_is_told_with_the_remedy() -> None:
    for text in ("60 rpm", "90 deg/s", "60 rpm + 0*t"):
        with pytest.raises(UnitError, match=r"where rad is wanted; multiply the rate by the time: .*\*t"):
            Units().parse_function(text, "rad", {"t": 0.0})
    with pytest.raises(UnitError, match="its units give mm, where rad is wanted"):
        Units().parse_function("5 mm", "rad", {"t": 0.0})
    assert Units().parse_function("60 rpm*t", "rad", {"t": 0.0}) == "60 rpm*t"


def test_a_profile_leads_to_its_end_value(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(driven("60 rpm*t"), MOTION)
    hand.choose("inspector.function.form", "profile")
    hand.type("inspector.function.last", "90")
    hand.type("inspector.function.ends", "2")
    hand.choose("inspector.function.shape", "trapezoid of speed")
    text = desk.scene.motion("M").function
    assert text == "trapezoid(t, 0 s, 0 deg, 2, 90 deg, 0.5 s)"
    assert parse(text).value({"t": 1.0}) == pytest.approx(math.pi / 4)
    hand.choose("inspector.function.form", "constant speed")
    assert parse(desk.scene.motion("M").function).value({"t": 10.0}) == pytest.approx(math.pi / 2)


def test_the_expression_alone_can_be_asked_for(
    desk: Desk, hand: SimpleNamespace, inspector: InspectorPanel
) -> None:
    desk.begin(driven("60 rpm*t"), MOTION)
    hand.choose("inspector.function.form", "number or expression")
    shown = [line.objectName() for line in inspector.findChildren(QLineEdit) if line.isVisible()]
    assert "inspector.function" in shown
    assert "inspector.function.speed" not in shown
    assert hand.find("inspector.function.form").currentText() == "number or expression"
    assert desk.scene.motion("M").function == "60 rpm*t"
    hand.type("inspector.function", "0.2*sin(3*t)")
    assert hand.find("inspector.function.form").currentText() == "number or expression"


def test_a_prescribed_speed_is_constant_without_the_time(desk: Desk, hand: SimpleNamespace) -> None:
    desk.begin(driven(3.0, "velocity"), MOTION)
    assert hand.find("inspector.function.form").currentText() == "constant speed"
    hand.type("inspector.function", "60 rpm")
    assert desk.scene.motion("M").function == "60 rpm"
    hand.choose("inspector.function.form", "profile")
    assert parse(desk.scene.motion("M").function).value({"t": 5.0}) == pytest.approx(2 * math.pi)


def test_the_wanted_speed_of_a_motor_has_the_forms_too(desk: Desk, hand: SimpleNamespace) -> None:
    scene = msgspec.structs.replace(driven(), motions=())
    motor = scene.with_force("motor", "F", joint="J", speed="50 rpm", gain=1.0)
    desk.begin(motor, Ref("forces", "F"))
    assert hand.find("inspector.speed.form").currentText() == "constant speed"
    assert hand.find("inspector.effort.form").findText("constant speed") < 0
