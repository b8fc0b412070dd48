"""Edits of a scene: functions that make an `Edit`, to be applied to a document."""

from app.commands.duplicate import duplicate
from app.commands.elements import add, dependants, free_name, remove
from app.commands.fields import set_field, set_parameter, set_simulation, set_start, set_visible
from app.commands.rename import rename

__all__ = [
    "add",
    "dependants",
    "duplicate",
    "free_name",
    "remove",
    "rename",
    "set_field",
    "set_parameter",
    "set_simulation",
    "set_start",
    "set_visible",
]
