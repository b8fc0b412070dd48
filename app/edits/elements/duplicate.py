"""Copies of elements in their place, with the joints, forces and motions among them."""

from __future__ import annotations

from collections.abc import Iterable

from app.document.document import Edit, Ref
from app.edits.elements.copies import chosen, with_copies, with_what_holds, words
from engine.model.scene import Scene


def duplicate(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Copy elements under new names; copies refer to each other, all else to the originals."""
    wanted = chosen(scene, refs)
    copies = with_copies(scene, with_what_holds(scene, wanted))
    return Edit(f"Duplicate {words(wanted)}", copies.after, made=copies.made)
