"""What shapes are to contact: a core of points, faces or a line, and a radius around it.

A pair of shapes touches where a corner of one meets the other: each corner gives one gap. Round shapes have
one corner, their middle; flat ones are met by all corners of the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.elements.bodies.shapes import Box, Capsule, Cylinder, Mesh, Outline, Rod, Shape, Sphere
from engine.elements.gaps import nearest
from engine.elements.gaps.crossing import SLOTS

if TYPE_CHECKING:
    from engine.compiled.layout import Array
    from engine.elements.coordinates.frames import Place

RIM = 16  # corners that stand for each rim of a cylinder in space
NO_DEPTH = 1e300  # m
NO_LENGTH = 1e-12  # m: a segment that is shorter is a point
SAME_PLANE = 1e-9  # of a cosine: faces whose normals differ by less are one plane
THIN = 0.25  # of the thinnest extent: edges that are deeper in each other than this have passed


@dataclass(frozen=True)
class Arc:
    """The middle line of a bent core, in the plane: a part of a circle about `centre`."""

    centre: Array
    middle: Array  # unit vector from the centre
    bend: float  # radius [m]
    half: float  # angle from the middle to either end [rad]

    def at(self, angle: float) -> Array:
        """A place, by the angle from the middle."""
        return self.centre + self.bend * self.outwards(angle)

    def outwards(self, angle: float) -> Array:
        across = np.array([-self.middle[1], self.middle[0], 0.0])
        return np.asarray(math.cos(angle) * self.middle + math.sin(angle) * across)

    @property
    def box(self) -> Array:
        """Corners of a square that it lies in."""
        square = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0))
        return np.asarray(self.centre + self.bend * np.array(square))


@dataclass(frozen=True)
class Core:
    """A core in the frame of its body: `points` are its corners, shape (n, 3), `direction` that of a plane;
    `triangles` are corners by number, outwards; `arc` is the middle line of what is bent."""

    sort: int
    points: Array
    radius: float = 0.0
    direction: tuple[float, ...] = ()
    triangles: tuple[tuple[int, int, int], ...] = ()
    arc: Arc | None = None

    @property
    def extent(self) -> float:
        """Its longest way through; none of what has no end."""
        if not self.is_solid:
            return math.inf
        return float(np.linalg.norm(np.ptp(self.points, axis=0))) + 2.0 * self.radius

    @property
    def is_solid(self) -> bool:
        """Whether its corners can touch others; planes, bores and slots have none."""
        return self.sort != nearest.PLANE and not self.is_hollow

    @property
    def is_hollow(self) -> bool:
        """Whether what it touches is within it."""
        return self.sort in (nearest.BORE, nearest.SLOT, nearest.ARC_SLOT)

    @property
    def reach(self) -> float:
        """Its radius as gaps count it: below zero about a hole."""
        return -self.radius if self.is_hollow else self.radius

    @property
    def hull(self) -> Array:
        """Points that it lies between, but for its radius."""
        return self.points if self.arc is None else self.arc.box

    def table(self, place: Place) -> tuple[float, ...]:
        """Numbers that `nearest` reads."""
        points = [compiled_point(place, p) for p in self.points]
        if self.sort in (nearest.POINT, nearest.BORE):
            return tuple(points[0])
        if self.sort == nearest.PLANE:
            return *points[0], *compiled_direction(place, np.array(self.direction))
        if self.arc is not None:
            middle = compiled_direction(place, self.arc.middle)
            return *compiled_point(place, self.arc.centre), *middle, self.arc.bend, self.arc.half
        if self.sort in (nearest.SEGMENT, nearest.SLOT):
            along = points[1] - points[0]
            length = float(np.linalg.norm(along))
            return *points[0], *(along / length), length
        if self.sort == nearest.OUTLINE:
            edges = [_edge(p, points[(k + 1) % len(points)]) for k, p in enumerate(points)]
            return float(len(edges)), *(number for edge in edges for number in edge)
        faces = [_triangle(*(points[k] for k in corners)) for corners in self.triangles]
        return float(len(faces)), *(number for face in faces for number in face)


def compiled_point(place: Place, p_B: Array) -> Array:
    """A point of the body frame as compiled code counts it: from the centre of mass, or in the world."""
    return np.asarray(place.point(p_B) if place.fixed else p_B - place.com)


def compiled_direction(place: Place, e_B: Array) -> Array:
    return np.asarray(place.R_WB @ e_B if place.fixed else e_B)


def _edge(begin: Array, end: Array) -> tuple[float, ...]:
    length = float(np.linalg.norm(end - begin))
    u = (end - begin) / length
    return float(begin[0]), float(begin[1]), float(u[0]), float(u[1]), length


def _triangle(a: Array, b: Array, c: Array) -> tuple[float, ...]:
    n = np.cross(b - a, c - a)
    return *a, *b, *c, *(n / np.linalg.norm(n))


# cores of shapes


def core_of(shape: Shape, planar: bool, R: Array) -> Core | None:
    """Of a shape whose axes in the body frame are the columns of R; None: it has none that can touch."""
    make = CORES.get(type(shape))
    if make is None:
        return None
    p = np.array(shape.position, dtype=float)
    return make(shape, planar, lambda local: p + R @ np.asarray(local, dtype=float), R)


def _sphere(shape: Sphere, planar: bool, at: Any, R: Array) -> Core:
    return Core(nearest.POINT, np.array([at((0.0, 0.0, 0.0))]), float(shape.radius))


def _segment(begin: Array, end: Array, radius: float) -> Core:
    if np.linalg.norm(end - begin) < NO_LENGTH:
        return Core(nearest.POINT, np.array([begin]), radius)
    return Core(nearest.SEGMENT, np.array([begin, end]), radius)


def _capsule(shape: Capsule, planar: bool, at: Any, R: Array) -> Core:
    half = float(shape.length) / 2.0
    ends = [at((0.0, 0.0, -half)), at((0.0, 0.0, half))]
    if planar:
        ends = [end * (1.0, 1.0, 0.0) for end in ends]
    return _segment(ends[0], ends[1], float(shape.radius))


def _rod(shape: Rod, planar: bool, at: Any, R: Array) -> Core:
    ends = [at(shape.start), at(shape.end)]
    if planar:
        ends = [end * (1.0, 1.0, 0.0) for end in ends]
    return _segment(ends[0], ends[1], float(shape.radius))


def _box(shape: Box, planar: bool, at: Any, R: Array) -> Core:
    x, y, z = (float(size) / 2.0 for size in shape.size)
    if planar:
        return outline_core([at((a * x, b * y, 0.0)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    corners = [(a * x, b * y, c * z) for c in (-1, 1) for b in (-1, 1) for a in (-1, 1)]
    return hull_core(np.array([at(p) for p in corners]))


def _outline(shape: Outline, planar: bool, at: Any, R: Array) -> Core:
    flat = [(float(x), float(y)) for x, y in shape.points]
    if planar:
        return outline_core([at((x, y, 0.0)) for x, y in flat])
    z = float(shape.thickness) / 2.0
    return hull_core(np.array([at((x, y, side * z)) for side in (-1, 1) for x, y in flat]))


def _mesh(shape: Mesh, planar: bool, at: Any, R: Array) -> Core | None:
    """Its convex hull; in the plane the outline of that, seen along z."""
    scale = float(shape.scale)
    points = np.array([at(scale * np.array(corner, dtype=float)) for corner in shape.hull])
    if not len(points):
        return None
    if not planar:
        return hull_core(points)
    from scipy.spatial import ConvexHull  # slow to import, and most scenes have no contact

    return outline_core(list(points[ConvexHull(points[:, :2]).vertices]))


def _cylinder(shape: Cylinder, planar: bool, at: Any, R: Array) -> Core:
    r, half = float(shape.radius), float(shape.length) / 2.0
    if planar and abs(R[2, 2]) > 0.5:  # its axis stands on the plane
        return Core(nearest.POINT, np.array([at((0.0, 0.0, 0.0)) * (1.0, 1.0, 0.0)]), r)
    if planar:
        return outline_core([at((a * r, 0.0, b * half)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    turns = [math.tau * k / RIM for k in range(RIM)]
    return hull_core(
        np.array([at((r * math.cos(t), r * math.sin(t), side * half)) for side in (-1, 1) for t in turns])
    )


CORES: dict[type[Shape], Callable[[Any, bool, Any, Array], Core | None]] = {
    Box: _box,  # keep sorted
    Capsule: _capsule,
    Cylinder: _cylinder,
    Mesh: _mesh,
    Outline: _outline,
    Rod: _rod,
    Sphere: _sphere,
}


def outline_core(points: list[Array]) -> Core:
    """A polygon in the plane, counter-clockwise whichever way it is given."""
    p = np.array(points) * (1.0, 1.0, 0.0)
    q = np.roll(p, -1, axis=0)
    area = float((p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]).sum())
    return Core(nearest.OUTLINE, p if area > 0.0 else p[::-1])


def hull_core(points: Array) -> Core:
    """The convex hull of points in space."""
    from scipy.spatial import ConvexHull  # slow to import, and most scenes have no contact

    hull = ConvexHull(points)
    kept = {int(k): i for i, k in enumerate(hull.vertices)}
    triangles = []
    for (a, b, c), equation in zip(hull.simplices, hull.equations, strict=True):
        outwards = np.cross(points[b] - points[a], points[c] - points[a]) @ equation[:3] > 0.0
        corners = (kept[int(a)], kept[int(b)], kept[int(c)])
        triangles.append(corners if outwards else (corners[0], corners[2], corners[1]))
    return Core(nearest.HULL, points[hull.vertices], triangles=tuple(triangles))


def bent_core(hollow: bool, p: Array, along: Array, length: float, bend: float, radius: float) -> Core:
    """A slot or an arc in the plane: `length` of its middle line, whose middle is at p and goes `along`;
    it bends to its left with the radius `bend`, to its right where that is below zero; 0: it is straight."""
    if bend == 0.0:
        ends = np.array([p - 0.5 * length * along, p + 0.5 * length * along])
        if length < NO_LENGTH:
            return Core(nearest.BORE if hollow else nearest.POINT, ends[:1], radius)
        return Core(nearest.SLOT if hollow else nearest.SEGMENT, ends, radius)
    left = np.array([-along[1], along[0], 0.0]) * math.copysign(1.0, bend)
    arc = Arc(p + abs(bend) * left, -left, abs(bend), min(0.5 * length / abs(bend), math.pi))
    ends = np.array([arc.at(-arc.half), arc.at(arc.half)])
    return Core(nearest.ARC_SLOT if hollow else nearest.ARC, ends, radius, arc=arc)


# pairs


@dataclass(frozen=True)
class Crossing:
    """Edges of two shapes in space that may cross each other, in one of several places at once."""

    a: Core
    b: Core
    slot: int
    sort = nearest.EDGES

    @property
    def reach(self) -> float:
        return self.a.radius

    @property
    def hull(self) -> Array:
        return self.a.points

    def table(self, a: Place, b: Place) -> tuple[float, ...]:
        """Numbers that `crossing` reads."""
        depths = [thinnest(core) for core in (self.a, self.b) if core.sort == nearest.HULL]
        return (
            min(depths, default=0.0),
            float(self.slot),
            *lines_of(self.a, a),
            *lines_of(self.b, b),
        )


def thinnest(core: Core) -> float:
    """The depth at which edges of a hull have passed those of another; of others without bound."""
    return THIN * float(np.ptp(core.points, axis=0).min()) if core.sort == nearest.HULL else NO_DEPTH


def lines_of(core: Core, place: Place) -> Iterator[float]:
    """Corners and edges, as `crossing` reads them."""
    points = [compiled_point(place, p) for p in core.points]
    yield float(len(points))
    for p in points:
        yield from map(float, p)
    pairs = [(0, 1)] if core.sort == nearest.SEGMENT else _edges(core)
    yield float(len(pairs))
    for i, j in pairs:
        along = points[j] - points[i]
        length = float(np.linalg.norm(along))
        yield from (*map(float, points[i]), *map(float, along / length), length)


def _edges(core: Core) -> list[tuple[int, int]]:
    """Edges of a hull between faces that are not one plane, by its corners."""
    normals: dict[tuple[int, int], list[Array]] = {}
    for corners in core.triangles:
        a, b, c = (core.points[k] for k in corners)
        n = np.cross(b - a, c - a)
        for i, j in zip(corners, (*corners[1:], corners[0]), strict=True):
            normals.setdefault((min(i, j), max(i, j)), []).append(n / np.linalg.norm(n))
    return [pair for pair, (n, m) in normals.items() if float(n @ m) < 1.0 - SAME_PLANE]


class Part(NamedTuple):
    """The directions in which a rounded corner can touch, and how deep before it has been passed [m]."""

    towards: Array
    within: float  # cosine of the angle about them
    deepest: float


class Meeting(NamedTuple):
    """A corner of one shape against another; `swapped`: the corner is on the first."""

    shape: Core | Crossing
    corner: Array
    radius: float
    centre: Array  # middle of the shape of the corner
    swapped: bool
    extent: float  # of the smaller of the two shapes
    around: float = 0.0  # about the corner, within which the gap may be
    part: Part | None = None  # of a circle about the corner that is there; None: all of it
    sides: tuple[Array, ...] = ()  # ways from the corner of an outline or hull to its neighbours

    @property
    def is_place(self) -> bool:
        """Whether it is the first of its kind: edges that cross count once, however many do."""
        return not (isinstance(self.shape, Crossing) and self.shape.slot)

    @property
    def is_sharp(self) -> bool:
        """Whether a corner meets faces that have ends, with nothing round between them, or edges do."""
        if isinstance(self.shape, Crossing):
            return nearest.HULL in (self.shape.a.sort, self.shape.b.sort)
        return self.radius == self.shape.reach == 0.0 and self.shape.sort in (nearest.OUTLINE, nearest.HULL)


def meetings(a: Core, b: Core, planar: bool) -> Iterator[Meeting]:
    """The gaps between two shapes: of the corners of b against a, the other way round, and of edges."""
    extent = min((x for x in (a.extent, b.extent) if 0.0 < x < math.inf), default=1.0)
    round_a, round_b = (core.is_solid and len(core.points) == 1 for core in (a, b))
    if b.is_solid and (round_b or not round_a):  # a round shape is met by its middle alone
        yield from _corners(a, b, False, extent)
    if a.is_solid and not round_b:
        yield from _corners(b, a, True, extent)
    lines = (nearest.SEGMENT, nearest.HULL)
    if not planar and a.sort in lines and b.sort in lines:
        middle = b.points.mean(axis=0)
        around = float(np.linalg.norm(b.points - middle, axis=1).max())
        lone = a.sort == b.sort == nearest.SEGMENT
        for slot in range(1 if lone else SLOTS if a.sort == b.sort else 2):
            yield Meeting(Crossing(a, b, slot), middle, b.radius, middle, False, extent, around)


def _corners(shape: Core, other: Core, swapped: bool, extent: float) -> Iterator[Meeting]:
    """Corners of the other against the shape; of an arc its ends, and the side that it bends away from."""
    middle = other.points.mean(axis=0)
    arc = other.arc
    if arc is None:
        for k, corner in enumerate(other.points):
            sides = tuple(other.points[i] - corner for i in _neighbours(other, k))
            yield Meeting(shape, corner, other.radius, middle, swapped, extent, sides=sides)
        return
    for corner, side in zip(other.points, (-1.0, 1.0), strict=True):
        beyond = side * arc.outwards(side * arc.half + 0.5 * math.pi)  # along the line, out of its end
        part = Part(beyond, 0.0, NO_DEPTH)
        yield Meeting(shape, corner, other.radius, middle, swapped, extent, part=part)
    wider = shape.arc is not None and _outer(shape) < _outer(other)  # the narrower of two lies in the other
    if not (shape.is_hollow or wider):
        part = Part(arc.middle, math.cos(arc.half), other.radius)
        yield Meeting(shape, arc.centre, _outer(other), middle, swapped, extent, part=part)


def _neighbours(core: Core, k: int) -> tuple[int, ...]:
    """Corners at the other ends of the sides, or of the edges of triangles, that meet in a corner."""
    if core.sort == nearest.OUTLINE:
        return (k - 1) % len(core.points), (k + 1) % len(core.points)
    return tuple(sorted({i for triangle in core.triangles if k in triangle for i in triangle} - {k}))


def _outer(core: Core) -> float:
    """Radius of the outside of an arc."""
    return core.radius + (0.0 if core.arc is None else core.arc.bend)
