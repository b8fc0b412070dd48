"""Joint coordinates that count the other way: what drives or couples them is changed to do the same."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from engine.elements.arithmetic import negated
from engine.model.scene import kind_of


def with_reversed(item: Any, joints: Collection[str], coordinates: Collection[str]) -> Any:
    """The element when these coordinates of these joints have changed their sign."""
    start = getattr(item, "start", None)
    if start and item.name in joints:
        item = replace(
            item,
            start={
                name: replace(value, value=negated(value.value), speed=negated(value.speed))
                if name in coordinates
                else value
                for name, value in start.items()
            },
        )
    kind = kind_of(item)
    if kind is None:
        return item
    return kind.reversed(item, lambda joint, coordinate: joint in joints and coordinate in coordinates)
