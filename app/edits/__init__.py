"""Edits of a scene: functions that make an `Edit`, to be applied to a document."""

from app.edits.accept_remedy import accept
from app.edits.building.bars.bar_length import set_length
from app.edits.building.bars.find_bars import find_bar
from app.edits.building.body_parts import add_point, add_shape, duplicate_shape, remove_shape
from app.edits.building.connect import (
    add_force,
    add_measure,
    add_motion,
    add_motor,
    add_trace,
    couple_joints,
    ground,
    insert_joint,
    measure_between,
)
from app.edits.building.contact import add_contact, add_floor
from app.edits.building.draw import Drawn, Meeting, Placement, draw, draw_into, drawn_bar, drawn_plate
from app.edits.building.joint_kind import change_joint_kind, kinds_for
from app.edits.building.masses import compute_mass, give_mass
from app.edits.building.pins import merge_joints, split_joints
from app.edits.building.planar_spatial import set_space
from app.edits.elements.add_remove import add, dependants, free_name, remove
from app.edits.elements.clipboard import as_text, fragment, from_text, paste
from app.edits.elements.copies import members
from app.edits.elements.duplicate import duplicate
from app.edits.elements.grouping import group, set_members, ungroup
from app.edits.elements.parameters import parameter_users, substitute
from app.edits.elements.rename import rename
from app.edits.elements.visibility import isolate, show_all
from app.edits.fields import (
    change_field,
    choose_method,
    method_fields,
    set_field,
    set_parameter,
    set_simulation,
    set_start,
    set_visible,
)
from app.edits.geometry.align import align, distribute
from app.edits.geometry.copy_pattern import pattern_circular, pattern_linear
from app.edits.geometry.mirror import mirror
from app.edits.geometry.move_together import move_together
from app.edits.geometry.scale import scale
from app.edits.geometry.swap_bodies import swap_bodies
from app.edits.start.instant import start_here, start_now
from app.edits.start.pose import move_start

__all__ = [
    "Drawn",
    "Meeting",
    "Placement",
    "accept",
    "add",
    "add_contact",
    "add_floor",
    "add_force",
    "add_measure",
    "add_motion",
    "add_motor",
    "add_point",
    "add_shape",
    "add_trace",
    "align",
    "as_text",
    "change_field",
    "change_joint_kind",
    "choose_method",
    "compute_mass",
    "couple_joints",
    "dependants",
    "distribute",
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
    "measure_between",
    "members",
    "merge_joints",
    "method_fields",
    "mirror",
    "move_start",
    "move_together",
    "parameter_users",
    "paste",
    "pattern_circular",
    "pattern_linear",
    "remove",
    "remove_shape",
    "rename",
    "scale",
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
