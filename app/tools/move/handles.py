"""Handles to move and turn something by: arrows, squares between them, rings. Geometry only, no Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.tools.snapping import Array, WorkPlane
from engine.maths.rotations import about_axis

SIZE = 70.0  # px, of an arrow
SQUARE = (0.30, 0.52)  # of an arrow: where the square between two of them begins and ends
RING = 1.42  # of an arrow: radius of a ring, beyond its head
REACH = 8.0  # px within which a handle is under the pointer
PIECES = 48  # of a ring
SLANTED = 0.05  # sine between sight and arrow, or sight and plane: flatter ones cannot be dragged
LETTERS = "xyz"


@dataclass(frozen=True)
class Handle:
    """An arrow along an axis, a square across it, or a ring about it."""

    kind: Literal["arrow", "square", "ring"]
    axis: int

    @property
    def others(self) -> tuple[int, int]:
        """The axes of the plane across it."""
        return (self.axis + 1) % 3, (self.axis + 2) % 3

    @property
    def title(self) -> str:
        if self.kind == "arrow":
            return f"along {LETTERS[self.axis]}"
        if self.kind == "ring":
            return f"about {LETTERS[self.axis]}"
        return " and ".join(sorted(LETTERS[i] for i in self.others))


@dataclass(frozen=True)
class Gizmo:
    """All handles around a place; `axes` are columns, `size` is the length of an arrow [m]."""

    centre: Array
    axes: Array
    size: float
    planar: bool
    turns: bool = True  # what cannot be turned has no rings

    def handles(self) -> list[Handle]:
        """Those in front first."""
        arrows = [Handle("arrow", i) for i in range(2 if self.planar else 3)]
        squares = [Handle("square", i) for i in ((2,) if self.planar else (0, 1, 2))]
        rings = [Handle("ring", i) for i in ((2,) if self.planar else (0, 1, 2))] if self.turns else []
        return [*squares, *arrows, *rings]

    def outline(self, handle: Handle) -> Array:
        """World points to draw, and to look for the pointer at, shape (n, 3)."""
        if handle.kind == "arrow":
            steps = np.linspace(0.12 if handle.kind == "arrow" else 0.0, 1.0, 9)
            return np.asarray(self.centre + self.size * steps[:, None] * self.axes[:, handle.axis])
        u, v = (self.axes[:, i] for i in handle.others)
        if handle.kind == "square":
            near, far = SQUARE
            corners = np.array([[near, near], [far, near], [far, far], [near, far], [near, near]])
            return np.asarray(self.centre + self.size * corners @ np.array([u, v]))
        angle = np.linspace(0.0, 2.0 * np.pi, PIECES + 1)[:, None]
        return np.asarray(self.centre + RING * self.size * (np.cos(angle) * u + np.sin(angle) * v))

    def under(self, pixel: Array, project: Callable[[Array], Array]) -> Handle | None:
        """The handle at a pixel; `project` gives pixels of world points."""
        best: tuple[float, Handle] | None = None
        for handle in self.handles():
            points = project(self.outline(handle))
            if not np.isfinite(points).all():
                continue
            inside = handle.kind == "square" and _inside(pixel, points[:4])
            off = 0.0 if inside else _distance(pixel, points)
            if off <= REACH and (best is None or off < best[0]):
                best = (off, handle)
        return best[1] if best else None

    def amounts(self, handle: Handle, origin: Array, direction: Array) -> Array | None:
        """Where a line of sight meets the handle: metres along arrows and squares, the angle of a ring."""
        if handle.kind == "arrow":
            found = _along(self.centre, self.axes[:, handle.axis], origin, direction)
            return None if found is None else np.array([found])
        u, v = (self.axes[:, i] for i in handle.others)
        if abs(float(np.cross(u, v) @ direction)) < SLANTED:
            return None
        hit = WorkPlane(self.centre, u, v).hit(origin, direction)
        if hit is None:
            return None
        d = hit - self.centre
        flat = np.array([d @ u, d @ v])
        if handle.kind == "square":
            return flat
        return np.array([np.arctan2(flat[1], flat[0])]) if np.linalg.norm(flat) > 0.0 else None

    def shift(self, handle: Handle, amounts: Array) -> Array:
        """The displacement that amounts of an arrow or square mean [m]."""
        columns = (handle.axis,) if handle.kind == "arrow" else handle.others
        return np.asarray(self.axes[:, columns] @ amounts)

    def turn(self, handle: Handle, angle: float) -> Array:
        """The rotation that an angle of a ring means."""
        return about_axis(self.axes[:, handle.axis], angle)


def _along(p: Array, axis: Array, origin: Array, direction: Array) -> float | None:
    """The place on a line that is nearest to a line of sight."""
    across = np.cross(axis, direction)
    size = float(across @ across)
    if size < SLANTED**2:
        return None
    return float(np.cross(origin - p, direction) @ across) / size


def _distance(pixel: Array, points: Array) -> float:
    """From a pixel to a line of pixels."""
    a, way = points[:-1], np.diff(points, axis=0)
    length = np.maximum(np.sum(way * way, axis=1), 1e-12)
    s = np.clip(np.sum((pixel - a) * way, axis=1) / length, 0.0, 1.0)
    return float(np.linalg.norm(a + s[:, None] * way - pixel, axis=1).min())


def _inside(pixel: Array, corners: Array) -> bool:
    """Whether a pixel lies in a convex polygon."""
    way = np.roll(corners, -1, axis=0) - corners
    to = pixel - corners
    turn = way[:, 0] * to[:, 1] - way[:, 1] * to[:, 0]
    return bool((turn >= 0.0).all() or (turn <= 0.0).all())
