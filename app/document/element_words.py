"""Words for what is selected and for what went wrong, the same in all panels."""

from __future__ import annotations

from typing import Any

from app.document.document import Ref, find
from engine.model.scene import KINDS, LISTS, Scene, noun_of


def element(scene: Scene, ref: Ref) -> Any:
    """The element of a list that a reference means, None when it is gone."""
    return find(scene, ref.element) if ref.where in LISTS else None


def shown_refs(scene: Scene, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """References to whole elements that exist, each once."""
    whole = dict.fromkeys(ref.element for ref in refs)
    return tuple(ref for ref in whole if element(scene, ref) is not None)


def kind_title(where: str, item: Any) -> str:
    """`Revolute joint`, `Body`."""
    one = noun_of(where)
    tag = item.__struct_config__.tag
    if where in KINDS and tag in KINDS[where]:
        title = KINDS[where][tag].title
        return title if one in title.lower() else f"{title} {one}"
    return one.capitalize()


def reason(error: Exception) -> str:
    """One line on what is wrong and how to mend it."""
    problems = getattr(error, "problems", ())
    if problems:
        return f"{problems[0].message}; {problems[0].remedy}"
    return str(error.args[0] if error.args else error)
