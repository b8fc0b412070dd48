"""Where two shapes touch, in plain numbers for one pose: for pictures, and beside the compiled search.

Nothing here is shared with `nearest.py` but the tables of cores; every edge and triangle is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.elements.gaps import nearest
from engine.elements.gaps.cores import Arc, Core, Crossing, Meeting, meetings

if TYPE_CHECKING:
    from engine.compiled.layout import Array

SEAM = 1e-12  # of a cosine: so far the end of an arc and the arc itself both touch
ON_IT = 1e-12  # m: a point that is nearer to an outline lies on it
BEHIND = 1e-3  # of a side: what is farther behind a face or corner keeps it from being touched there
Pose = tuple["Array", "Array"]  # origin and rotation of a body frame in the world


class ContactPlace(NamedTuple):
    """A gap [m], the place in the world [m] and the normal from A to B."""

    gap: float
    place: Array
    normal: Array


def contact_places(a: Core, b: Core, pose_A: Pose, pose_B: Pose, planar: bool) -> Iterator[ContactPlace]:
    """All gaps between two shapes in the frames of their bodies."""
    for meeting in meetings(a, b, planar):
        if isinstance(meeting.shape, Crossing):
            if a.sort == b.sort == nearest.SEGMENT:
                yield _of_lines(a, b, pose_A, pose_B)
            continue
        own, other = (pose_B, pose_A) if meeting.swapped else (pose_A, pose_B)
        corner = other[0] + other[1] @ meeting.corner
        foot, n, distance = _nearest(meeting.shape, own[1].T @ (corner - own[0]))
        n = own[1] @ n
        radius = meeting.shape.reach
        gap = distance - radius - meeting.radius
        part = meeting.part
        if part is not None and (
            float(-n @ (other[1] @ part.towards)) < part.within - SEAM or gap < -part.deepest
        ):
            continue
        if meeting.is_sharp and gap > 0.0 and _passes(meeting, gap, other[1].T @ n):
            continue
        place = own[0] + own[1] @ foot + (radius + 0.5 * gap) * n
        yield ContactPlace(gap, place, -n if meeting.swapped else n)


def _passes(meeting: Meeting, gap: float, n: Array) -> bool:
    """Whether a sharp corner goes by: its own body is behind what it is nearest to; n in its body frame."""
    if not meeting.sides:
        return float(n @ (meeting.centre - meeting.corner)) < 0.0
    return any(gap + float(n @ side) < -BEHIND * float(np.linalg.norm(side)) for side in meeting.sides)


def _nearest(core: Core, p: Array) -> tuple[Array, Array, float]:
    """Nearest place of a core, the normal there and the signed distance, in the frame of the body."""
    points = core.points
    if core.sort == nearest.PLANE:
        n = np.array(core.direction)
        height = float(n @ (p - points[0]))
        return p - height * n, n, height
    if core.sort in (nearest.POINT, nearest.BORE):
        foot = points[0]
        sign = -1.0 if core.sort == nearest.BORE else 1.0
        return foot, sign * _unit(p - foot), sign * float(np.linalg.norm(p - foot))
    if core.arc is not None:
        foot = _on_arc(core.arc, p)
        sign = -1.0 if core.is_hollow else 1.0
        off = float(np.linalg.norm(p - foot))
        return foot, sign * (_unit(p - foot) if off > 0.0 else _unit(foot - core.arc.centre)), sign * off
    if core.sort == nearest.SLOT:
        foot = _on_segment(points[0], points[1], p)
        along = _unit(points[1] - points[0])
        off = float(np.linalg.norm(p - foot))
        return foot, -_unit(p - foot) if off > 0.0 else np.array([-along[1], along[0], 0.0]), -off
    if core.sort == nearest.SEGMENT:
        foot = _on_segment(points[0], points[1], p)
        return foot, _unit(p - foot), float(np.linalg.norm(p - foot))
    if core.sort == nearest.OUTLINE:
        following = np.roll(points, -1, axis=0)
        feet = [_on_segment(x, y, p) for x, y in zip(points, following, strict=True)]
        k = int(np.argmin([np.linalg.norm(p - foot) for foot in feet]))
        along = _unit(following[k] - points[k])
        outwards = np.array([along[1], -along[0], 0.0])
        sides = (points[:, 1] > p[1]) != (following[:, 1] > p[1])
        crossings = [
            x[0] + (p[1] - x[1]) / (y[1] - x[1]) * (y[0] - x[0]) > p[0]
            for x, y, s in zip(points, following, sides, strict=True)
            if s
        ]
        return _signed(p, feet[k], outwards, bool(sum(crossings) % 2))
    triangles = [points[list(corners)] for corners in core.triangles]
    normals = [_unit(np.cross(t[1] - t[0], t[2] - t[0])) for t in triangles]
    heights = np.array([n @ (p - t[0]) for n, t in zip(normals, triangles, strict=True)])
    if heights.max() <= 0.0:
        k = int(np.argmax(heights))
        return p - heights[k] * normals[k], normals[k], float(heights[k])
    feet = [_on_triangle(t, n, p) for t, n in zip(triangles, normals, strict=True)]
    k = int(np.argmin([np.linalg.norm(p - foot) for foot in feet]))
    return feet[k], _unit(p - feet[k]), float(np.linalg.norm(p - feet[k]))


def _signed(p: Array, foot: Array, outwards: Array, inside: bool) -> tuple[Array, Array, float]:
    off = float(np.linalg.norm(p - foot))
    if off < ON_IT:
        return foot, outwards, 0.0
    sign = -1.0 if inside else 1.0
    return foot, sign * (p - foot) / off, sign * off


def _unit(x: Array) -> Array:
    size = float(np.linalg.norm(x))
    return np.asarray(x / size) if size > 0.0 else np.array([1.0, 0.0, 0.0])


def _on_segment(begin: Array, end: Array, p: Array) -> Array:
    along = end - begin
    share = float(np.clip(along @ (p - begin) / (along @ along), 0.0, 1.0))
    return np.asarray(begin + share * along)


def _on_arc(arc: Arc, p: Array) -> Array:
    x = p - arc.centre
    across = float(arc.middle[0] * x[1] - arc.middle[1] * x[0])
    angle = math.atan2(across, float(arc.middle @ x))
    return arc.at(float(np.clip(angle, -arc.half, arc.half)))


def _on_triangle(t: Array, n: Array, p: Array) -> Array:
    flat = p - float(n @ (p - t[0])) * n
    edges = np.roll(t, -1, axis=0) - t
    if all(float(np.cross(e, flat - x) @ n) >= 0.0 for e, x in zip(edges, t, strict=True)):
        return np.asarray(flat)
    feet = [_on_segment(t[k], t[(k + 1) % 3], p) for k in range(3)]
    return feet[int(np.argmin([np.linalg.norm(p - foot) for foot in feet]))]


def _of_lines(a: Core, b: Core, pose_A: Pose, pose_B: Pose) -> ContactPlace:
    """The nearest places of two segments, one after the other until nothing moves."""
    ends_A, ends_B = ([o + R @ p for p in core.points] for core, (o, R) in ((a, pose_A), (b, pose_B)))
    place_B = 0.5 * (ends_B[0] + ends_B[1])
    place_A = place_B
    for _ in range(50):
        place_A = _on_segment(ends_A[0], ends_A[1], place_B)
        place_B = _on_segment(ends_B[0], ends_B[1], place_A)
    n = _unit(place_B - place_A)
    gap = float(np.linalg.norm(place_B - place_A)) - a.radius - b.radius
    return ContactPlace(gap, place_A + (a.radius + 0.5 * gap) * n, n)
