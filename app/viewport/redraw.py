"""Which elements look different after an edit, so that all others can stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from app.refs import Ref
from engine.elements.fields import fields_of
from engine.model.scene import Scene

DRAWN = ("bodies", "joints", "forces", "motions")
# numbers that no visual shows
UNSEEN = ("velocity", "angular_velocity", "hold", "start", "notes")
MASS = ("mass", "inertia")  # seen as ellipsoids only


def redrawn(old: Scene, new: Scene, *, mass: bool = False) -> set[Ref] | None:
    """Elements of a resolved scene that must be drawn again; None: everything, for it has other elements.

    `mass`: mass and inertia show.
    """
    unseen = UNSEEN if mass else (*UNSEEN, *MASS)
    if old.space != new.space or old.up != new.up or _names(old) != _names(new):
        return None
    found = {
        Ref(where, item.name)
        for where in DRAWN
        for before, item in zip(getattr(old, where), getattr(new, where), strict=True)
        if before is not item and _seen(before, unseen) != _seen(item, unseen)
    }
    if old.parameters != new.parameters:  # a function of time may use one
        for where in ("forces", "motions"):
            found |= {Ref(where, item.name) for item in getattr(new, where) if any(_formulas(item))}
    return _with_neighbours(new, found)


def _with_neighbours(scene: Scene, found: set[Ref]) -> set[Ref]:
    """And what hangs on them: joints on bodies, motors on joints, bodies without shapes on their joints."""
    if not found:
        return found
    users = {
        Ref(where, item.name): set(_mentioned(item))
        for where in ("joints", "forces", "motions")
        for item in getattr(scene, where)
    }
    bare = {Ref("bodies", body.name) for body in scene.bodies if not body.shapes}
    for ref in [ref for ref in found if ref in users]:
        found |= users[ref] & bare
    while True:
        further = {user for user, mentioned in users.items() if user not in found and mentioned & found}
        if not further:
            return found
        found |= further


def _names(scene: Scene) -> tuple[Any, ...]:
    lists = tuple(tuple((type(item), item.name) for item in getattr(scene, where)) for where in DRAWN)
    return lists, tuple((trace.name, trace.color) for trace in scene.traces)


def _seen(item: Any, unseen: tuple[str, ...]) -> Any:
    """An element without the numbers that do not show."""
    hidden = {info.name: info.default for info in fields_of(type(item)) if info.name in unseen}
    return msgspec.structs.replace(item, **hidden) if hidden else item


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
