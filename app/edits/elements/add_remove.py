"""Adding and removing elements; what refers to a removed element goes with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from app.document.document import Edit, Ref, find
from app.edits.elements.parameters import refuse_used
from app.edits.elements.visitor import CHANNELS, WORK, changed, parts
from engine.maths.expressions import ExpressionError, parse
from engine.model.scene import LISTS, Scene, list_of

_NUMBER = re.compile(r"([ _-]?)(\d+)$")


def add(scene: Scene, *elements: Any) -> Edit:
    """Add elements at the end of their lists; a name that is taken gets a number."""
    after = scene
    for element in elements:
        name = free_name(after, list_of(element), element.name)
        after = after.add(element if name == element.name else msgspec.structs.replace(element, name=name))
    names = elements[0].name if len(elements) == 1 else f"{len(elements)} elements"
    return Edit(f"Add {names}", after)


def remove(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Remove elements and points, and all that cannot be without them.

    Raises SceneError for a parameter that is still used: `substitute` puts its value in its place.
    """
    chosen = tuple(dict.fromkeys(refs))
    points = {(ref.name, ref.part) for ref in chosen if ref.part and ref.where == "bodies"}
    whole = [ref for ref in chosen if not ref.part and ref.where in LISTS]
    gone = {*whole, *dependants(scene, whole)}
    refuse_used(scene, gone)
    after = _without_points(scene, points) if points else scene
    after = msgspec.structs.replace(
        after,
        **{
            where: tuple(item for item in getattr(after, where) if Ref(where, item.name) not in gone)
            for where in LISTS
        },
    )
    members = {f"{ref.where}.{ref.name}" for ref in gone}
    groups = tuple(
        msgspec.structs.replace(group, members=tuple(m for m in group.members if m not in members))
        for group in after.groups
    )
    stops = tuple(text for text in after.simulation.stop_when if not _speaks_of(text, gone))
    simulation = msgspec.structs.replace(after.simulation, stop_when=stops)
    after = msgspec.structs.replace(
        after,
        groups=after.groups if groups == after.groups else groups,
        simulation=after.simulation if stops == after.simulation.stop_when else simulation,
    )
    names = (chosen[0].part or chosen[0].name) if len(chosen) == 1 else f"{len(chosen)} elements"
    return Edit(f"Remove {names}", after)


def dependants(scene: Scene, refs: Iterable[Ref]) -> tuple[Ref, ...]:
    """Elements that refer to these, directly or through others, in the order of the scene."""
    given = set(refs)
    gone, size = set(given), -1
    while len(gone) != size:
        size = len(gone)
        for where in LISTS:
            for item in getattr(scene, where):
                if Ref(where, item.name) not in gone and _needs(item, gone):
                    gone.add(Ref(where, item.name))
    found = gone - given
    return tuple(
        Ref(where, item.name)
        for where in LISTS
        for item in getattr(scene, where)
        if Ref(where, item.name) in found
    )


def free_name(scene: Scene, where: str, wanted: str) -> str:
    """The wanted name, or the next one that is free: crank, crank 2; J1, J2."""
    return free_among({item.name for item in getattr(scene, where)}, where, wanted)


def free_among(taken: Collection[str], where: str, wanted: str) -> str:
    """As `free_name`, where these names are taken."""
    if wanted not in taken:
        return wanted
    found = _NUMBER.search(wanted)
    if found and found.start():
        stem, joiner, number = wanted[: found.start()], found[1], int(found[2]) + 1
    else:
        stem, joiner, number = wanted, "_" if where == "parameters" else " ", 2
    while f"{stem}{joiner}{number}" in taken:
        number += 1
    return f"{stem}{joiner}{number}"


def _needs(item: Any, gone: set[Ref]) -> bool:
    for _, info, value in parts(item):
        if info.role == "reference" and Ref(info.extra["to"], value) in gone:
            return True
        if info.role == "expression":
            listed = (value,) if isinstance(value, str) else value
            if any(_speaks_of(text, gone) for text in listed):
                return True
    return False


def _speaks_of(text: str, gone: set[Ref]) -> bool:
    """Whether an expression reads a channel of one of these."""
    try:
        names = parse(text).names
    except ExpressionError:
        return False
    for name in names:
        piece = name.split(".")
        if len(piece) > 1 and piece[0] in CHANNELS and Ref(CHANNELS[piece[0]], piece[1]) in gone:
            return True
        if piece[:2] == ["energy", "work"] and any(Ref(where, ".".join(piece[2:])) in gone for where in WORK):
            return True
    return False


def _without_points(scene: Scene, points: set[tuple[str, str]]) -> Scene:
    """The scene without named points; what was at them stays there, by coordinates."""

    def change(node: Any, info: Any, value: Any) -> Any:
        if info.name == "point" and isinstance(value, str) and (getattr(node, "body", ""), value) in points:
            return find(scene, Ref("bodies", node.body)).point(value).position
        if info.name == "points" and hasattr(node, "shapes"):
            kept = tuple(p for p in value if (node.name, p.name) not in points)
            return value if len(kept) == len(value) else kept
        return value

    result = changed(scene, change)
    assert isinstance(result, Scene)
    return result
