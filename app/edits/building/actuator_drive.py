"""How a linear actuator is driven: by a length over time, by a speed, or by a force."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from app.document.document import Edit, Ref, find
from app.edits.building.connect import add_force, add_motion
from app.edits.elements.add_remove import free_name
from engine.errors import Problem, SceneError
from engine.model.scene import Scene, kind_of

Drive = Literal["motion", "speed", "force"]
FORCE, MOTION = "linear_actuator", "linear_motion"
SPEED = 0.05  # m/s, of one that is to be driven by a speed
WORDS: dict[Drive, str] = {"motion": "a length over time", "speed": "a speed", "force": "a force"}


def is_actuator(scene: Scene, ref: Ref) -> bool:
    """Also asked of what is no element: the settings, or one that was removed a moment ago."""
    item = find(scene, ref) if ref.where in ("forces", "motions") else None
    return item is not None and kind_of(item).name in (FORCE, MOTION)


def drive_of(scene: Scene, ref: Ref) -> Drive:
    """What drives an actuator now."""
    item: Any = find(scene, ref)
    if ref.where == "motions":
        return "speed" if item.level == "velocity" else "motion"
    return "force"


def drive_actuator(scene: Scene, ref: Ref, by: Drive) -> Edit:
    """Let an actuator be driven otherwise, between the same points and with the same stroke.

    Raises SceneError for what is no actuator.
    """
    item: Any = find(scene, ref)
    if item is None or not is_actuator(scene, ref):
        text = f"{ref.name or 'this'} is no linear actuator"
        raise SceneError([Problem(str(ref), ref.name, text, "select a linear actuator")])
    kept = [other for other in getattr(scene, ref.where) if other.name != ref.name]
    without = msgspec.structs.replace(scene, **{ref.where: tuple(kept)})
    ends = {"a": item.a, "b": item.b}
    if by == "force":
        after, where = add_force(without, FORCE, **ends).after, "forces"
    else:
        after, where = add_motion(without, MOTION, **ends).after, "motions"
    looks = ("closed_length", "stroke", "color", "opacity", "layer", "visible", "notes")
    fields = {name: getattr(item, name) for name in looks}
    if by == "speed":
        fields |= {"level": "velocity", "function": SPEED}
    made = getattr(after, where)[-1]
    name = free_name(without, where, item.name)
    new = msgspec.structs.replace(made, name=name, **fields)
    rest = getattr(after, where)[:-1]
    after = msgspec.structs.replace(after, **{where: (*rest, new)})
    return Edit(f"Drive {item.name} by {WORDS[by]}", after, made=(Ref(where, name),))
