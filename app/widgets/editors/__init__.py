"""Editors of single values: one per file, one line here. The first that fits a field is taken."""

from app.widgets.editors import (
    choice,
    color,
    direction,
    expression,
    file,
    flag,
    function,
    members,
    number,
    numberlist,
    orientation,
    pairs,
    point,
    text,
    vector,
)
from app.widgets.editors.base import Change, Context, Editor
from app.widgets.editors.editor_kind import Ask, EditorKind

__all__ = ["EDITORS", "Ask", "Change", "Context", "Editor", "editor_for"]

EDITORS: tuple[EditorKind, ...] = (  # special ones first
    members.KIND,
    choice.REFERENCE,
    choice.NUMBERED,
    direction.KIND,
    point.KIND,
    function.SEVERAL_FUNCTIONS,
    function.KIND,
    expression.SEVERAL_EXPRESSIONS,
    expression.KIND,
    orientation.KIND,
    pairs.KIND,
    numberlist.KIND,
    vector.KIND,
    flag.KIND,
    choice.KIND,
    number.KIND,
    color.KIND,
    file.KIND,
    text.NOTES,
    text.KIND,
)


def editor_for(ask: Ask) -> Editor | None:
    """The editor of a field; None where there is none."""
    kind = next((kind for kind in EDITORS if kind.fits(ask)), None)
    return kind.make(ask) if kind is not None else None
