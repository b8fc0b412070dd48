"""Copies of elements in their place, with the joints, forces and motions among them."""

from __future__ import annotations

from collections.abc import Iterable

from app.document.document import Edit, Ref
from app.edits.elements.copies import chosen, with_copies, with_what_holds, words
from engine.elements.bodies.body import Body
from engine.model.scene import Scene


def duplicate(scene: Scene, refs: Iterable[Ref], shown: Scene | None = None) -> Edit:
    """Copy elements under new names; copies refer to each other, all else to the originals.

    `shown` is the same scene with the bodies where they are seen: copies of bodies are taken from it.
    """
    wanted = chosen(scene, refs)
    seen = {body.name: body for body in (shown or scene).bodies}
    copies = with_copies(
        scene,
        with_what_holds(scene, wanted),
        lambda item: seen[item.name] if isinstance(item, Body) else item,
    )
    return Edit(f"Duplicate {words(wanted)}", copies.after, made=copies.made)
