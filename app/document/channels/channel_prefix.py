"""How the channels of an element begin."""

from __future__ import annotations

from app.document.document import Ref, find
from engine.model.scene import Scene, kind_of

NOUNS = {"bodies": "body", "joints": "joint", "forces": "force", "motions": "motion", "measures": "measure"}


def channel_prefix(scene: Scene, ref: Ref) -> str:
    """`spring.shock`: the word of the element's list, or that of its kind, and its name; empty without any.

    Forces begin with the family of their kind.
    """
    if ref.where not in NOUNS:
        return ""
    item = find(scene, ref.element)
    noun = getattr(kind_of(item), "family", NOUNS[ref.where]) if item is not None else NOUNS[ref.where]
    return f"{noun}.{ref.name}"
