"""The feature of a shape that is nearest to a point, in axes of its body: what the gap is counted from.

A shape is a core and a radius around it. Tables of the cores, in `System.data`:

    point, hollow   place (3)
    plane           place (3), outward normal (3)
    segment, slot   beginning (3), unit direction (3), length
    arc, arc slot   centre (3), unit direction to its middle (3), radius of its middle line, half of its angle
    outline         number of edges; of each: beginning x, y, unit direction x, y, length; counter-clockwise
    hull            number of triangles; of each: corners (9), outward normal (3); where it is met by a sharp
                    corner, behind that the number of edges from this, and the ways along them (3 each)

A slot is hollow: its two walls and round ends lie about its middle line, on which a straight one has faces.
The walls of a bent one, as the sides of an arc, are circles about its centre: the radius of the middle line
comes on top of that of the core, below zero where the circle is seen from within.

Beyond an outline or hull the nearest point decides. Within, the face does by which the corner has come in: of
those near by the one that the other body is least behind, however near others are. That is what keeps a stack
of equal boxes from falling into its sides, and lets a box slide over the edge of a table. Of a body in the
plane the two sides that meet in the corner say how far it is behind a face, in space its edges do.

A row that holds a sharp corner on a face goes on with that face beyond its end (`held_face`, or in space the
one that it began with), so that no step sees a jump there; the law of the contact sees the corner pass, and
lets go.
"""

from typing import Final

import numpy as np

from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array
from engine.elements.gaps.features import CORNER, EDGE, FACE, HOLLOW
from engine.maths.vectors import (
    ZERO,
    Rotation,
    Vector,
    add,
    cross,
    dot,
    mix,
    rotate,
    scale,
    sub,
    unrotate,
)

POINT: Final = 0  # cores
BORE: Final = 1
PLANE: Final = 2
SEGMENT: Final = 3
OUTLINE: Final = 4
HULL: Final = 5
EDGES: Final = 6  # none of these: edges of two bodies that may cross, see `crossing.py`
ARC: Final = 7
SLOT: Final = 8
ARC_SLOT: Final = 9
EDGE_NUMBERS: Final = 5
TRIANGLE_NUMBERS: Final = 12
AS_NEAR: Final = 1e-9  # of the length of an edge: what is no farther away is as near
NEAR_BY: Final = 0.05  # of the length of an edge: how much deeper a face may be by which a corner came in
IN_REACH: Final = 0.5  # the same in the plane, where a whole side of the box may have come in
ALONG_Z: Final = (0.0, 0.0, 1.0)

Feature = tuple[int, Vector, Vector]  # sort, a point of it, its direction
Bent = tuple[int, Vector, Vector, float]  # the same, and what comes on top of the radius of the core
# of the shape that the point is a corner of, from there: the way to its middle, and in the plane to the
# corners on either side; all zero where it has none
Wedge = tuple[Vector, Vector, Vector]
ROUND: Final = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@kernel
def vector_at(data: Array, at: int) -> Vector:
    return (data[at], data[at + 1], data[at + 2])


@kernel
def nearest(core: int, data: Array, at: int, p: Vector, wedge: Wedge) -> Bent:
    """The feature of a core that is nearest to p, a corner of the other body."""
    if core in (ARC, ARC_SLOT):
        return _of_arc(data, at, p, core == ARC_SLOT)
    sort, place, x = _of_straight(core, data, at, p, wedge)
    return sort, place, x, 0.0


@kernel
def _of_straight(core: int, data: Array, at: int, p: Vector, wedge: Wedge) -> Feature:
    if core == POINT:
        return CORNER, vector_at(data, at), ALONG_Z
    if core == BORE:
        return HOLLOW, vector_at(data, at), (1.0, 0.0, 0.0)
    if core == PLANE:
        return FACE, vector_at(data, at), vector_at(data, at + 3)
    if core == SEGMENT:
        return _of_segment(data, at, p)
    if core == SLOT:
        return _of_slot(data, at, p)
    if core == OUTLINE:
        return _of_outline(data, at, p, wedge)
    return _of_hull(data, at, p, wedge[0])


@kernel
def _of_segment(data: Array, at: int, p: Vector) -> Feature:
    begin, e, length = vector_at(data, at), vector_at(data, at + 3), data[at + 6]
    along = dot(e, sub(p, begin))
    if along <= 0.0:
        return CORNER, begin, e
    if along >= length:
        return CORNER, mix(1.0, begin, length, e), e
    return EDGE, begin, e


@kernel
def _of_slot(data: Array, at: int, p: Vector) -> Feature:
    """The wall on the side of p, as a face on the middle line; a round end beyond."""
    sort, place, e = _of_segment(data, at, p)
    if sort == CORNER:
        return HOLLOW, place, e
    x = sub(p, place)
    side = -1.0 if e[0] * x[1] - e[1] * x[0] > 0.0 else 1.0
    return FACE, place, (-side * e[1], side * e[0], 0.0)


@kernel
def _of_arc(data: Array, at: int, p: Vector, hollow: bool) -> Bent:
    centre, middle, bend, half = vector_at(data, at), vector_at(data, at + 3), data[at + 6], data[at + 7]
    x = sub(p, centre)
    along, across = dot(middle, x), middle[0] * x[1] - middle[1] * x[0]
    if np.arctan2(abs(across), along) <= half:
        outside = dot(x, x) > bend * bend
        return (CORNER, centre, middle, bend) if outside != hollow else (HOLLOW, centre, middle, -bend)
    side = bend * np.sin(half) * (1.0 if across > 0.0 else -1.0)
    end = mix(bend * np.cos(half), middle, side, (-middle[1], middle[0], 0.0))
    return (HOLLOW if hollow else CORNER), add(centre, end), middle, 0.0


@kernel
def _of_outline(data: Array, at: int, p: Vector, wedge: Wedge) -> Feature:
    """Nearest place of all edges; a corner that is nearest from within (of a hollow outline) is a hollow."""
    count = int(data[at])
    least, corner, at_corner, outside = 1e300, 0, False, True
    for k in range(count):
        edge = at + 1 + EDGE_NUMBERS * k
        across, beyond = _from_edge(data, edge, p)
        distance = across * across + beyond * beyond
        if distance < least:
            least, at_corner = distance, abs(beyond) > AS_NEAR * data[edge + 4]
            corner = k if beyond < 0.0 else (k + 1) % count
            outside = across > AS_NEAR * data[edge + 4]
    if not at_corner or least < (AS_NEAR * data[at + 5]) ** 2:
        best, most, facing_most = -1, -1e300, -1e300
        for k in range(count):
            edge = at + 1 + EDGE_NUMBERS * k
            across, beyond = _from_edge(data, edge, p)
            close = AS_NEAR * data[edge + 4]
            room = close if outside else max(close, IN_REACH * data[edge + 4])
            if abs(beyond) <= close and abs(across) <= least**0.5 + room and (outside or across <= close):
                lowest, facing = _behind(data, edge, across, wedge)
                if lowest > most + close or (lowest > most - close and facing > facing_most):
                    best, most, facing_most = k, lowest, facing
        if best >= 0:
            return _edge_face(data, at, best)
    here, before = at + 1 + EDGE_NUMBERS * corner, at + 1 + EDGE_NUMBERS * ((corner - 1) % count)
    turn = data[before + 2] * data[here + 3] - data[before + 3] * data[here + 2]
    place = (data[here], data[here + 1], 0.0)
    return (CORNER if turn > 0.0 else HOLLOW), place, (1.0, 0.0, 0.0)


@inlined
def _edge_face(data: Array, at: int, k: int) -> Feature:
    edge = at + 1 + EDGE_NUMBERS * k
    return FACE, (data[edge], data[edge + 1], 0.0), (data[edge + 3], -data[edge + 2], 0.0)


@inlined
def _behind(data: Array, edge: int, across: float, wedge: Wedge) -> tuple[float, float]:
    """Of a corner that is `across` outside the line of an edge: how far the lowest point of the sides that
    meet in it is outside, and how far its middle lies before the edge."""
    x, y = data[edge + 3], -data[edge + 2]
    lowest = across + min(0.0, x * wedge[1][0] + y * wedge[1][1], x * wedge[2][0] + y * wedge[2][1])
    return lowest, x * wedge[0][0] + y * wedge[0][1]


@kernel
def held_face(core: int, data: Array, at: int, p: Vector, wedge: Wedge) -> Feature:
    """The face that a sharp corner is on, or was before it went beyond its end: of those that its body lies
    before the one whose plane is nearest."""
    best, most = 0, -1e300
    if core == OUTLINE:
        least = 1e300
        for k in range(int(data[at])):
            across, beyond = _from_edge(data, at + 1 + EDGE_NUMBERS * k, p)
            least = min(least, across * across + beyond * beyond)
        for k in range(int(data[at])):
            edge = at + 1 + EDGE_NUMBERS * k
            across, beyond = _from_edge(data, edge, p)
            if (across * across + beyond * beyond) ** 0.5 > least**0.5 + IN_REACH * data[edge + 4]:
                continue
            lowest, _ = _behind(data, edge, across, wedge)
            score = min(lowest, -abs(across))
            if score > most:
                best, most = k, score
        return _edge_face(data, at, best)
    for k in range(int(data[at])):
        t = at + 1 + TRIANGLE_NUMBERS * k
        n = vector_at(data, t + 9)
        score = -abs(dot(n, sub(p, vector_at(data, t)))) + _turned_away(n, wedge[0])
        if score > most:
            best, most = k, score
    return triangle(data, at, best)


@kernel
def entered_face(
    data: Array, at: int, p: Vector, sides: int, R_A: Rotation, R_B: Rotation, middle: Vector
) -> int:
    """Number of the triangle by which a corner of a hull, in space, has come into another; -1: it is outside.

    Of those that are hardly deeper than the others it is the one that the edges from the corner, whose table
    is at `sides`, are least behind.
    """
    count = int(data[at])
    edge = sub(vector_at(data, at + 4), vector_at(data, at + 1))
    length = dot(edge, edge) ** 0.5
    highest, outside = -1e300, -1e300
    for k in range(count):
        t = at + 1 + TRIANGLE_NUMBERS * k
        n = vector_at(data, t + 9)
        height = dot(n, sub(p, vector_at(data, t)))
        outside = max(outside, height)
        highest = max(highest, height + _turned_away(n, middle))
    if outside > AS_NEAR * length:
        return -1
    best, most, facing_most = -1, -1e300, -1e300
    for k in range(count):
        t = at + 1 + TRIANGLE_NUMBERS * k
        n = vector_at(data, t + 9)
        facing, height = dot(n, middle), dot(n, sub(p, vector_at(data, t)))
        if height + _turned_away(n, middle) < highest - NEAR_BY * length:
            continue
        n_B, lowest = unrotate(R_B, rotate(R_A, n)), height
        for i in range(int(data[sides])):
            lowest = min(lowest, height + dot(n_B, vector_at(data, sides + 1 + 3 * i)))
        close = AS_NEAR * length
        if lowest > most + close or (lowest > most - close and facing > facing_most):
            best, most, facing_most = k, lowest, facing
    return best


@inlined
def triangle(data: Array, at: int, k: int) -> Feature:
    t = at + 1 + TRIANGLE_NUMBERS * k
    return FACE, vector_at(data, t), vector_at(data, t + 9)


@inlined
def sides_of(data: Array, at: int) -> int:
    """Where the table of the edges from a corner is, behind that of a hull."""
    return at + 1 + TRIANGLE_NUMBERS * int(data[at])


@inlined
def _turned_away(n: Vector, inwards: Vector) -> float:
    """Something far below zero for a face that the other body does not lie before."""
    return -1e100 if dot(n, inwards) < 0.0 else 0.0


@kernel
def _from_edge(data: Array, edge: int, p: Vector) -> tuple[float, float]:
    """How far p is outside the line of an edge, and along it beyond its ends."""
    x, y = p[0] - data[edge], p[1] - data[edge + 1]
    along = x * data[edge + 2] + y * data[edge + 3]
    across = x * data[edge + 3] - y * data[edge + 2]
    if along < 0.0:
        return across, along
    return across, max(along - data[edge + 4], 0.0)


@kernel
def _of_hull(data: Array, at: int, p: Vector, inwards: Vector) -> Feature:
    count = int(data[at])
    highest = -1e300
    for k in range(count):
        t = at + 1 + TRIANGLE_NUMBERS * k
        highest = max(highest, dot(vector_at(data, t + 9), sub(p, vector_at(data, t))))
    edge = sub(vector_at(data, at + 4), vector_at(data, at + 1))
    close = AS_NEAR * dot(edge, edge) ** 0.5
    if highest <= close:  # within, or on it
        best, most, facing_most = 0, -1e300, -1e300
        for k in range(count):
            t = at + 1 + TRIANGLE_NUMBERS * k
            n = vector_at(data, t + 9)
            facing, height = dot(n, inwards), dot(n, sub(p, vector_at(data, t))) + _turned_away(n, inwards)
            if height > most + close or (height > most - close and facing > facing_most):
                best, most, facing_most = k, height, facing
        return triangle(data, at, best)
    least = 1e300
    found = (CORNER, ZERO, ALONG_Z)
    for k in range(count):
        t = at + 1 + TRIANGLE_NUMBERS * k
        n = vector_at(data, t + 9)
        if dot(n, sub(p, vector_at(data, t))) <= 0.0:
            continue
        feature, distance = _of_triangle(
            vector_at(data, t), vector_at(data, t + 3), vector_at(data, t + 6), n, p
        )
        if distance < least:
            least, found = distance, feature
    return found


@kernel
def _of_triangle(a: Vector, b: Vector, c: Vector, n: Vector, p: Vector) -> tuple[Feature, float]:
    """The feature of a triangle nearest to p, and the square of its distance [Ericson 2005, §5.1.5]."""
    inside = True
    best, least = (CORNER, a, n), 1e300
    for k in range(3):
        begin = a if k == 0 else (b if k == 1 else c)
        end = b if k == 0 else (c if k == 1 else a)
        e = sub(end, begin)
        x = sub(p, begin)
        if dot(cross(e, n), x) > 0.0:  # beyond this edge
            inside = False
        length = dot(e, e) ** 0.5
        u = scale(1.0 / length, e)
        along = dot(u, x)
        if along <= 0.0:
            candidate, off = (CORNER, begin, n), x
        elif along >= length:
            candidate, off = (CORNER, end, n), sub(p, end)
        else:
            candidate, off = (EDGE, begin, u), sub(p, add(begin, scale(along, u)))
        distance = dot(off, off)
        if distance < least:
            least, best = distance, candidate
    if inside:
        height = dot(n, sub(p, a))
        return (FACE, a, n), height * height
    return best, least
