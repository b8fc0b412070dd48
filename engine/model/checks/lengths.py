"""Lengths: rods and springs whose two ends lie at one place have no direction to act along."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.elements.base import IDENTITY, WORLD, ZERO, Anchor, AxisAngle
from engine.elements.bodies import Body
from engine.elements.forces.spring import SpringSpec
from engine.errors import Problem
from engine.model.checks.context import Context, known_vector
from engine.model.mass import rotation

TINY = 1e-12  # m: nothing
Place = tuple[float, ...]


def check(context: Context) -> Iterator[Problem]:
    for path, joint in context.items("joints"):
        if isinstance(getattr(joint, "length", None), float | int) and 0.0 < joint.length < TINY:
            text = f"a length of {joint.length:g} m gives the rod no direction"
            yield Problem(f"{path}.length", joint.length, text, "use a ball joint, or make it longer")
        if "length" in joint.__struct_fields__ and joint.length is None:
            ends = _ends(context, joint)
            if ends is not None and math.dist(*ends) < TINY:
                text = "the rod has no length: both of its ends lie at one point"
                point = f"{path}.b.point"
                if joint.b.point is None:
                    text = (
                        "b.point is left out, so the rod begins and ends at the point of a and has no length"
                    )
                yield Problem(point, joint.b.point, text, 'write where it ends on b, or give its "length"')
    for path, force in context.items("forces"):
        if isinstance(force, SpringSpec) and force.b.point is not None:
            ends = _ends(context, force)
            if ends is not None and math.dist(*ends) < TINY:
                text = "the spring begins and ends at one point, so that it has no direction"
                yield Problem(f"{path}.b.point", force.b.point, text, "move one of its ends")


def _ends(context: Context, item: Any) -> tuple[Place, Place] | None:
    """Both ends in the world, None while one is not known; what b leaves out is the point of a."""
    begin = _place(context, item.a)
    end = begin if item.b.point is None else _place(context, item.b)
    return None if begin is None or end is None else (begin, end)


def _place(context: Context, anchor: Anchor) -> Place | None:
    body = context.bodies.get(anchor.body)
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
