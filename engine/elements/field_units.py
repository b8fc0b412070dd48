"""The unit of a field where it depends on its element: a motion of an angle, a motor on a slider."""

from typing import Any

from engine.elements.fields import Field

# what the metadata say where two sorts of coordinates are possible → for an angle, for a length
EITHER = {
    "m, rad or per second": ("rad", "m"),
    "N·m or N": ("N·m", "N"),
    "rad/s or m/s": ("rad/s", "m/s"),
    "effort per speed error": ("N·m·s/rad", "N·s/m"),
}


VARIABLE_UNITS = {"t": "s"}  # of functions


def unit_in(field: Field, owner: Any) -> str:
    """The SI unit of a field of this element."""
    if field.unit not in EITHER:
        return field.unit
    angle, length = EITHER[field.unit]
    unit = angle if getattr(owner, "coordinate", "angle") == "angle" else length
    return f"{unit}/s" if getattr(owner, "level", "") == "velocity" else unit
