"""Display units: what users type and what they see."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.platform.units import PRESETS, UNITS, UnitError, Units, plain_number

SI = Units({})
MILLIMETRES = Units(PRESETS["Millimetres, degrees, rpm"])


@pytest.mark.parametrize(
    ("text", "si", "value"),
    [
        ("25 mm", "m", 0.025),
        ("25mm", "m", 0.025),
        ("90 deg", "rad", math.pi / 2),
        ("90°", "rad", math.pi / 2),
        ("60 rpm", "rad/s", 2 * math.pi),
        ("1,5", "m", 1.5),
        ("-1,5e-3 kN", "N", -1.5),
        (".5", "", 0.5),
        ("2 N*m", "N·m", 2.0),
        ("2 Nm", "N·m", 2.0),
        ("9.81 m/s^2", "m/s²", 9.81),
        ("3 um", "m", 3e-6),
        ("12 lbf", "N", 53.378659),
        ("1 kg m2", "kg·m²", None),
        ("7 kg·m²", "kg·m²", 7.0),
    ],
)
def test_a_number_may_carry_a_unit(text: str, si: str, value: float | None) -> None:
    if value is None:
        with pytest.raises(UnitError):
            SI.parse(text, si)
    else:
        assert SI.parse(text, si) == pytest.approx(value, rel=1e-7)


def test_a_bare_number_counts_in_the_display_unit() -> None:
    assert MILLIMETRES.parse("25", "m") == pytest.approx(0.025)
    assert MILLIMETRES.parse("180", "rad") == pytest.approx(math.pi)
    assert MILLIMETRES.parse("60", "rad/s") == pytest.approx(2 * math.pi)


def test_expressions_stay_expressions_and_count_in_si() -> None:
    names = {"L1": 0.1, "mm": 5.0}
    assert MILLIMETRES.parse("L1/2", "m", names) == "L1/2"
    assert eval_expression(MILLIMETRES.parse("L1 + 25 cm", "m", names), names) == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("text", "degrees"),
    [("360/8", 45.0), ("45 + 45", 90.0), ("-(10 - 2.5)*2", -15.0), ("1-1", 0.0), ("3^2", 9.0)],
)
def test_sums_of_bare_numbers_count_in_the_display_unit(text: str, degrees: float) -> None:
    # a field that is headed [deg] took them for radians
    for read in (Units().parse, lambda text, si: Units().parse_function(text, si, {})):
        assert read(text, "rad") == pytest.approx(math.radians(degrees), abs=1e-15)
    assert Units().parse("0.4/2", "m") == "0.4/2"  # SI is shown: it stays as it was typed
    assert Units().parse("pi/2", "rad") == "pi/2"
    assert Units().parse("L/2", "rad", {"L": 1.0}) == "L/2"


def test_a_parameter_goes_before_a_unit_of_the_same_name() -> None:
    assert MILLIMETRES.parse("mm", "m", {"mm": 5.0}) == "mm"


@pytest.mark.parametrize(
    ("text", "si", "word"),
    [
        ("25 kg", "m", "unknown unit 'kg'"),
        ("", "m", "missing"),
        ("L9", "m", "L9"),
        ("1 +", "m", "column"),
        ("5 mm", "", "plain number"),
        ("1e999", "m", "too large"),
    ],
)
def test_wrong_text_is_refused_with_the_reason(text: str, si: str, word: str) -> None:
    with pytest.raises(UnitError, match=word):
        SI.parse(text, si)


@given(
    value=st.floats(-1e9, 1e9).filter(lambda x: x == 0.0 or abs(x) > 1e-9),
    si=st.sampled_from([*UNITS, ""]),
    preset=st.sampled_from(list(PRESETS)),
)
def test_what_is_shown_reads_back(value: float, si: str, preset: str) -> None:
    units = Units(PRESETS[preset])
    assert units.parse(units.text(value, si, 17), si) == pytest.approx(value, rel=1e-14)
    assert units.parse(units.full_text(value, si, 17), si) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("si", UNITS)
def test_every_unit_can_be_typed(si: str) -> None:
    for name, size in UNITS[si].items():
        assert SI.parse(f"3 {name}", si) == pytest.approx(3 * size)


def test_numbers_are_shown_without_noise() -> None:
    assert plain_number(0.1 + 0.2) == "0.3"
    assert MILLIMETRES.full_text(0.025, "m") == "25 mm"
    assert plain_number(0.0) == "0"


def eval_expression(text: float | str, names: dict[str, float]) -> float:
    from engine.maths.expressions import parse

    return parse(str(text)).value(names)
