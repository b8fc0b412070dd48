"""Constant speeds and profiles: read from the stored text, and written back as the same function."""

import pytest

from engine.maths.expressions import parse
from engine.maths.function_forms import ConstantSpeed, Profile, read_form
from engine.maths.functions import compile_function

NAMES = {"w1": 1.7, "phi1": 0.4, "a": 0.3, "b": 0.9}


@pytest.mark.parametrize(
    ("text", "speed", "start"),
    [
        ("2*t", "2", ""),
        ("60 rpm*t", "60 rpm", ""),
        ("-60 rpm*t", "-60 rpm", ""),
        ("30 deg - 60 rpm*t", "-60 rpm", "30 deg"),
        ("(60 rpm*t) + 0.5", "60 rpm", "0.5"),  # as a drag of the crank writes it
        ("phi1 + w1*t", "w1", "phi1"),
        ("t", "1", ""),
        ("(a + b)*t", "a + b", ""),
        ("-(a + b)*t - 3", "-(a + b)", "-3"),
        ("t*w1/2", "w1/2", ""),
        ("1 - (2 - w1*t)", "w1", "1 - 2"),
    ],
)
def test_a_constant_speed_is_recognised_and_written(text: str, speed: str, start: str) -> None:
    form = read_form(text)
    assert form == ConstantSpeed(speed, start)
    for t in (0.0, 0.7, 3.1):
        assert parse(form.text).value({**NAMES, "t": t}) == pytest.approx(
            parse(text).value({**NAMES, "t": t})
        )
    assert read_form(form.text) == form


def test_a_profile_is_recognised_and_written() -> None:
    text = "step(t, 0, 0 deg, 2 s, max(90 deg, a))"
    form = read_form(text)
    assert form == Profile("step", "0", "0 deg", "2 s", "max(90 deg, a)")
    assert form.text == text


@pytest.mark.parametrize(
    "text",
    ["sin(t)", "t^2", "2*t + 3*t", "w1*t < 3", "0.3", "2^-t", "ramp(t, 0, 1, 2, t)", "2*step(t, 0, 0, 1, 1)"],
)
def test_other_functions_have_no_form(text: str) -> None:
    assert read_form(text) is None


def test_a_trapezoid_of_speed_is_the_way_that_it_integrates() -> None:
    # from 2 at t = 1 to 8 at t = 5 with 1 s of acceleration: the steady speed is 6/(4 - 1) = 2
    way = parse("trapezoid(t, 1, 2, 5, 8, 1)")
    expected = {0.0: 2.0, 1.0: 2.0, 1.5: 2.25, 2.0: 3.0, 3.0: 5.0, 4.0: 7.0, 4.5: 7.75, 5.0: 8.0, 9.0: 8.0}
    assert {t: way.value({"t": t}) for t in expected} == pytest.approx(expected)
    assert compile_function("trapezoid(t, 1, 2, 5, 8, 1)").knots == (1.0, 2.0, 4.0, 5.0)
