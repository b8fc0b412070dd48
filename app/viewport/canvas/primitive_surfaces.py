"""Solids as surfaces: box, cylinder, ball, cone, ring, tube, plate. Round ones stand along z."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from vtkmodules.vtkCommonCore import vtkIdList, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolygon

from app.viewport.canvas.surface import Array, Ints, Surface, merged

SIDES = 32  # facets of round things
MIN_LENGTH = 1e-12


def box(x: float, y: float, z: float) -> Surface:
    """With its centre at the origin."""
    unit = _unit_box()
    return Surface(unit.points * (x, y, z), unit.normals, unit.triangles, unit.lines)


@lru_cache(maxsize=1)
def _unit_box() -> Surface:
    faces = []
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    for axis in range(3):
        for sign in (-1.0, 1.0):
            points = np.zeros((4, 3))
            points[:, axis] = sign
            points[:, (axis + 1) % 3] = corners[:, 0]
            points[:, (axis + 2) % 3] = corners[:, 1] * sign
            normal = np.zeros(3)
            normal[axis] = sign
            faces.append(_fan(0.5 * points, normal))
    return merged(faces)


def cylinder(radius: float, length: float, sides: int = SIDES, *, top: float | None = None) -> Surface:
    """Centre at the origin; `top` is the radius at +z if it differs."""
    if top is None and radius > 0.0:
        unit = _unit_cylinder(sides)
        points = unit.points * (radius, radius, length)
        return Surface(points, unit.normals, unit.triangles, unit.lines)
    return _cone_frustum(radius, length, sides, radius if top is None else top)


@lru_cache(maxsize=64)
def _unit_cylinder(sides: int) -> Surface:
    return _cone_frustum(1.0, 1.0, sides, 1.0)


def _cone_frustum(radius: float, length: float, sides: int, upper: float) -> Surface:
    circle = _circle(sides)
    low = np.column_stack([radius * circle, np.full(sides, -0.5 * length)])
    high = np.column_stack([upper * circle, np.full(sides, 0.5 * length)])
    slope = np.column_stack([circle * length, np.full(sides, radius - upper)])
    normals = slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), MIN_LENGTH)
    i = np.arange(sides)
    j = (i + 1) % sides
    side = Surface(
        np.concatenate([low, high]),
        np.concatenate([normals, normals]),
        np.concatenate([np.column_stack([i, j, j + sides]), np.column_stack([i, j + sides, i + sides])]),
    )
    caps = []
    if radius > 0.0:
        caps.append(_fan(low[::-1], np.array([0.0, 0.0, -1.0])))
    if upper > 0.0:
        caps.append(_fan(high, np.array([0.0, 0.0, 1.0])))
    return merged([side, *caps])


def cone(radius: float, length: float, sides: int = SIDES) -> Surface:
    """Base at the origin, tip at z = length."""
    return cylinder(radius, length, sides, top=0.0).moved([0, 0, 0.5 * length])


def sphere(radius: float, sides: int = 24) -> Surface:
    unit = _unit_sphere(sides)
    return replace(unit, points=radius * unit.points)


@lru_cache(maxsize=64)
def _unit_sphere(sides: int) -> Surface:
    rings = sides // 2
    latitude = np.linspace(-0.5 * np.pi, 0.5 * np.pi, rings + 1)
    profile = np.column_stack([np.cos(latitude), np.sin(latitude)])
    return _revolved(profile, profile, sides)


def capsule(radius: float, length: float, sides: int = 24) -> Surface:
    quarter = np.linspace(0.0, 0.5 * np.pi, sides // 4 + 1)
    round_top = np.column_stack([np.cos(quarter), np.sin(quarter)])
    round_low = round_top[::-1] * (1.0, -1.0)
    normals = np.concatenate([round_low, round_top])
    profile = radius * normals
    profile[: len(round_low), 1] -= 0.5 * length
    profile[len(round_low) :, 1] += 0.5 * length
    return _revolved(profile, normals, sides)


def torus(radius: float, thickness: float, sides: int = SIDES, around: int = 10) -> Surface:
    """A ring about z; the thickness is that of half its section."""
    angle = np.linspace(0.0, 2.0 * np.pi, around + 1)
    normals = np.column_stack([np.cos(angle), np.sin(angle)])
    profile = thickness * normals
    profile[:, 0] += radius
    return _revolved(profile, normals, sides)


def washer(inner: float, outer: float, length: float, sides: int = SIDES) -> Surface:
    """A hollow cylinder about z, its centre at the origin."""
    h = 0.5 * length
    corners = np.array([[inner, h], [inner, -h], [outer, -h], [outer, h], [inner, h]])
    normals = np.array([[-1, 0], [0, -1], [1, 0], [0, 1]], float)
    bands = [_revolved(corners[i : i + 2], normals[[i, i]], sides) for i in range(4)]
    lines = _revolved_rims(corners[2:4], sides)
    return merged([*bands, lines])


def rod(start: ArrayLike, end: ArrayLike, radius: float, sides: int = 20) -> Surface:
    """A round bar between two points."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(b - a))
    if length < MIN_LENGTH:
        return sphere(radius).moved(a)
    return cylinder(radius, length, sides).moved(0.5 * (a + b), along(b - a))


def tube(path: Array, radius: float, sides: int = 8, *, closed: bool = False) -> Surface:
    """A round wire along a polyline."""
    offsets, triangles = tube_section(path, sides, closed=closed)
    n = len(path)
    points = np.repeat(path, sides, axis=0) + radius * offsets
    surface = Surface(points, offsets, triangles)
    if closed:
        return surface
    ends = []
    for i, sign in ((0, -1.0), (n - 1, 1.0)):
        step = path[min(i + 1, n - 1)] - path[max(i - 1, 0)]
        normal = sign * step / max(float(np.linalg.norm(step)), MIN_LENGTH)
        ring = points[i * sides : (i + 1) * sides]
        ends.append(_fan(ring if sign > 0 else ring[::-1], normal, edges=False))
    return merged([surface, *ends])


def tube_section(path: Array, sides: int, *, closed: bool = False) -> tuple[Array, Ints]:
    """Unit vectors from the wire to its skin, and the triangles of the skin."""
    steps = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
    if not closed:
        steps[0], steps[-1] = path[1] - path[0], path[-1] - path[-2]
    steps /= np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), MIN_LENGTH)
    across = np.empty_like(path)
    previous = along(steps[0])[:, 0]
    for place, step in enumerate(steps):  # carried along the wire, so that the skin does not twist
        previous = previous - step * (step @ previous)
        previous = previous / max(float(np.linalg.norm(previous)), MIN_LENGTH)
        across[place] = previous
    other = np.cross(steps, across)
    circle = _circle(sides)
    offsets = (circle[:, 0, None] * across[:, None] + circle[:, 1, None] * other[:, None]).reshape(-1, 3)
    n = len(path)
    rings = np.arange(n if closed else n - 1)
    i = (rings[:, None] * sides + np.arange(sides)).ravel()
    j = (rings[:, None] * sides + (np.arange(sides) + 1) % sides).ravel()
    up_i, up_j = (i + sides) % (n * sides), (j + sides) % (n * sides)
    return offsets, np.concatenate([np.column_stack([i, j, up_j]), np.column_stack([i, up_j, up_i])])


def plate(corners: Sequence[Sequence[float]], thickness: float) -> Surface:
    """A polygon in x-y, to both sides of it thick."""
    outline = np.array(corners, float)[:, :2]
    x, y = outline.T
    if np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0.0:
        outline = outline[::-1]
    n = len(outline)
    half = 0.5 * thickness
    flat = _polygon_triangles(outline)
    low = np.column_stack([outline, np.full(n, -half)])
    high = np.column_stack([outline, np.full(n, half)])
    parts = [
        Surface(high, np.tile([0.0, 0.0, 1.0], (n, 1)), flat),
        Surface(low, np.tile([0.0, 0.0, -1.0], (n, 1)), flat[:, ::-1]),
    ]
    for a, b in zip(range(n), [*range(1, n), 0], strict=True):
        step = outline[b] - outline[a]
        normal = np.array([step[1], -step[0], 0.0]) / max(float(np.linalg.norm(step)), MIN_LENGTH)
        parts.append(_fan(np.array([low[a], low[b], high[b], high[a]]), normal, edges=False))
    rim = np.column_stack([np.arange(n), (np.arange(n) + 1) % n])
    parts += [Surface(ring, np.tile([0.0, 0.0, s], (n, 1)), lines=rim) for ring, s in ((high, 1), (low, -1))]
    return merged(parts)


def toothed(radius: float, teeth: int, height: float, thickness: float) -> Surface:
    """A spur wheel about z as a flat ring."""
    angle = np.linspace(0.0, 2.0 * np.pi, 4 * teeth, endpoint=False)
    rim = np.where(np.isin(np.arange(4 * teeth) % 4, (0, 1)), radius + 0.5 * height, radius - 0.5 * height)
    outer = np.column_stack([rim * np.cos(angle), rim * np.sin(angle)])
    inner = 0.82 * radius * np.column_stack([np.cos(angle), np.sin(angle)])
    n = len(angle)
    i = np.arange(n)
    j = (i + 1) % n
    triangles = np.concatenate([np.column_stack([i, i + n, j + n]), np.column_stack([i, j + n, j])])
    faces = []
    for sign in (-1.0, 1.0):
        z = np.full(2 * n, 0.5 * sign * thickness)
        points = np.column_stack([np.concatenate([inner, outer]), z])
        lines = np.column_stack([i + n, j + n])
        order = triangles if sign > 0 else triangles[:, ::-1]
        faces.append(Surface(points, np.tile([0.0, 0.0, sign], (2 * n, 1)), order))
        faces.append(Surface(points, np.tile([0.0, 0.0, sign], (2 * n, 1)), lines=lines))
    return merged(faces)


def round_arrow(radius: float, thickness: float, begin: float = 0.35, end: float = 5.1) -> Surface:
    """An arrow that turns about z, counter-clockwise."""
    angle = np.linspace(begin, end, 40)
    path = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros_like(angle)])
    tangent = np.array([-np.sin(end), np.cos(end), 0.0])
    head = cone(2.6 * thickness, 5.0 * thickness, 16).moved(path[-1], along(tangent))
    return merged([tube(path, thickness), head])


def arrow(length: float, thickness: float) -> Surface:
    """From the origin along z."""
    head = min(5.0 * thickness, 0.6 * length)
    shaft = cylinder(thickness, length - head, 14).moved([0, 0, 0.5 * (length - head)])
    return merged([shaft, cone(2.4 * thickness, head, 18).moved([0, 0, length - head])])


def along(z: ArrayLike) -> Array:
    """A rotation that takes the z axis to this direction; none where there is no direction."""
    direction = np.asarray(z, float)
    length = float(np.linalg.norm(direction))
    if not MIN_LENGTH < length < np.inf:
        return np.eye(3)
    a, b, c = (direction / length).tolist()
    # x across the direction and across the axis that is farthest from it
    if abs(a) <= abs(b) and abs(a) <= abs(c):
        u, v, w = 0.0, -c, b
    elif abs(b) <= abs(c):
        u, v, w = c, 0.0, -a
    else:
        u, v, w = -b, a, 0.0
    size = math.sqrt(u * u + v * v + w * w)
    u, v, w = u / size, v / size, w / size
    return np.array([[u, b * w - c * v, a], [v, c * u - a * w, b], [w, a * v - b * u, c]])


def _circle(sides: int) -> Array:
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _fan(points: Array, normal: Array, *, edges: bool = True) -> Surface:
    """A convex polygon and its edges; edges have points of their own, since they have another colour."""
    n = len(points)
    i = np.arange(1, n - 1)
    normals = np.tile(normal, (n, 1))
    face = Surface(points, normals, np.column_stack([np.zeros(n - 2, np.int64), i, i + 1]))
    if not edges:
        return face
    rim = np.column_stack([np.arange(n), (np.arange(n) + 1) % n])
    return merged([face, Surface(points, normals, lines=rim)])


def _revolved(profile: Array, normals: Array, sides: int) -> Surface:
    """Profile points (radius, z) turned about z."""
    circle = _circle(sides)

    def turned(pairs: Array) -> Array:
        flat = pairs[:, None, 0, None] * circle
        return np.concatenate([flat, np.broadcast_to(pairs[:, None, 1:], (len(pairs), sides, 1))], 2)

    n = len(profile)
    ring = np.arange(n - 1)[:, None] * sides
    i = (ring + np.arange(sides)).ravel()
    j = (ring + (np.arange(sides) + 1) % sides).ravel()
    triangles = np.concatenate(
        [np.column_stack([i, j, j + sides]), np.column_stack([i, j + sides, i + sides])]
    )
    return Surface(turned(profile).reshape(-1, 3), turned(normals).reshape(-1, 3), triangles)


def _revolved_rims(corners: Array, sides: int) -> Surface:
    circle = _circle(sides)
    rim = np.column_stack([np.arange(sides), (np.arange(sides) + 1) % sides])
    rings = []
    for radius, z in corners:
        points = np.column_stack([radius * circle, np.full(sides, z)])
        rings.append(Surface(points, np.tile([0.0, 0.0, np.sign(z)], (sides, 1)), lines=rim))
    return merged(rings)


def _polygon_triangles(outline: Array) -> Ints:
    """Of a polygon that may be concave."""
    polygon = vtkPolygon()
    points = vtkPoints()
    for x, y in outline:
        points.InsertNextPoint(float(x), float(y), 0.0)
    polygon.Initialize(len(outline), list(range(len(outline))), points)
    found = vtkIdList()
    polygon.EarCutTriangulation(found)
    corners = [found.GetId(i) for i in range(found.GetNumberOfIds())]
    return np.array(corners, np.int64).reshape(-1, 3)
