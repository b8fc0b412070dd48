"""Sizes of several bars at once: length from pin to pin, radius, density of the material."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from app.document.document import Edit, Ref, find
from app.edits.building.bars.bar_length import set_length
from engine.elements.base import Number
from engine.elements.bodies.body import Body
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.system.assembly.assemble import assemble
from engine.system.prepared import prepare


def set_lengths(scene: Scene, refs: Iterable[Ref], length: Number) -> Edit:
    """Give bars one length from pin to pin; raises SceneError."""
    bars = tuple(refs)
    after = scene
    for ref in bars:
        after = set_length(after, ref, length).after
    if _closes(scene) and not _closes(after):
        text = "with this length the mechanism cannot be put together"
        raise SceneError([Problem("length", length, text, "give another one, or change one bar at a time")])
    return Edit(f"Change length of {len(bars)} bars", after)


def _closes(scene: Scene) -> bool:
    try:
        assemble(prepare(scene).mechanism)
    except SceneError:
        return False
    return True


def shape_values(body: Body, name: str) -> tuple[Any, ...]:
    """The values that a field has in the shapes of a body which have it."""
    return tuple(getattr(shape, name) for shape in body.shapes if hasattr(shape, name))


def set_in_shapes(scene: Scene, refs: Iterable[Ref], name: str, value: Any) -> Edit:
    """Give a field of all shapes of some bodies one value, where a shape has it; raises SceneError."""
    bodies = [item for ref in refs if isinstance(item := find(scene, ref), Body)]
    after = scene
    for body in bodies:
        shapes = tuple(
            msgspec.structs.replace(shape, **{name: value}) if hasattr(shape, name) else shape
            for shape in body.shapes
        )
        after = after.replace(msgspec.structs.replace(body, shapes=shapes))
    if not bodies:
        raise SceneError([Problem(name, value, "no body is selected", "select the bodies to change")])
    return Edit(f"Change {name} of {len(bodies)} bodies", after)
