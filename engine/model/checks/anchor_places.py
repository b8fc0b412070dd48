"""Where points of anchors are in the world, as far as the numbers of the scene are known."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.elements.base import IDENTITY, WORLD, ZERO, Anchor, AxisAngle
from engine.elements.bodies.body import Body
from engine.elements.protocols.checking import TINY, Place, known_vector
from engine.model.mass import rotation


def place_of(bodies: Mapping[str, Body], anchor: Anchor) -> Place | None:
    """The point of an anchor in the world, None while something that it needs is not known."""
    body = bodies.get(anchor.body)
    if body is None and anchor.body != WORLD:
        return None
    point: Any = anchor.point if anchor.point is not None else ZERO
    if isinstance(point, str):
        named = [p.position for p in body.points if p.name == point] if body is not None else []
        point = named[0] if named else None
    if not known_vector(point):
        return None
    if body is None:
        return tuple(point)
    origin: Any = body.position
    if not known_vector(origin):
        return None
    if body.orientation != IDENTITY or body.angle != 0.0:  # most bodies of large scenes are not turned
        point = _turned(body, point)
    return None if point is None else tuple(p + q for p, q in zip(origin, point, strict=True))


def _turned(body: Body, point: Any) -> Any:
    """A vector in the body's axes, in those of the world; None while its orientation is not known."""
    given: Any = body.orientation
    numbers = (given.axis, (given.angle,)) if isinstance(given, AxisAngle) else (given,)
    if not all(map(known_vector, (*numbers, (body.angle,)))) or not math.hypot(*numbers[0]) > TINY:
        return None
    return (rotation(given, float(body.angle)) @ np.array(point)).tolist()
