"""Geometry: directions have a length, orientations exist, tables go forward, outlines enclose an area."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.elements.base import Table
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Mesh, Outline, Rod
from engine.elements.fields import fields_of
from engine.elements.protocols.checking import known_vector
from engine.errors import Problem
from engine.model.checks.context import Context
from engine.model.meshes.faces import MeshError
from engine.model.meshes.hull_corners import hull_corners

TINY = 1e-12  # m or m², or a length of a direction: nothing
PARALLEL = 1e-9  # sine of an angle: none
HUGE = 1e12  # length of a direction, whose square and cube are still numbers
FAR = 1e12  # m from the origin of a body to a place of it: no digits are left of where that is
FAR_BODY = 1e15  # m from the origin of the world: a tenth of a metre is the next place to go to


def check(context: Context) -> Iterator[Problem]:
    for path, part in context.parts:
        yield from _directions(path, part)
        if isinstance(getattr(part, "orientation", None), tuple):
            yield from _quaternion(f"{path}.orientation", part.orientation)
        yield from _places(path, part)
        if isinstance(part, Table):
            yield from _table(path, part)
        if isinstance(part, Outline):
            yield from _outline(path, part)
        if isinstance(part, Mesh) and part.hull and all(known_vector(corner) for corner in part.hull):
            yield from _hull(path, part)
        if isinstance(part, Rod) and known_vector(part.start) and part.start == part.end:
            yield Problem(
                f"{path}.end", part.end, "the rod begins and ends at the same point", "move one end"
            )


def _hull(path: str, shape: Mesh) -> Iterator[Problem]:
    try:
        hull_corners(np.array(shape.hull, dtype=float))
    except MeshError as error:
        remedy = "leave the hull out, and give the body a box, sphere, capsule or outline to touch with"
        yield Problem(f"{path}.hull", None, f"the hull cannot touch: {error}", remedy)


def _places(path: str, part: Any) -> Iterator[Problem]:
    """Points and centres of mass that are so far away that numbers cannot say where they move."""
    for field in fields_of(type(part)):
        value = getattr(part, field.name)
        if field.role != "vec" or field.unit != "m" or not known_vector(value):
            continue
        whole = isinstance(part, Body) and field.name == "position"
        limit = FAR_BODY if whole else FAR
        if not math.hypot(*value) <= limit:
            origin = "the world" if whole else "its body"
            text = f"{field.title.lower()}: it lies {math.hypot(*value):.3g} m from the origin of {origin}"
            remedy = f"give a place nearer than {limit:g} m, so that digits are left for its motion"
            yield Problem(f"{path}.{field.name}", value, text, remedy)


def _directions(path: str, part: Any) -> Iterator[Problem]:
    for field in fields_of(type(part)):
        value = getattr(part, field.name)
        if field.extra.get("direction") and known_vector(value) and not TINY <= math.hypot(*value) <= HUGE:
            length = "zero length" if math.hypot(*value) < TINY else f"a length of {math.hypot(*value):.3g}"
            text = f"{field.title.lower()} {list(value)} has {length}"
            yield Problem(f"{path}.{field.name}", value, text, "give a direction such as [0, 0, 1]")
    axis: Any = getattr(part, "axis", None)
    reference: Any = getattr(part, "reference", None)
    if known_vector(axis) and known_vector(reference):
        size = math.hypot(*axis) * math.hypot(*reference)
        if size >= TINY and math.hypot(*_cross(axis, reference)) < PARALLEL * size:
            text = f"reference {list(reference)} is parallel to the axis {list(axis)}"
            yield Problem(
                f"{path}.reference", reference, text, "give a direction across the axis, or leave it out"
            )


def _cross(a: Any, b: Any) -> tuple[float, float, float]:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _quaternion(path: str, value: tuple[Any, ...]) -> Iterator[Problem]:
    if known_vector(value) and not TINY <= math.hypot(*value) <= HUGE:
        zero = math.hypot(*value) < TINY
        text = "a quaternion of four zeros is no orientation" if zero else "the quaternion is too long"
        yield Problem(path, value, text, 'write [1, 0, 0, 0] or {"axis": [0, 0, 1], "angle": 0.5}')


def _table(path: str, table: Table) -> Iterator[Problem]:
    if len(table.points) < 2:
        text = f"a table needs two points or more; here are {len(table.points)}"
        yield Problem(f"{path}.points", table.points, text, "add points [t, value], or write a number")
    for i in range(1, len(table.points)):
        before, here = table.points[i - 1][0], table.points[i][0]
        if not isinstance(before, str) and not isinstance(here, str) and here <= before:
            text = f"t must increase from point to point; {here:g} follows {before:g}"
            yield Problem(f"{path}.points[{i}]", table.points[i], text, "sort the points and remove doubles")
            return
    first, last = (table.points[i][1] if table.points else 0.0 for i in (0, -1))
    if table.interpolation == "cubic" and table.outside == "periodic" and last != first and last == last:
        text = f"a periodic spline must end at its first value; {last} is not {first}"
        yield Problem(f"{path}.points[{len(table.points) - 1}]", last, text, f"end at {first}, or use linear")


def _outline(path: str, shape: Outline) -> Iterator[Problem]:
    points = shape.points
    if not all(known_vector(point) for point in points):
        return
    area = sum(
        float(p[0]) * float(q[1]) - float(q[0]) * float(p[1])
        for p, q in zip(points, (*points[1:], points[0]), strict=True)
    )
    if abs(area) < TINY:
        text = "the corners enclose no area"
        yield Problem(f"{path}.points", points, text, "list the corners in order around the outline")
