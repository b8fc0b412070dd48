"""A mechanism larger or smaller: all its lengths, the places of its pins, and the masses that follow.

With every length times f, bodies of the same material have f³ of the mass and f⁵ of the inertia. Angles and
angular velocities stay, so do forces, stiffnesses and densities, and the values of parameters: a length that
is written as one becomes f times it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from app.document.document import Edit, Ref, find
from app.edits.elements.copies import chosen, words
from app.edits.elements.visitor import changed
from app.edits.geometry.move_together import going
from engine.elements.arithmetic import scaled, total
from engine.elements.base import WORLD, Anchor
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Shape, shape_kind
from engine.elements.fields import Field
from engine.errors import Problem, SceneError
from engine.model.scene import Scene, kind_of

POWERS = {"m": 1, "m/s": 1, "kg": 3, "kg·m²": 5}  # of the factor, by unit of the field
TURNING = ("angle",)  # coordinates that stay


def scale(scene: Scene, refs: Iterable[Ref], factor: float, about: tuple[float, ...] = (0.0, 0.0)) -> Edit:
    """The chosen bodies `factor` times as large, as seen from a point of the world; raises SceneError."""
    if not (math.isfinite(factor) and factor > 0.0):
        raise SceneError([Problem("factor", factor, "the factor must be positive", "give 2, or 0.5")])
    given = chosen(scene, refs)
    flat = 2 if scene.space == "planar" else 3
    after = scene
    for ref in going(scene, given):
        after = after.replace(_scaled(find(scene, ref), factor, (*about, 0.0)[:3], flat))
    return Edit(f"Scale {words(given)} by {factor:g}", after)


def _scaled(item: Any, f: float, about: tuple[float, ...], flat: int) -> Any:
    def placed(p: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(total((f,), (x,), (1.0 - f) * float(c)) for x, c in zip(p, about, strict=False))

    def change(owner: Any, info: Field, value: Any) -> Any:
        power = POWERS.get(info.unit)
        if power is None or value is None or (isinstance(value, str) and info.role == "vec"):
            return value
        if info.name == "position" and isinstance(owner, Body):
            return placed(value)
        if isinstance(owner, Anchor) and owner.body == WORLD:
            return placed(value)
        return _times(value, f**power)

    new = changed(item, change)
    if isinstance(new, Body):
        return replace(new, shapes=tuple(_shape(shape, f) for shape in new.shapes))
    a = getattr(item, "a", None)
    # the origin of the world
    if isinstance(a, Anchor) and a.body == WORLD and a.point is None and any(about):
        new = replace(new, a=replace(new.a, point=placed((0.0,) * flat)))
    return _coordinates(new, f)


def _shape(shape: Shape, f: float) -> Shape:
    """Its lengths are scaled already."""
    return replace(shape, **{name: _times(getattr(shape, name), f) for name in shape_kind(shape).factors})


def _coordinates(item: Any, f: float) -> Any:
    """Displacements that a joint starts at, or that a motion prescribes."""
    start = getattr(item, "start", None)
    if isinstance(start, dict):
        new = {
            name: value
            if name in TURNING
            else replace(value, value=_times(value.value, f), speed=_times(value.speed, f))
            for name, value in start.items()
        }
        item = replace(item, start=new) if new != start else item
    moves = getattr(kind_of(item), "moves", None)
    if moves is not None and moves(item).coordinate not in TURNING and hasattr(item, "function"):
        item = replace(item, function=_times(item.function, f))
    return item


def _times(value: Any, factor: float) -> Any:
    if isinstance(value, tuple):
        return tuple(_times(part, factor) for part in value)
    return scaled(value, factor)
