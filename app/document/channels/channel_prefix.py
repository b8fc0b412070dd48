"""How the channels of an element begin."""

from __future__ import annotations

from app.document.document import Ref, find
from engine.model.scene import Scene, kind_of, noun_of

LISTS_WITH_CHANNELS = ("bodies", "joints", "forces", "motions", "measures")


def channel_prefix(scene: Scene, ref: Ref) -> str:
    """`spring.shock`: the word of the element's list, or that of its kind, and its name; empty without any.

    Forces begin with the family of their kind.
    """
    if ref.where not in LISTS_WITH_CHANNELS:
        return ""
    item = find(scene, ref.element)
    noun = noun_of(ref.where)
    family = noun if item is None else getattr(kind_of(item), "family", noun)
    return f"{family}.{ref.name}"
