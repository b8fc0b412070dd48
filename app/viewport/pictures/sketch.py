"""Sketches of a scene, painted in a moment: for lists and previews where a viewport is too slow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.platform.theme import Theme
from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.elements.bodies.shapes import Box, Capsule, Cylinder, Outline, Rod, Shape, Sphere
from engine.model.mass import rotation
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

MARGIN = 0.08  # of the picture, on every side
ROUND = np.linspace(0.0, 2.0 * np.pi, 20, endpoint=False)
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
# seen from a corner: to the right, up, and towards the viewer
CORNER_VIEW = np.array([[-0.64, 0.77, 0.0], [-0.22, -0.26, 0.94], [0.72, 0.60, 0.34]])
PIN = 3.0  # px
SOLID = -1.0  # stands for a width: what is painted is the outline of the points
THINNEST = 1.6  # px of a rod
PATH = 1.6  # px


class Sketch:
    """Bodies, joints and paths of a scene as flat pieces, ready to be painted at any size."""

    def __init__(self, scene: Scene, theme: Theme, paths: Sequence[Sequence[Sequence[float]]] = ()) -> None:
        resolved, _ = resolve_leniently(scene)
        self._theme, self._planar = theme, resolved.space == "planar"
        self._poses: dict[str, tuple[Array, Array]] = {WORLD: (np.zeros(3), np.eye(3))}
        self._named: dict[tuple[str, str], Array] = {}
        pieces: list[tuple[float, str, float, float, Array]] = []  # depth, colour, opacity, width, points
        for index, body in enumerate(resolved.bodies):
            p, R = _three(body.position), rotation(body.orientation, float(body.angle))
            if not np.isfinite(p).all() or not np.isfinite(R).all():
                continue
            self._poses[body.name] = (p, R)
            for point in body.points:
                self._named[body.name, point.name] = _three(point.position)
            color = body.color or theme.plot_color(index)
            for shape in body.shapes:
                for width, corners in _outlines(shape):
                    seen = self._seen(corners @ R.T + p)
                    depth = body.layer if self._planar else float(seen[:, 2].mean())
                    opacity = float(shape.opacity) * float(body.opacity)
                    flat = _hull(seen[:, :2]) if width == SOLID else seen[:, :2]
                    pieces.append((depth, shape.color or color, opacity, width, flat))
            if not body.shapes:
                seen = self._seen(np.array([p]))
                pieces.append((float(body.layer), color, 1.0, 0.0, seen[:, :2]))
        self._pieces = sorted(pieces, key=lambda piece: piece[0])
        self._pins = [pin for joint in resolved.joints for pin in self._pin(joint)]
        self._paths = [self._seen(np.array([_three(p) for p in path]))[:, :2] for path in paths]
        cloud = [piece[4] for piece in self._pieces] + self._paths + [np.array([p]) for p, _ in self._pins]
        every = np.concatenate(cloud) if cloud else np.zeros((0, 2))
        every = every[np.isfinite(every).all(axis=1)]
        self._low, self._high = (f(every, axis=0) if len(every) else np.zeros(2) for f in (np.min, np.max))
        self._wide = max((piece[3] for piece in self._pieces if piece[3] > 0.0), default=0.0)

    def paint(self, painter: QPainter, room: QRectF) -> None:
        """Paint it as large as it fits."""
        size = np.maximum(self._high - self._low + 2.0 * self._wide, 1e-9)
        inner = (1.0 - 2.0 * MARGIN) * np.array([room.width(), room.height()])
        scale = float(np.min(inner / size))
        middle = (self._low + self._high) / 2.0

        def place(p: Array) -> QPointF:
            x, y = (p - middle) * scale
            return QPointF(room.center().x() + x, room.center().y() - y)

        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for _, color, opacity, width, points in self._pieces:
            tint = QColor(color)
            tint.setAlphaF(opacity)
            line = QPolygonF([place(p) for p in points])
            if width > 0.0:
                thick = max(2.0 * width * scale, THINNEST)
                painter.setPen(QPen(tint, thick, c=Qt.PenCapStyle.RoundCap))
                painter.drawPolyline(line)
            elif len(points) > 2:
                painter.setPen(QPen(tint.darker(130), 1.0))
                painter.setBrush(tint)
                painter.drawPolygon(line)
            else:
                painter.setPen(QPen(tint, 2.0 * PIN, c=Qt.PenCapStyle.RoundCap))
                painter.drawPoint(line.first())
        self._paint_paths(painter, place)
        self._paint_pins(painter, place)
        painter.restore()

    def _paint_paths(self, painter: QPainter, place: Any) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for index, path in enumerate(self._paths):
            color = self._theme.color("danger" if index == 0 else "muted")
            painter.setPen(QPen(color, PATH, Qt.PenStyle.SolidLine if index == 0 else Qt.PenStyle.DashLine))
            painter.drawPolyline(QPolygonF([place(p) for p in path]))

    def _paint_pins(self, painter: QPainter, place: Any) -> None:
        ink, ground = self._theme.color("text"), self._theme.color("muted")
        for point, fixed in self._pins:
            at = place(point)
            painter.setPen(QPen(ink, 1.2))
            if fixed:  # a small foot, as drawings show the ground
                foot = [QPointF(at.x() + dx, at.y() + dy) for dx, dy in ((0, 0), (-6, 10), (6, 10))]
                painter.setBrush(ground)
                painter.drawPolygon(QPolygonF(foot))
            painter.setBrush(self._theme.color("base"))
            painter.drawEllipse(at, PIN, PIN)

    def _seen(self, points: Array) -> Array:
        """To the right, up and towards the viewer, shape (n, 3)."""
        return points if self._planar else points @ CORNER_VIEW.T

    def _pin(self, joint: Any) -> list[tuple[Array, bool]]:
        """Where a joint is drawn, and whether it stands on the ground."""
        anchor = getattr(joint, "a", None)
        if anchor is None or anchor.body not in self._poses:
            return []
        point = anchor.point
        local = self._named.get((anchor.body, point)) if isinstance(point, str) else None
        if local is None:
            local = _three(point) if isinstance(point, tuple) else np.zeros(3)
        p, R = self._poses[anchor.body]
        place = R @ local + p
        fixed = anchor.body == WORLD
        return [(self._seen(place[None])[0, :2], fixed)] if np.isfinite(place).all() else []


def _three(values: Sequence[Any]) -> Array:
    return np.array([*(float(v) for v in values), 0.0][:3])


def _outlines(shape: Shape) -> list[tuple[float, Array]]:
    """Of a shape in the body frame: lines with half their width, outlines (0), clouds of points (SOLID)."""
    outline = OUTLINES.get(type(shape))
    if outline is None:
        return []
    width, local = outline(shape)
    R, p = rotation(shape.orientation, float(shape.angle)), _three(shape.position)
    return [(width, local @ R.T + p)]


def _rod(shape: Rod) -> tuple[float, Array]:
    return float(shape.radius), np.array([_three(shape.start), _three(shape.end)])


def _outline(shape: Outline) -> tuple[float, Array]:
    return 0.0, np.array([_three(corner) for corner in shape.points])


def _box(shape: Box) -> tuple[float, Array]:
    return SOLID, CORNERS * np.array([float(v) for v in shape.size])


def _sphere(shape: Sphere) -> tuple[float, Array]:
    return float(shape.radius), np.array([np.zeros(3), np.full(3, 1e-9)])


def _round_bar(shape: Cylinder | Capsule) -> tuple[float, Array]:
    half = np.array([0.0, 0.0, float(shape.length) / 2.0])
    circle = float(shape.radius) * np.column_stack([np.cos(ROUND), np.sin(ROUND), 0.0 * ROUND])
    return SOLID, np.concatenate([circle - half, circle + half])


# how each shape is sketched, in its own frame; others are left out
OUTLINES: dict[type[Shape], Callable[[Any], tuple[float, Array]]] = {
    Box: _box,
    Capsule: _round_bar,
    Cylinder: _round_bar,
    Outline: _outline,
    Rod: _rod,
    Sphere: _sphere,
}


def _hull(points: Array) -> Array:
    """The outline of a cloud of points in the plane (Andrew's chains), shape (n, 2)."""
    found: list[Array] = []
    order = points[np.lexsort((points[:, 1], points[:, 0]))]
    for chain in (order, order[::-1]):
        begin = len(found)
        for p in chain:
            while len(found) - begin >= 2 and _turn(found[-2], found[-1], p) <= 0.0:
                found.pop()
            found.append(p)
        found.pop()
    return np.array(found) if len(found) > 2 else points[:1]


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
