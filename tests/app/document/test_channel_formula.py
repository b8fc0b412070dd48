"""Expressions of channels: names with blanks as they are listed, and the unit of the whole."""

import pytest

from app.document.channels.channel_formula import quoted
from engine.maths.expression_units import unit_of

UNITS = {
    "measure.angle 1": "rad",
    "body.bar 1.pos.x": "m",
    "body.bar 1.pos.y": "m",
    "body.bar 11.pos.x": "m",
    "joint.A.angle": "rad",
    "t": "s",
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("measure.angle 1", 'measure."angle 1"'),
        ("2*body.bar 1.pos.x - body.bar 11.pos.x", '2*body."bar 1".pos.x - body."bar 11".pos.x'),
        ('measure."angle 1" + 1', 'measure."angle 1" + 1'),
        ("joint.A.angle", "joint.A.angle"),
        ("sin(measure.angle 1)", 'sin(measure."angle 1")'),
    ],
)
def test_issue_18_names_with_blanks_need_no_quotes(typed: str, meant: str) -> None:
    assert quoted(typed, UNITS) == meant


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("joint.A.angle", "rad"),
        ("2*joint.A.angle - pi", "rad"),
        ('body."bar 1".pos.x - body."bar 1".pos.y', "m"),
        ('hypot(body."bar 1".pos.x, body."bar 1".pos.y)', "m"),
        ('atan2(body."bar 1".pos.x, body."bar 1".pos.y)', "rad"),
        ('body."bar 1".pos.x/body."bar 1".pos.y', ""),
        ("joint.A.angle*t", ""),
        ("joint.A.angle + t", ""),
        ("sin(joint.A.angle)", ""),
        ("if(joint.A.angle > 1, joint.A.angle, 1)", "rad"),
        ("3", ""),
        ("3 +", ""),
    ],
)
def test_issue_18_the_unit_follows_from_the_channels(text: str, unit: str) -> None:
    assert unit_of(text, lambda name: UNITS.get(name, "")) == unit
