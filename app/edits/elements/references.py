"""What elements call each other by: fields, expressions and groups under new names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.document.element_ref import Ref
from app.edits.elements.visitor import CHANNELS, WORK, changed, parts, reads_parameters, texts
from engine.elements.base import WORLD
from engine.maths.expressions import ExpressionError, parse, replace_names

Names = Mapping[Ref, str]  # element → its new name


def referring(node: Any, names: Names) -> Any:
    """A struct in which every reference to these elements has their new names."""
    parameters = {ref.name: new for ref, new in names.items() if ref.where == "parameters"}

    def change(owner: Any, info: Any, value: Any) -> Any:
        if info.role == "reference":
            return names.get(Ref(info.extra["to"], value), value)
        if info.role == "expression":
            return texts(value, lambda text: with_channels(text, names))
        if parameters and reads_parameters(info, value):
            return texts(value, lambda text: replaced_names(text, lambda known: parameters.get(known, known)))
        if info.name == "members" and value and not hasattr(owner, "kind"):
            return texts(value, lambda text: member(text, names))
        return value

    return changed(node, change)


def member(text: str, names: Names) -> str:
    """A member of a group, `bodies.crank`, under its new name."""
    where, _, name = text.partition(".")
    new = names.get(Ref(where, name))
    return text if new is None else f"{where}.{new}"


def with_channels(text: str, names: Names) -> str:
    """An expression with the channels of these elements, and parameters, under the new names."""
    return replaced_names(text, lambda known: _channel(known, names))


def _channel(known: str, names: Names) -> str:
    piece = known.split(".")
    if len(piece) == 1:
        return names.get(Ref("parameters", known), known)
    if piece[0] in CHANNELS:
        new = names.get(Ref(CHANNELS[piece[0]], piece[1]))
        return known if new is None else ".".join([piece[0], new, *piece[2:]])
    if piece[:2] == ["energy", "work"]:
        found = (names.get(Ref(where, ".".join(piece[2:]))) for where in WORK)
        new = next((name for name in found if name is not None), None)
        return known if new is None else f"energy.work.{new}"
    return known


def replaced_names(text: str, new: Callable[[str], str]) -> str:
    """An expression with its names put through a function."""
    try:
        found = {known: new(known) for known in parse(text).names}
    except ExpressionError:
        return text  # told as a problem of its own
    changes = {known: name for known, name in found.items() if name != known}
    return replace_names(text, changes) if changes else text


def used_by(item: Any) -> set[Ref]:
    """Elements that an element cannot be without: bodies and joints by name, channels in expressions."""
    found = set()
    for _, info, value in parts(item):
        if info.role == "reference" and value and value != WORLD:
            found.add(Ref(info.extra["to"], value))
        elif info.role == "expression":
            for text in (value,) if isinstance(value, str) else value:
                found |= _channels_in(text)
    return found


def points_of(item: Any) -> set[Ref]:
    """Named points of bodies that an element is at."""
    found = set()
    for owner, info, value in parts(item):
        if info.name == "point" and isinstance(value, str) and hasattr(owner, "body"):
            found.add(Ref("bodies", owner.body, value))
    return found


def parameters_in(item: Any) -> set[str]:
    """Names that numbers of an element use; functions use t, x and v too."""
    found: set[str] = set()

    def look(text: str) -> str:
        try:
            found.update(name for name in parse(text).names if "." not in name)
        except ExpressionError:
            return text
        return text

    for _, info, value in parts(item):
        if reads_parameters(info, value):
            texts(value, look)
    return found


def _channels_in(text: str) -> set[Ref]:
    try:
        names = parse(text).names
    except ExpressionError:
        return set()
    pieces = [name.split(".") for name in names]
    return {Ref(CHANNELS[p[0]], p[1]) for p in pieces if len(p) > 1 and p[0] in CHANNELS}
