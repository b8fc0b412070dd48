"""Units in expressions: what fits a place, what is told, and what is left to the user."""

import pytest

from engine import Scene
from engine.maths.dimensions import DimensionError, check_dimension, dimension_of_unit
from engine.maths.units import UNITS
from engine.model.validate import validate


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("60 rpm*t", "rad"),
        ("120 deg*t", "rad"),  # the time as its number of seconds
        ("30 deg + 2*t", "rad"),
        ("sin(60 rpm*t)", "m"),  # an amplitude of 1 without a unit
        ("5 mm*sin(60 rpm*t)", "m"),
        ("5 N*0.2 m", "N·m"),
        ("sqrt((3 m)^2)", "m"),
        ("L + 25 mm", "m"),
        ("2*x*5 N/m", "N"),
        ("step(t, 0 s, 0 deg, 2 s, 90 deg)", "rad"),
        ("trapezoid(t, 0 s, 0 mm, 2 s, 90 mm, 0.5 s)", "m"),
        ("if(t > 1 s, 5 mm, 2 mm)", "m"),
    ],
)
def test_units_that_fit_are_taken(text: str, unit: str) -> None:
    check_dimension(text, unit)


@pytest.mark.parametrize(
    ("text", "unit", "told"),
    [
        ("10 mm*t", "rad", "write it in rad, deg"),
        ("5 mm*sin(60 rpm*t)", "rad", "where rad is wanted"),
        ("5 deg", "m", "write it in m, mm"),
        ("60 rpm*t", "m", "where m is wanted"),
        ("60 rpm", "rad", "multiply the rate by the time: 60 rpm*t"),
        ("5 N", "N·m", "its units give N"),
        ("5 mm + 2 deg", "m", "mm and deg do not go together"),
        ("sin(5 mm)", "rad", "sin takes a plain number or an angle, not mm"),
        ("ramp(t, 0, 0 deg, 2, 90 deg)", "m", "its units give deg"),
    ],
)
def test_units_that_do_not_fit_are_told_with_the_remedy(text: str, unit: str, told: str) -> None:
    with pytest.raises(DimensionError, match=told.replace("*", r"\*").replace("(", r"\(")):
        check_dimension(text, unit)


def test_every_unit_has_a_dimension_and_that_of_its_group() -> None:
    newton, joule, watt = (dimension_of_unit(unit) for unit in ("lbf", "mJ", "hp"))
    assert newton is not None
    assert joule is not None
    assert watt is not None
    assert (newton.powers, joule.powers, watt.powers) == ((1, 1, -2), (2, 1, -2), (2, 1, -3))
    for si, units in UNITS.items():
        assert all(dimension_of_unit(unit) is not None for unit in (si, *units))


def arm() -> Scene:
    hinge = {"body": "arm"}
    return (
        Scene(space="planar")
        .with_body("arm", mass=1.0)
        .with_joint("revolute", "J", a={"body": "world"}, b=hinge)
    )


def test_a_motion_of_an_angle_given_in_metres_is_told_by_its_element() -> None:
    (problem,) = validate(arm().with_motion("joint_motion", "drive", joint="J", function="10 mm*t"))
    assert problem.path == 'motions[0] "drive".function'
    assert "where rad is wanted" in problem.message
    rate = arm().with_motion("joint_motion", "drive", joint="J", level="velocity", function="60 rpm")
    assert not validate(rate)
    (problem,) = validate(arm().with_motion("joint_motion", "drive", joint="J", function="60 rpm"))
    assert "60 rpm*t" in problem.cure


def test_tables_and_plain_numbers_are_checked_too() -> None:
    table = {"points": [[0.0, "0 m"], ["1 m", 2.0]]}
    paths = [p.path for p in validate(arm().with_motion("joint_motion", "M", joint="J", function=table))]
    assert paths == ['motions[0] "M".function.points[0][1]', 'motions[0] "M".function.points[1][0]']
    (problem,) = validate(arm().with_body("weight", mass="25 mm"))
    assert problem.path == 'bodies[1] "weight".mass'
