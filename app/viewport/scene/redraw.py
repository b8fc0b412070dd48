"""Which elements look different after an edit, so that all others can stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from app.document.element_ref import Ref
from engine.elements.fields import fields_of
from engine.elements.joints import JOINTS
from engine.model.scene import Scene
from engine.system.compiling.frames import Frames

DRAWN = ("bodies", "joints", "forces", "motions")
# numbers that no visual shows
UNSEEN = ("velocity", "angular_velocity", "hold", "start", "notes")
MASS = ("mass", "inertia")  # seen as ellipsoids only
POSE = ("position", "orientation", "angle")  # of a body that moves: its visual is moved, not drawn
FRAME_TOLERANCE = 1e-9  # m, and of directions: frames that differ by less are drawn alike


def redrawn(
    old: Scene, new: Scene, *, mass: bool = False, frames: tuple[Frames, Frames] | None = None
) -> set[Ref] | None:
    """Elements of a resolved scene that must be drawn again; None: everything, for it has other elements.

    `mass`: mass and inertia show. With the `frames` of both scenes, bodies that only start elsewhere stay as
    they are drawn, and so do joints that sit where they sat on their bodies.
    """
    unseen = UNSEEN if mass else (*UNSEEN, *MASS)
    hidden = {where: (*unseen, "function") if where == "motions" else unseen for where in DRAWN}
    if old.space != new.space or old.up != new.up or _names(old) != _names(new):
        return None
    found = {
        Ref(where, item.name)
        for where in DRAWN
        for before, item in zip(getattr(old, where), getattr(new, where), strict=True)
        if not _looks_alike(before, item, hidden[where])
    }
    if old.parameters != new.parameters:  # a function of time may use one
        found |= {Ref("forces", item.name) for item in new.forces if any(_formulas(item))}
    if not found:
        return found
    hanging = _Hanging(new)
    if frames is None:
        return hanging.with_neighbours(found)
    still = _moved_only(old, new, found, unseen)
    near = {ref for ref in hanging.with_neighbours(set(still)) if ref.where in ("joints", "forces")}
    return hanging.with_neighbours(((found - still) | near) - _sitting(old, new, frames, unseen))


def _moved_only(old: Scene, new: Scene, found: set[Ref], unseen: tuple[str, ...]) -> set[Ref]:
    """Bodies with shapes that are only somewhere else, and move."""
    made = set()
    for before, body in zip(old.bodies, new.bodies, strict=True):
        ref = Ref("bodies", body.name)
        moves = ref in found and body.shapes and not body.fixed and not before.fixed
        if moves and _looks_alike(before, body, (*unseen, *POSE)):
            made.add(ref)
    return made


def _sitting(old: Scene, new: Scene, frames: tuple[Frames, Frames], unseen: tuple[str, ...]) -> set[Ref]:
    """Joints whose frames lie in their bodies as before, however that is written."""
    made = set()
    before: Any
    joint: Any
    for before, joint in zip(old.joints, new.joints, strict=True):
        if not hasattr(joint, "a") or not hasattr(before, "a"):
            continue
        same = (before.a.body, before.b.body) == (joint.a.body, joint.b.body)
        if not same or not _looks_alike(before, joint, (*unseen, "a", "b")):
            continue
        try:
            was, now = (_pair(known, item) for known, item in zip(frames, (before, joint), strict=True))
        except (KeyError, ValueError):
            continue
        if np.abs(was - now).max() < FRAME_TOLERANCE:
            made.add(Ref("joints", joint.name))
    return made


def _pair(frames: Frames, joint: Any) -> Any:
    """Points and axes of both frames, shape (2, 4, 3)."""
    flat = JOINTS[str(joint.__struct_config__.tag)].planar_axis_is_x
    pair = frames.pair(joint.a, joint.b, axis_is_x=flat)
    return np.array([[frame.point, *frame.axes] for frame in pair])


class _Hanging:
    """What hangs on what: joints on bodies, motors on joints, bodies without shapes on their joints."""

    def __init__(self, scene: Scene) -> None:
        self._users = {
            Ref(where, item.name): set(_mentioned(item))
            for where in ("joints", "forces", "motions")
            for item in getattr(scene, where)
        }
        self._bare = {Ref("bodies", body.name) for body in scene.bodies if not body.shapes}

    def with_neighbours(self, found: set[Ref]) -> set[Ref]:
        """These elements and all that hang on them."""
        for ref in [ref for ref in found if ref in self._users] if self._bare else ():
            found |= self._users[ref] & self._bare
        while found:
            further = {
                user
                for user, mentioned in self._users.items()
                if user not in found and not mentioned.isdisjoint(found)
            }
            if not further:
                break
            found |= further
        return found


def _names(scene: Scene) -> tuple[Any, ...]:
    lists = tuple(tuple((type(item), item.name) for item in getattr(scene, where)) for where in DRAWN)
    return lists, tuple((trace.name, trace.color) for trace in scene.traces)


def _looks_alike(before: Any, item: Any, unseen: tuple[str, ...]) -> bool:
    """Whether two elements differ at most in numbers that do not show."""
    return before is item or (
        type(before) is type(item)
        and all(
            getattr(before, info.name) == getattr(item, info.name)
            for info in fields_of(type(item))
            if info.name not in unseen
        )
    )


def _mentioned(node: Any) -> Iterator[Ref]:
    """Elements that a struct refers to, also from the structs inside it."""
    for info in fields_of(type(node)):
        value = getattr(node, info.name)
        if info.role == "reference":
            yield Ref(str(info.extra["to"]), str(value))
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Struct):
                yield from _mentioned(part)


def _formulas(item: Any) -> Iterator[bool]:
    for info in fields_of(type(item)):
        value = getattr(item, info.name)
        if info.role == "function":
            yield any(isinstance(part, str) for part in (value if isinstance(value, tuple) else (value,)))
