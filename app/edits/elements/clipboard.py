"""Copy and paste: elements as a scene file of their own, which other windows and text editors can read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from app.document.document import Edit, Ref, find
from app.edits.elements.add_remove import free_name
from app.edits.elements.copies import chosen, with_what_holds
from app.edits.elements.references import parameters_in, points_of, referring, used_by
from engine.errors import Problem, SceneError
from engine.model.files.json_text import read_json
from engine.model.files.migrations import migrate
from engine.model.files.scene_file import MAX_BYTES, decode_scene, dumps
from engine.model.scene import LISTS, Group, Scene, noun_of


def fragment(scene: Scene, refs: Iterable[Ref]) -> Scene:
    """A scene of these elements, of what acts between them alone, and of the parameters they use."""
    wanted = set(with_what_holds(scene, chosen(scene, refs)))
    wanted |= {Ref("parameters", name) for name in _parameters(scene, wanted)}
    lists: dict[str, Any] = {
        where: tuple(item for item in getattr(scene, where) if Ref(where, item.name) in wanted)
        for where in LISTS
    }
    lists["groups"] = tuple(_within(item, wanted) for item in lists["groups"])
    return Scene(space=scene.space, **lists)


def as_text(piece: Scene) -> str:
    """A fragment as it goes to the clipboard."""
    return dumps(piece)


def from_text(text: str) -> Scene:
    """The fragment in a text; raises SceneError. What it refers to need not be in it."""
    if len(text) > MAX_BYTES:
        raise SceneError([Problem("", len(text), "the clipboard holds too much", "open it as a file")])
    raw = read_json(text)
    problems = migrate(raw)
    if not problems:
        decoded = decode_scene(raw)
        problems = decoded.problems
    if problems:
        raise SceneError(problems)
    return decoded.scene


def paste(scene: Scene, piece: Scene) -> Edit:
    """Add the elements of a fragment under free names; raises SceneError when none of them can be added.

    References inside the fragment stay inside. Others mean elements of this scene; what refers to something
    that is not here is left out, and the notes tell why.
    """
    filled = any(getattr(scene, where) for where in ("bodies", "joints", "forces"))
    if piece.space != scene.space and piece.bodies + piece.joints + piece.forces and filled:
        text = f"these come from a {piece.space} scene, and this one is {scene.space}"
        raise SceneError([Problem("space", piece.space, text, "paste them into a new scene")])
    after = scene if filled else msgspec.structs.replace(scene, space=piece.space)
    missing = _missing(scene, piece)
    names: dict[Ref, str] = {}
    made: list[Ref] = []
    for where in LISTS:
        for item in getattr(piece, where):
            ref = Ref(where, item.name)
            if ref in missing or (where == "parameters" and _known(scene, item)):
                continue
            names[ref] = free_name(after, where, item.name)
            new = msgspec.structs.replace(item, name=names[ref])
            after = msgspec.structs.replace(after, **{where: (*getattr(after, where), new)})
            made.append(Ref(where, names[ref]))
    for ref in made:
        item = find(after, ref)
        if isinstance(item, Group):
            item = _within(item, names)
            after = after.replace(item)
        after = after.replace(referring(item, names))
    notes = tuple(f"{ref.name} was left out: {why}" for ref, why in missing.items())
    if not made:
        why = "; ".join(notes) or "there is nothing that is not here already"
        raise SceneError([Problem("", None, why, "copy what it belongs to as well")])
    shown = tuple(ref for ref in made if ref.where != "parameters") or tuple(made)
    count = shown[0].name if len(shown) == 1 else f"{len(shown)} elements"
    return Edit(f"Paste {count}", after, made=shown, notes=notes)


def _within(group: Group, wanted: Iterable[Ref]) -> Group:
    """A group with those members only."""
    kept = {f"{ref.where}.{ref.name}" for ref in wanted}
    members = tuple(text for text in group.members if text in kept)
    return msgspec.structs.replace(group, members=members)


def _parameters(scene: Scene, wanted: set[Ref]) -> set[str]:
    """Parameters that elements use, and those that these use."""
    known = {parameter.name: parameter for parameter in scene.parameters}
    found: set[str] = set()
    new = {name for ref in wanted for name in parameters_in(find(scene, ref)) if name in known}
    while new - found:
        found |= new
        new = {name for one in found for name in parameters_in(known[one]) if name in known} | found
    return found


def _known(scene: Scene, parameter: object) -> bool:
    """Whether the scene has this parameter with the same value."""
    mine = find(scene, Ref("parameters", getattr(parameter, "name", "")))
    return mine is not None and mine.value == getattr(parameter, "value", None)


def _missing(scene: Scene, piece: Scene) -> dict[Ref, str]:
    """Elements that cannot be pasted, each with the reason."""
    found: dict[Ref, str] = {}
    size = -1
    while size != len(found):
        size = len(found)
        for where in LISTS:
            for item in getattr(piece, where):
                ref = Ref(where, item.name)
                reason = "" if ref in found else _lacks(scene, piece, item, found)
                if reason:
                    found[ref] = reason
    return found


def _lacks(scene: Scene, piece: Scene, item: object, gone: dict[Ref, str]) -> str:
    for ref in sorted(used_by(item), key=str):
        inside = find(piece, ref) is not None and ref not in gone
        if not inside and find(scene, ref) is None:
            return f"there is no {noun_of(ref.where)} {ref.name!r} here"
    for ref in sorted(points_of(item), key=str):
        body = find(piece, ref.element) or find(scene, ref.element)
        if body is not None and all(point.name != ref.part for point in body.points):
            return f"body {ref.name!r} has no point {ref.part!r} here"
    return ""
