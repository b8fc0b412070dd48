"""What is shown: some elements alone, or everything."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from app.document.document import Edit, Ref
from app.edits.elements.copies import chosen, with_what_holds, words
from engine.model.scene import LISTS, Scene

SHOWN = tuple(where for where in LISTS if where not in ("parameters", "groups"))


def isolate(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Show these elements and what acts between them, hide all else."""
    asked = tuple(refs)
    given = chosen(scene, asked)
    return Edit(f"Isolate {words(asked)}", _with_shown(scene, set(with_what_holds(scene, given))))


def show_all(scene: Scene) -> Edit:
    """Show every element."""
    return Edit("Show all", _with_shown(scene, None))


def _with_shown(scene: Scene, only: set[Ref] | None) -> Scene:
    lists = {}
    for where in SHOWN:
        items = getattr(scene, where)
        wanted = [only is None or Ref(where, item.name) in only for item in items]
        if any(item.visible != shown for item, shown in zip(items, wanted, strict=True)):
            lists[where] = tuple(
                item if item.visible == shown else msgspec.structs.replace(item, visible=shown)
                for item, shown in zip(items, wanted, strict=True)
            )
    return msgspec.structs.replace(scene, **lists) if lists else scene
