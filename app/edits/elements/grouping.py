"""Named groups of elements."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from app.document.document import Edit, Ref, find
from app.edits.elements.add_remove import free_name
from app.edits.elements.copies import chosen, words
from engine.errors import Problem, SceneError
from engine.model.scene import Group, Scene


def group(scene: Scene, refs: Iterable[Ref], name: str = "Group") -> Edit:
    """A new group of these elements; groups among them give their members. Raises SceneError."""
    members = tuple(ref for ref in chosen(scene, refs) if ref.where != "groups")
    if not members:
        raise SceneError([Problem("groups", name, "a group needs members", "select elements first")])
    name = free_name(scene, "groups", name)
    made = Group(name=name, members=tuple(f"{ref.where}.{ref.name}" for ref in members))
    return Edit(f"Group {words(members)}", scene.add(made), made=(Ref("groups", name),))


def ungroup(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Remove groups; their members stay."""
    names = {ref.name for ref in refs if ref.where == "groups"}
    kept = tuple(item for item in scene.groups if item.name not in names)
    gone = len(scene.groups) - len(kept)
    return Edit(
        f"Ungroup {', '.join(sorted(names)) if gone == 1 else f'{gone} groups'}", replace(scene, groups=kept)
    )


def set_members(scene: Scene, ref: Ref, refs: Iterable[Ref]) -> Edit:
    """Let a group have these members, in this order; raises SceneError."""
    item = find(scene, ref)
    if not isinstance(item, Group):
        raise SceneError([Problem(str(ref), ref.name, f"{ref.name!r} is no group", "choose a group")])
    members = tuple(dict.fromkeys(f"{r.where}.{r.name}" for r in refs if r.where != "groups"))
    return Edit(f"Change the members of {ref.name}", scene.replace(replace(item, members=members)))
