"""Every number of a scene by the way to it: to read them, to write others, and to write what they mean.

Coordinates that were turned into a link's frame carry what rounding left in them: 0.11999999999999998 m and
6.9e-18 m; velocities, what differences are good for: 2.9999999999995 rad/s. A scene has what is meant.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.elements.fields import fields_of
from engine.maths.round_numbers import exact
from engine.model.scene import LISTS, Scene

Key = tuple[Any, ...]  # way to a number: list, place, field, ...
RATES = ("velocity", "angular_velocity")  # fields of bodies that templates find by differences
DIGITS = 14  # of the largest number around, which the arithmetic of a template leaves right


def numbers_of(scene: Scene) -> dict[Key, Any]:
    """Every value of the elements by the way to it."""
    found: dict[Key, Any] = {}
    for where in LISTS:
        for i, item in enumerate(getattr(scene, where)):
            found.update(_inside(item, (where, i)))
    return found


def with_numbers(scene: Scene, values: Mapping[Key, Any]) -> Scene:
    """The same with these values, numbers or expressions, in their places."""
    lists = {
        where: tuple(_written(item, (where, i), values) for i, item in enumerate(getattr(scene, where)))
        for where in LISTS
    }
    return replace(scene, **lists)


def with_meant_numbers(scene: Scene) -> Scene:
    """The same without what arithmetic left in the last digits of its numbers."""
    values = {key: value for key, value in numbers_of(scene).items() if isinstance(value, float)}
    largest: dict[Key, float] = {}
    for key, value in values.items():
        if isinstance(key[-1], int):  # one of a vector
            largest[key[:-1]] = max(largest.get(key[:-1], 0.0), abs(value))
    size = max((abs(value) for key, value in values.items() if "position" in key), default=0.0)
    meant = {}
    for key, value in values.items():
        around = max(abs(value), largest.get(key[:-1], 0.0), size if "position" in key else 0.0)
        found = _meant(value, 1.0 if key[-1] == "angle" else around, rate=bool(set(RATES) & set(key)))
        if found != value:
            meant[key] = found
    return with_numbers(scene, meant)


def _meant(value: float, around: float, *, rate: bool) -> float:
    if rate or not 0.0 < around < math.inf:
        return exact(value, around)
    return round(value, DIGITS - math.ceil(math.log10(around))) + 0.0


def _inside(node: Any, way: Key) -> Iterator[tuple[Key, Any]]:
    if isinstance(node, Struct):
        for info in fields_of(type(node)):
            yield from _inside(getattr(node, info.name), (*way, info.name))
    elif isinstance(node, tuple):
        for i, item in enumerate(node):
            yield from _inside(item, (*way, i))
    elif isinstance(node, dict):
        for name, item in node.items():
            yield from _inside(item, (*way, name))
    else:
        plain = isinstance(node, int | float) and not isinstance(node, bool)
        yield way, float(node) if plain else node


def _written(node: Any, way: Key, values: Mapping[Key, Any]) -> Any:
    """The same with other values in their places."""
    if way in values:
        return values[way]
    if isinstance(node, Struct):
        new = {
            info.name: _written(getattr(node, info.name), (*way, info.name), values)
            for info in fields_of(type(node))
        }
        changed = {name: value for name, value in new.items() if value is not getattr(node, name)}
        return replace(node, **changed) if changed else node
    if isinstance(node, tuple):
        items = tuple(_written(item, (*way, i), values) for i, item in enumerate(node))
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items
    if isinstance(node, dict):
        pairs = {name: _written(item, (*way, name), values) for name, item in node.items()}
        return node if all(pairs[name] is node[name] for name in node) else pairs
    return node
