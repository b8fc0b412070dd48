"""The unit of a field where it depends on its element: a motion of an angle, a motor on a slider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.elements.fields import Field
from engine.model.scene import Parameter

# what the metadata say where two sorts of coordinates are possible → for an angle, for a length
EITHER = {
    "m, rad or per second": ("rad", "m"),
    "N·m or N": ("N·m", "N"),
    "rad/s or m/s": ("rad/s", "m/s"),
    "effort per speed error": ("N·m·s/rad", "N·s/m"),
}


def unit_of(field: Field, owners: Sequence[Any]) -> str:
    """The SI unit of a field of these elements; empty where they differ."""
    units = {_unit(field, owner) for owner in owners}
    return units.pop() if len(units) == 1 else ""


def _unit(field: Field, owner: Any) -> str:
    if isinstance(owner, Parameter) and field.role == "number":
        return owner.unit
    if field.unit not in EITHER:
        return field.unit
    angle, length = EITHER[field.unit]
    unit = angle if getattr(owner, "coordinate", "angle") == "angle" else length
    return f"{unit}/s" if getattr(owner, "level", "") == "velocity" else unit
