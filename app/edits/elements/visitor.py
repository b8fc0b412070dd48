"""Going through a scene and changing values by what their fields mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from engine.elements.fields import Field, fields_of
from engine.model.checks import references

CHANNELS = {**references.CHANNELS, "force": "forces"}  # first word of a channel → list of its element
WORK = ("forces", "motions", "joints")  # lists whose elements have a channel energy.work.NAME

Change = Callable[[Struct, Field, Any], Any]  # the struct, its field, the value; the new value


def changed(node: Any, change: Change) -> Any:
    """The struct with every field changed, inside too; the same object when nothing differs."""
    new = {}
    for info in fields_of(type(node)):
        old = getattr(node, info.name)
        value = _inside(change(node, info, old), change)
        if value is not old:
            new[info.name] = value
    return msgspec.structs.replace(node, **new) if new else node


def _inside(value: Any, change: Change) -> Any:
    if isinstance(value, Struct):
        return changed(value, change)
    if isinstance(value, tuple):
        items = tuple(_inside(item, change) for item in value)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if isinstance(value, dict):
        pairs = {key: _inside(item, change) for key, item in value.items()}
        return value if all(pairs[key] is value[key] for key in value) else pairs
    return value


def parts(node: Any) -> Iterator[tuple[Struct, Field, Any]]:
    """Every field of a struct and of the structs inside it."""
    if isinstance(node, Struct):
        for info in fields_of(type(node)):
            value = getattr(node, info.name)
            yield node, info, value
            yield from parts(value)
    elif isinstance(node, tuple):
        for item in node:
            yield from parts(item)
    elif isinstance(node, dict):
        for item in node.values():
            yield from parts(item)


def reads_parameters(info: Field, value: Any) -> bool:
    """Whether texts in a field are expressions in which parameters may stand."""
    return info.role in ("number", "function", "expression") or (
        info.role == "vec" and not isinstance(value, str)
    )


def texts(value: Any, change: Callable[[str], Any]) -> Any:
    """Lists and dicts with every text in them changed."""
    if isinstance(value, str):
        new = change(value)
        return value if new == value else new
    if isinstance(value, tuple | list):
        items = [texts(item, change) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else type(value)(items)
    if isinstance(value, dict):
        pairs = {key: texts(item, change) for key, item in value.items()}
        return value if all(pairs[key] is value[key] for key in value) else pairs
    return value
