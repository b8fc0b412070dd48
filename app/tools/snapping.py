"""Where a pointed place snaps to: points, directions from a start, lines of other points, the grid. No Qt.

All tools snap by this file: those that draw and join (`DrawTool`), the handles of the move tool, and limits
of joints that are dragged. How near is near enough stands here for all of them. A linkage that is dragged by
a body does not snap.

All in metres, on a work plane; distances that count are those on the screen, so callers say how many metres
a pixel is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.maths.round_numbers import exact, nice

Array = NDArray[np.float64]

POINT_REACH = 11.0  # px within which a point attracts
LINE_REACH = 6.0  # px within which a direction or the line of another point attracts
ARROW_REACH = 9.0  # px within which the level of another point attracts what an arrow of the move tool moves
RING_REACH = np.radians(4.0)  # within which a multiple of SNAP_ANGLE attracts what a ring turns
GRID_GAP = 28.0  # px between lines of the grid, at least; as the planar grid is drawn
GRID_REACH = 0.36  # of a cell: nearer to a crossing than this, the grid attracts
SCREEN = 1e3  # px: the size of what is seen, roughly
DIRECTION_PARTS = 5.0  # of a cell, to which a length along a direction is rounded
FINE = 20.0  # parts of a cell to which a place between crossings is rounded
SNAP_ANGLE = np.pi / 12.0  # multiples attract: directions from the start, and what a ring turns
# rad and m: what a dragged limit is a multiple of
LIMIT_STEPS = {"angle": np.radians(1.0), "displacement": 1e-3}
PARALLEL = 1e-6  # sine of the angle below which a line of sight never meets the plane


def grid_step(per_pixel: float) -> float:
    """Width of a cell of the grid that is shown [m]."""
    return nice(GRID_GAP * per_pixel)


@dataclass(frozen=True)
class WorkPlane:
    """A plane to draw on: origin, and two unit directions across each other, in the world."""

    origin: Array = field(default_factory=lambda: np.zeros(3))
    u: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))
    v: Array = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))

    @property
    def normal(self) -> Array:
        return np.cross(self.u, self.v)

    @property
    def axes(self) -> Array:
        """Columns u, v, normal: from the plane to the world."""
        return np.column_stack([self.u, self.v, self.normal])

    def local(self, p: Array) -> Array:
        """Coordinates (u, v) of a world point, projected on the plane."""
        d = np.asarray(p, float) - self.origin
        return np.array([self.u @ d, self.v @ d])

    def world(self, uv: Array) -> Array:
        return np.asarray(self.origin + uv[0] * self.u + uv[1] * self.v)

    def through(self, p: Array) -> WorkPlane:
        """The parallel plane through a point; its grid stays where it was."""
        return WorkPlane(self.origin + self.normal * (self.normal @ (p - self.origin)), self.u, self.v)

    def hit(self, origin: Array, direction: Array) -> Array | None:
        """Where a line of sight meets the plane; None when it does not, or only behind the viewer."""
        down = float(self.normal @ direction)
        if abs(down) < PARALLEL:
            return None
        way = float(self.normal @ (self.origin - origin)) / down
        return np.asarray(origin + way * direction) if way > 0.0 else None


def named_plane(name: str, through: Array | None = None) -> WorkPlane:
    """The plane "xy", "yz" or "zx", through a point or the origin."""
    axes = dict(zip("xyz", np.eye(3), strict=True))
    plane = WorkPlane(np.zeros(3), axes[name[0]], axes[name[1]])
    return plane if through is None else plane.through(np.asarray(through, float))


@dataclass(frozen=True)
class Target:
    """A point that attracts: where it is, what it is called, and whose it is."""

    point: Array
    title: str  # "pin revolute 1", "end B of bar 1"
    where: str = ""  # list of the element: joints, bodies; empty: a mere place
    name: str = ""
    part: str = ""  # name of a point of a body
    rank: int = 0  # of targets about as near, the lowest is taken


@dataclass(frozen=True)
class Snapped:
    """The place that counts, why, and what to draw for it."""

    point: Array
    kind: str = "free"  # point, direction, line, grid, free
    title: str = ""
    target: Target | None = None
    guides: tuple[tuple[Array, Array], ...] = ()  # lines to draw, in the world


def snap_point(p: Array, targets: Iterable[Target], per_pixel: float, plane: WorkPlane) -> Target | None:
    """The target that a place of the plane snaps to, as seen along the plane's normal."""
    reach = POINT_REACH * per_pixel
    near: list[tuple[int, float, int, Target]] = []
    for target in targets:
        distance = float(np.linalg.norm(plane.local(target.point) - plane.local(p)))
        if distance <= reach:
            near.append((target.rank, distance, len(near), target))
    return min(near, key=lambda found: found[:3])[3] if near else None


def snap_grid(p: Array, plane: WorkPlane, step: float) -> Array | None:
    """The crossing of the grid that attracts a place, None between crossings."""
    uv = plane.local(p) / step
    whole = np.round(uv)
    if float(np.abs(uv - whole).max()) > GRID_REACH:
        return None
    return _nearest(p, plane, step)


def _nearest(p: Array, plane: WorkPlane, step: float) -> Array:
    """The crossing of the grid that is nearest."""
    return _meant(plane.world(np.round(plane.local(p) / step) * step), step / GRID_GAP)


def snap_angle(angle: float, reach: float, turn: float = SNAP_ANGLE) -> float | None:
    """The multiple of `turn` that attracts an angle."""
    whole = round(angle / turn) * turn
    return whole if abs(angle - whole) <= reach else None


def snap(
    p: Array,
    plane: WorkPlane,
    per_pixel: float,
    targets: Iterable[Target] = (),
    start: Array | None = None,
    *,
    points: bool = True,
    grid: bool = True,
    lines: bool = True,
    whole: bool = False,
    fine: bool = False,
) -> Snapped:
    """Where a place of the plane snaps to: a point first, then the grid, then directions from `start` and
    lines through other points along the axes of the plane.

    Between the crossings of the grid a place is rounded to a small part of a cell; `whole` takes it to the
    nearest crossing, `fine` rounds it everywhere.
    """
    known = tuple(targets)
    if points:
        target = snap_point(p, known, per_pixel, plane)
        if target is not None:
            return Snapped(target.point, "point", target.title, target)
    step = grid_step(per_pixel)
    crossing = snap_grid(p, plane, step) if grid and not fine else None
    if crossing is not None:
        return Snapped(crossing, "grid", "grid")
    if lines:
        part = step if whole and not fine else step / DIRECTION_PARTS
        found = (None if start is None else _snap_direction(p, plane, per_pixel, part, start)) or _snap_line(
            p, plane, per_pixel, known
        )
        if found is not None:
            return found
    if grid and whole and not fine:
        return Snapped(_nearest(p, plane, step), "grid", "grid")
    return Snapped(_rounded(p, plane, step) if grid else np.asarray(p, float))


def _meant(p: Array, per_pixel: float) -> Array:
    """A computed place as it is meant: whole parts of the grid are exact."""
    return np.array([exact(float(x), SCREEN * per_pixel) for x in p])


def _rounded(p: Array, plane: WorkPlane, step: float) -> Array:
    """The nearest place with round coordinates: about a pixel away, but numbers that can be read."""
    fine = step / FINE
    return _meant(plane.world(np.round(plane.local(p) / fine) * fine), step / GRID_GAP)


def _snap_direction(
    p: Array, plane: WorkPlane, per_pixel: float, part: float, start: Array
) -> Snapped | None:
    """On a ray from the start at a multiple of SNAP_ANGLE, there at a whole number of parts [m]."""
    way = plane.local(p) - plane.local(start)
    length = float(np.linalg.norm(way))
    if length < LINE_REACH * per_pixel:
        return None
    angle = snap_angle(float(np.arctan2(way[1], way[0])), LINE_REACH * per_pixel / length)
    if angle is None:
        return None
    direction = np.array([np.cos(angle), np.sin(angle)])
    along = float(way @ direction)
    along = round(along / part) * part or along
    end = _meant(plane.through(start).world(plane.local(start) + along * direction), per_pixel)
    return Snapped(end, "direction", f"{np.degrees(angle) % 360.0:.0f}°", None, ((np.asarray(start), end),))


def _snap_line(p: Array, plane: WorkPlane, per_pixel: float, targets: tuple[Target, ...]) -> Snapped | None:
    """Level with another point, or above or below it; both where two such lines cross."""
    uv = plane.local(p)
    moved, guides, titles = uv.copy(), [], []
    for axis in (0, 1):
        best = None
        for target in targets:
            place = plane.local(target.point)
            off = abs(float(place[axis] - uv[axis]))
            if off <= LINE_REACH * per_pixel and (best is None or off < best[0]):
                best = (off, place, target)
        if best is not None:
            moved[axis] = best[1][axis]
            guides.append(best[2].point)
            titles.append(("below or above " if axis == 0 else "level with ") + best[2].title)
    if not guides:
        return None
    end = _meant(plane.world(moved), per_pixel)
    return Snapped(end, "line", " and ".join(titles), None, tuple((g, end) for g in guides))
