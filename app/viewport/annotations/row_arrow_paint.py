"""Arrows of constraint rows, painted over the picture: straight to shift along, a ring to turn about."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.viewport.scene.scene_view import SceneView
from engine.analyses.instant.row_arrows import RowArrow
from engine.compiled.layout import Array

HALF_LENGTH = 64.0  # px, of a straight arrow to each side
RADIUS = 30.0  # px, of a ring
HEAD = 10.0  # px
ROUND = np.linspace(-0.85 * np.pi, 0.85 * np.pi, 41)  # of a ring: open, so that it reads as an arrow
FIRST, OTHERS = (
    ("#b3261e", "#ff8f85"),
    ("#0072B2", "#63AEF2"),
)  # light and dark: the row itself, what it repeats
SHORTEST = 2.0  # px: what is shorter points at the viewer


def lines_of(arrow: RowArrow, pose: tuple[Array, Array] | None, per_pixel: float) -> Array:
    """The arrow as world points, shape (n, 3): its first and last piece carry a head."""
    origin, R = (np.zeros(3), np.eye(3)) if pose is None else pose
    at, way = origin + R @ np.array(arrow.point), R @ np.array(arrow.direction)
    if not arrow.turns:
        return np.asarray(at + np.outer([-HALF_LENGTH, 0.0, HALF_LENGTH], way) * per_pixel)
    u = np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))])
    u /= np.linalg.norm(u)
    v = np.cross(way, u)
    return np.asarray(at + RADIUS * per_pixel * (np.outer(np.cos(ROUND), u) + np.outer(np.sin(ROUND), v)))


def paint_rows(painter: QPainter, view: SceneView, ratio: float, arrows: Sequence[RowArrow]) -> None:
    """All rows that take part; the first one, which could go, in a colour of its own. `ratio`: device pixels
    per pixel of the widget."""
    dark = view.style.dark
    for number in reversed(range(len(arrows))):
        arrow = arrows[number]
        pose = view.stage.poses.get(arrow.body)
        if pose is None and arrow.body in {body.name for body in view.scene.bodies}:
            continue
        line = view.camera.project_all(lines_of(arrow, pose, view.camera.per_pixel)) / ratio
        if not np.isfinite(line).all() or np.abs(line).max() > 1e5:
            continue
        color = QColor((OTHERS if number else FIRST)[dark])
        _paint(painter, line, color, thick=3.0 if not number else 2.0)


def _paint(painter: QPainter, line: Array, color: QColor, *, thick: float) -> None:
    points = [QPointF(*map(float, p)) for p in line]
    ground = QColor("#ffffff" if color.lightnessF() < 0.5 else "#1d2127")
    ground.setAlpha(190)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(ground, thick + 2.5), QPen(color, thick)):
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    seen = float(np.linalg.norm(line[-1] - line[0])) if len(line) == 3 else HALF_LENGTH
    if seen < SHORTEST:  # along the line of sight: a dot
        painter.drawEllipse(points[0], thick + 1.0, thick + 1.0)
        return
    for tip, before in ((line[-1], line[-2]), (line[0], line[1])):
        way = tip - before
        size = float(np.linalg.norm(way))
        if size > 0.0:
            along, across = way / size, np.array([-way[1], way[0]]) / size
            corners = (tip + 0.6 * HEAD * along, tip - 0.4 * HEAD * along + 0.4 * HEAD * across)
            last = tip - 0.4 * HEAD * along - 0.4 * HEAD * across
            painter.drawPolygon(QPolygonF([QPointF(*map(float, p)) for p in (*corners, last)]))
