"""Copies of elements under free names: they refer to each other, and to the originals of all else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from app.document.document import Ref, find
from app.edits.elements.add_remove import free_among
from app.edits.elements.references import referring, used_by
from engine.elements.base import WORLD
from engine.model.scene import LISTS, Group, Scene

HOLDING = ("joints", "forces", "motions")  # lists whose elements hold bodies together or drive them
Change = Callable[[Any], Any]  # of an element, before it gets its names
ORDER = {where: i for i, where in enumerate(LISTS)}


@dataclass(frozen=True)
class Copies:
    """A scene with copies in it, and what they are called."""

    after: Scene
    made: tuple[Ref, ...]


def chosen(scene: Scene, refs: Iterable[Ref]) -> tuple[Ref, ...]:
    """Whole elements that exist, each once; a group stands for itself and its members."""
    found: dict[Ref, None] = {}
    for ref in refs:
        item = find(scene, ref.element) if ref.where in LISTS else None
        if item is None:
            continue
        if isinstance(item, Group):
            found |= dict.fromkeys(members(scene, item))
        found[ref.element] = None
    return tuple(sorted(found, key=lambda ref: ORDER[ref.where]))


def members(scene: Scene, group: Group) -> tuple[Ref, ...]:
    """The elements of a group that exist."""
    named = (text.partition(".") for text in group.members)
    refs = (Ref(where, name) for where, _, name in named if where in LISTS)
    return tuple(ref for ref in refs if find(scene, ref) is not None)


def with_what_holds(scene: Scene, refs: Iterable[Ref], *, ground: bool = False) -> tuple[Ref, ...]:
    """The elements, and the joints, forces and motions that act between them alone.

    `ground`: also those between one of the bodies and the world.
    """
    found = dict.fromkeys(chosen(scene, refs))
    size = -1
    while size != len(found):
        size = len(found)
        for where in HOLDING:
            for item in getattr(scene, where):
                if Ref(where, item.name) not in found and _among(item, found, ground):
                    found[Ref(where, item.name)] = None
    return tuple(sorted(found, key=lambda ref: ORDER[ref.where]))


def _among(item: Any, found: dict[Ref, None], ground: bool) -> bool:
    needs = used_by(item)
    if not needs or not needs <= set(found):
        return False
    sides = [getattr(item, side, None) for side in ("a", "b")]
    bodies = {getattr(side, "body", "") for side in sides if side is not None}
    if bodies:  # between two bodies, or a body and the ground
        return len(bodies) == 2 and (ground or WORLD not in bodies)
    return all(ref.where == "joints" for ref in needs)


def with_copies(scene: Scene, refs: Iterable[Ref], *changes: Change) -> Copies:
    """The scene with copies of these elements: one set for each change, which is made to it beforehand."""
    wanted = [(ref, find(scene, ref)) for ref in refs]
    wanted = [(ref, item) for ref, item in wanted if item is not None]
    taken = {where: {item.name for item in getattr(scene, where)} for where in LISTS}
    added: dict[str, list[Any]] = {}
    made: list[Ref] = []
    for change in changes or (lambda item: item,):
        names: dict[Ref, str] = {}
        for ref, _ in wanted:
            names[ref] = free_among(taken[ref.where], ref.where, ref.name)
            taken[ref.where].add(names[ref])
        for ref, item in wanted:
            copy = change(item)
            if isinstance(copy, Group):
                kept = tuple(f"{m.where}.{m.name}" for m in members(scene, copy) if m in names)
                copy = msgspec.structs.replace(copy, members=kept)
            copy = msgspec.structs.replace(referring(copy, names), name=names[ref])
            added.setdefault(ref.where, []).append(copy)
            made.append(Ref(ref.where, names[ref]))
    lists = {where: (*getattr(scene, where), *items) for where, items in added.items()}
    return Copies(msgspec.structs.replace(scene, **lists), tuple(made))


def words(refs: tuple[Ref, ...]) -> str:
    """`crank`, or `3 elements`."""
    return refs[0].name if len(refs) == 1 else f"{len(refs)} elements"
