"""Copies of elements; copies that belong together refer to each other, all else to the originals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from app.commands.elements import free_name
from app.commands.walk import changed
from app.document import Edit, Ref, find
from engine.model.scene import LISTS, Scene


def duplicate(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Copy elements under new names."""
    chosen = [ref for ref in dict.fromkeys(ref.element for ref in refs) if find(scene, ref) is not None]
    chosen = [ref for ref in chosen if ref.where in LISTS]
    names: dict[Ref, str] = {}
    after = scene
    for ref in chosen:
        name = free_name(after, ref.where, ref.name)
        names[ref] = name
        copy = msgspec.structs.replace(find(scene, ref), name=name)
        after = msgspec.structs.replace(after, **{ref.where: (*getattr(after, ref.where), copy)})

    def change(_node: Any, info: Any, value: Any) -> Any:
        return names.get(Ref(info.extra["to"], value), value) if info.role == "reference" else value

    for ref in chosen:
        copy = find(after, Ref(ref.where, names[ref]))
        after = after.replace(changed(copy, change))
    text = chosen[0].name if len(chosen) == 1 else f"{len(chosen)} elements"
    return Edit(f"Duplicate {text}", after)
