"""Bars: bodies with two pins on a rod, box, cylinder or capsule, and how long they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.document.document import Ref, find
from engine.compiled.layout import Array
from engine.elements.base import WORLD, Number
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Shape, shape_kind
from engine.model.mass import rotation
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

POINT_TOLERANCE = 1e-6  # of the length: points nearer than this are one
SLENDER = 1.5  # a box or cylinder is a bar when it is so many times as long as wide


@dataclass(frozen=True)
class Bar:
    """A body with a length: from the pin that stays to the one that moves, in its own frame [m]."""

    body: str
    shape: int  # which shape is the bar
    near: Array
    far: Array
    length: Number  # an expression where the scene writes one

    @property
    def direction(self) -> Array:
        return np.asarray((self.far - self.near) / self.now)

    @property
    def now(self) -> float:
        """The length as a number [m]."""
        return float(np.linalg.norm(self.far - self.near))


def find_bar(scene: Scene, name: str) -> Bar | None:
    """The body as a bar; None when it is none."""
    resolved, _ = resolve_leniently(scene)
    body = find(resolved, Ref("bodies", name))
    given = find(scene, Ref("bodies", name))
    if not isinstance(body, Body):
        return None
    try:
        pins = list(_pins(resolved, body))
        for index, shape in enumerate(body.shapes):
            ends = _ends(shape, pins)
            if ends is None or not all(np.isfinite(end).all() for end in ends):
                continue
            near, far = _in_order(resolved, body, ends)
            size = float(np.linalg.norm(far - near))
            if size > 0.0:
                return Bar(name, index, near, far, _written(given, body, near, far) or size)
    except (TypeError, ValueError):
        return None  # the checks say what is wrong with it
    return None


def _pins(scene: Scene, body: Body) -> Iterator[Array]:
    """Where other things take hold of a body: its named points, and anchors."""
    for point in body.points:
        yield np.array(point.position, dtype=float)
    for where in ("joints", "forces"):
        for item in getattr(scene, where):
            for side in ("a", "b"):
                anchor: Any = getattr(item, side, None)
                if getattr(anchor, "body", None) == body.name and isinstance(
                    getattr(anchor, "point", None), tuple
                ):
                    yield np.array(anchor.point, dtype=np.float64)


def _ends(shape: Shape, pins: list[Array]) -> tuple[Array, Array] | None:
    given = shape_kind(shape).ends(shape)
    if given is not None:
        start, end = (np.array(point, dtype=float) for point in given)
        return start, end
    line = long_axis(shape)
    if line is None:
        return None
    # pins on the long axis: the two that are farthest from each other
    centre, u, size = line
    along = sorted(
        float(u @ (pin - centre))
        for pin in pins
        if np.linalg.norm((pin - centre) - u * (u @ (pin - centre))) < POINT_TOLERANCE * size
        and abs(u @ (pin - centre)) < (0.5 + POINT_TOLERANCE) * size
    )
    if not along or along[-1] - along[0] < 0.5 * size:
        return None
    return centre + u * along[0], centre + u * along[-1]


def long_axis(shape: Shape) -> tuple[Array, Array, float] | None:
    """Centre, direction and length of a shape that is longer than wide; None for all others."""
    side = shape_kind(shape).long_side(shape)
    if side is None or not side.length > SLENDER * side.width:
        return None
    R = rotation(shape.orientation, float(shape.angle))
    return np.array(shape.position, dtype=float), np.asarray(R[:, side.axis]), side.length


def _in_order(scene: Scene, body: Body, ends: tuple[Array, Array]) -> tuple[Array, Array]:
    """The end that stays first: the one at the body's origin, or else the one that is held by the ground."""
    one, two = ends
    gap = np.linalg.norm(one) - np.linalg.norm(two)
    if abs(gap) > POINT_TOLERANCE * float(np.linalg.norm(two - one)):
        return (one, two) if gap < 0.0 else (two, one)
    return (two, one) if _grounded(scene, body, two) and not _grounded(scene, body, one) else (one, two)


def _grounded(scene: Scene, body: Body, place: Array) -> bool:
    for joint in scene.joints:
        sides = [getattr(joint, side, None) for side in ("a", "b")]
        if {getattr(side, "body", None) for side in sides} != {body.name, WORLD}:
            continue
        mine: Any = next(side for side in sides if getattr(side, "body", None) == body.name)
        at = body.point(mine.point).position if isinstance(mine.point, str) else mine.point
        if at is not None and np.allclose(at, place, atol=1e-9):
            return True
    return False


def _written(given: Body, body: Body, near: Array, far: Array) -> str | None:
    """The length as the scene writes it: a coordinate of the far end, when the near end is at zero."""
    axis = int(np.argmax(np.abs(far)))
    others = np.delete(far, axis)
    if np.any(near) or far[axis] < 0.0 or np.any(np.abs(others) > POINT_TOLERANCE * far[axis]):
        return None
    for text, value in zip(_places(given), _places(body), strict=True):
        if np.allclose(value, far, rtol=0.0, atol=POINT_TOLERANCE * far[axis]) and isinstance(
            text[axis], str
        ):
            return str(text[axis])
    return None


def writes(body: Body, text: str) -> bool:
    """Whether a coordinate of one of its places is written so."""
    return any(text in place for place in _places(body))


def _places(body: Body) -> list[tuple[Any, ...]]:
    """Points and ends of rods, each with three components."""
    found = [point.position for point in body.points]
    found += [end for shape in body.shapes for end in shape_kind(shape).ends(shape) or ()]
    return [(*place, 0.0)[:3] for place in found]
