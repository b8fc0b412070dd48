"""Edits of a scene: functions that make an `Edit`, to be applied to a document."""

from app.commands.duplicate import duplicate
from app.commands.elements import add, dependants, free_name, remove
from app.commands.fields import (
    change_field,
    choose_method,
    method_fields,
    set_field,
    set_parameter,
    set_simulation,
    set_start,
    set_visible,
)
from app.commands.parameters import parameter_users, substitute
from app.commands.parts import add_point, add_shape, duplicate_shape, remove_shape
from app.commands.rename import rename

__all__ = [
    "add",
    "add_point",
    "add_shape",
    "change_field",
    "choose_method",
    "dependants",
    "duplicate",
    "duplicate_shape",
    "free_name",
    "method_fields",
    "parameter_users",
    "remove",
    "remove_shape",
    "rename",
    "set_field",
    "set_parameter",
    "set_simulation",
    "set_start",
    "set_visible",
    "substitute",
]
