"""The unit of a field of one or several elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.elements.field_units import unit_in
from engine.elements.fields import Field
from engine.model.scene import Parameter


def unit_of(field: Field, owners: Sequence[Any]) -> str:
    """The SI unit of a field of these elements; empty where they differ."""
    units = {_unit(field, owner) for owner in owners}
    return units.pop() if len(units) == 1 else ""


def _unit(field: Field, owner: Any) -> str:
    if isinstance(owner, Parameter) and field.role == "number":
        return owner.unit
    return unit_in(field, owner)
