"""The doctor's page of limits: numbers in the units of the user."""

from app.panels.doctor.doctor_pages import limits
from app.platform.units import PRESETS, Units
from engine.analyses.answers.result import Mention, Result, Table
from engine.analyses.machines.limits_reached import FRICTIONS, LIMITS


def test_limits_are_told_in_the_units_of_the_user() -> None:
    stop, friction, joint = Mention("forces", "stop 1"), Mention("forces", "felt"), Mention("joints", "A")
    result = Result(
        "",
        tables=(
            Table("Limits", LIMITS, ((stop, -0.5235987755983, 0.0, "1 ×", 0.5, 2.0, "rad", "N·m"),)),
            Table("Friction", FRICTIONS, ((friction, joint, 0.1, 0.2, "holds", "N·m"),)),
        ),
    )
    found = limits(result, Units(PRESETS["Millimetres, degrees, rpm"]))
    (limit,), (held,) = (entry.children for entry in found)
    assert limit.detail == "first at 0.5 s, pushes with up to 2000 N·mm; from -30 deg to 0 deg"
    assert held.detail == "in joint A: up to 100 N·mm, can hold 200 N·mm"
