"""Edits of a scene: functions that make an `Edit`, to be applied to a document."""

from app.commands.bar_length import set_length
from app.commands.bars import find_bar
from app.commands.clipboard import as_text, fragment, from_text, paste
from app.commands.copies import members
from app.commands.drawing import Drawn, Meeting, Placement, draw, draw_into, drawn_bar, drawn_plate
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
from app.commands.grouping import group, set_members, ungroup
from app.commands.joining import (
    add_body_motion,
    add_force,
    add_measure,
    add_motor,
    add_trace,
    angle_measure,
    couple_joints,
    distance_measure,
    ground,
    insert_joint,
)
from app.commands.joint_kind import change_joint_kind, kinds_for
from app.commands.masses import compute_mass, give_mass
from app.commands.mirror import mirror
from app.commands.move import move_start
from app.commands.offers import accept
from app.commands.parameters import parameter_users, substitute
from app.commands.parts import add_point, add_shape, duplicate_shape, remove_shape
from app.commands.pattern import pattern_circular, pattern_linear
from app.commands.pins import merge_joints, split_joints
from app.commands.rename import rename
from app.commands.showing import isolate, show_all
from app.commands.space import set_space
from app.commands.start import start_here, start_now
from app.commands.swap import swap_bodies

__all__ = [
    "Drawn",
    "Meeting",
    "Placement",
    "accept",
    "add",
    "add_body_motion",
    "add_force",
    "add_measure",
    "add_motor",
    "add_point",
    "add_shape",
    "add_trace",
    "angle_measure",
    "as_text",
    "change_field",
    "change_joint_kind",
    "choose_method",
    "compute_mass",
    "couple_joints",
    "dependants",
    "distance_measure",
    "draw",
    "draw_into",
    "drawn_bar",
    "drawn_plate",
    "duplicate",
    "duplicate_shape",
    "find_bar",
    "fragment",
    "free_name",
    "from_text",
    "give_mass",
    "ground",
    "group",
    "insert_joint",
    "isolate",
    "kinds_for",
    "members",
    "merge_joints",
    "method_fields",
    "mirror",
    "move_start",
    "parameter_users",
    "paste",
    "pattern_circular",
    "pattern_linear",
    "remove",
    "remove_shape",
    "rename",
    "set_field",
    "set_length",
    "set_members",
    "set_parameter",
    "set_simulation",
    "set_space",
    "set_start",
    "set_visible",
    "show_all",
    "split_joints",
    "start_here",
    "start_now",
    "substitute",
    "swap_bodies",
    "ungroup",
]
