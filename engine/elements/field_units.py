"""Units of coordinates, and of fields whose unit depends on their element, as a motor on a slider."""

from typing import Any

from engine.elements.fields import Field

# what the metadata say where two sorts of coordinates are possible → for an angle, for a length
EITHER = {
    "m, rad or per second": ("rad", "m"),
    "m or m/s": ("m", "m"),
    "N·m or N": ("N·m", "N"),
    "rad or m": ("rad", "m"),
    "N·m/radⁿ or N/mⁿ": ("N·m/radⁿ", "N/mⁿ"),
    "rad/s or m/s": ("rad/s", "m/s"),
    "effort per speed error": ("N·m·s/rad", "N·s/m"),
    "effort per bend": ("N·m/rad", "N/m"),
}


VARIABLE_UNITS = {"t": "s"}  # of functions
COORDINATE_UNITS = {"angle": "rad", "displacement": "m"}  # of joints, one of each at most
TURNING_SLIPS = {"roll", "swivel"}  # slips of joints that count in radians


def coordinate_unit(coordinate: str) -> str:
    """Of a coordinate of a joint or a body: angles turn, all others (x, displacement …) are lengths."""
    return "rad" if coordinate in TURNING_SLIPS else COORDINATE_UNITS.get(coordinate, "m")


def unit_in(field: Field, owner: Any) -> str:
    """The SI unit of a field of this element."""
    if field.unit not in EITHER:
        return field.unit
    angle, length = EITHER[field.unit]
    between_points = hasattr(owner, "a") and hasattr(owner, "b")  # along lines, where no coordinate is named
    named = getattr(owner, "coordinate", "displacement" if between_points else "angle")
    turns = coordinate_unit(named) == "rad"
    unit = angle if turns else length
    return f"{unit}/s" if getattr(owner, "level", "") == "velocity" else unit
