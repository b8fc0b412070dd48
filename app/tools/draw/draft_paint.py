"""What drawing tools paint over the picture: marks, lines, numbers at the pointer, the work plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.tools.snapping import Array, Snapped, WorkPlane
from app.viewport.canvas.style import look
from engine.maths.round_numbers import nice

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

CELLS = 10  # of the work plane, to each side
GAP = QPointF(18.0, 20.0)  # px from the pointer to its numbers
PAD = 6.0  # px inside a label
ROUND = 4.0  # px
HEAD = 11.0  # px, of an arrow
MARKS = {"point": 6.0, "grid": 3.0, "direction": 3.5, "line": 3.5, "free": 2.5}  # px by kind of place


@dataclass(frozen=True)
class Cell:
    """One number at the pointer."""

    title: str
    text: str
    typed: bool = False
    active: bool = False


class Ink:
    """A painter in the colours of the viewport, in world points."""

    def __init__(self, painter: QPainter, viewport: ViewportWidget) -> None:
        self.painter, self._viewport = painter, viewport
        style = viewport.view_style
        colors = look(style)
        self.accent, self.text = QColor(style.accent), QColor(colors.text)
        self.ground = QColor("#1d2127" if style.dark else "#ffffff")
        self.wrong = QColor("#ff8f85" if style.dark else "#b3261e")

    def pixel(self, p: Array) -> QPointF:
        x, y = self._viewport.view.camera.project(p)
        ratio = self._viewport.devicePixelRatioF()
        return QPointF(x / ratio, y / ratio)

    def line(self, points: Sequence[Array], *, width: float = 2.0, dashed: bool = False) -> None:
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        self.painter.setPen(QPen(self.accent, width, style, Qt.PenCapStyle.RoundCap))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        pixels = [self.pixel(p) for p in points]
        if all(_finite(pixel) for pixel in pixels):
            self.painter.drawPolyline(QPolygonF(pixels))

    def head(self, start: Array, end: Array) -> None:
        """The head of an arrow that ends at a place; none where it points at the viewer."""
        a, b = self.pixel(start), self.pixel(end)
        way = b - a
        size = float(np.hypot(way.x(), way.y()))
        if not (_finite(a) and _finite(b)) or size < HEAD:
            return
        along, across = way / size, QPointF(-way.y(), way.x()) / size
        back = b - along * HEAD
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.accent)
        self.painter.drawPolygon(QPolygonF([b, back + across * 0.4 * HEAD, back - across * 0.4 * HEAD]))

    def area(self, points: Sequence[Array]) -> None:
        """A filled outline."""
        pixels = [self.pixel(p) for p in points]
        if all(_finite(pixel) for pixel in pixels):
            self.painter.setPen(QPen(self.accent, 2.0))
            self.painter.setBrush(_faint(self.accent, 60))
            self.painter.drawPolygon(QPolygonF(pixels))

    def bar(self, start: Array, end: Array, radius: float) -> None:
        """A bar with round ends, as wide as it will be."""
        a, b = self.pixel(start), self.pixel(end)
        if not (_finite(a) and _finite(b)):
            return
        width = max(3.0, 2.0 * radius / max(self._viewport.view.camera.per_pixel, 1e-12))
        self.painter.setPen(
            QPen(_faint(self.accent, 90), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        )
        self.painter.drawLine(a, b)
        self.line([start, end], width=1.5)

    def mark(self, place: Snapped) -> None:
        """A square on a point, a cross on the grid, a dot elsewhere; and lines that say why."""
        for guide in place.guides:
            self.line(guide, width=1.0, dashed=True)
        at, size = self.pixel(place.point), MARKS.get(place.kind, 3.0)
        if not _finite(at):
            return
        self.painter.setPen(QPen(self.accent, 1.8))
        self.painter.setBrush(_faint(self.accent, 70))
        if place.kind == "grid":
            self.painter.drawLine(at - QPointF(5.0, 0.0), at + QPointF(5.0, 0.0))
            self.painter.drawLine(at - QPointF(0.0, 5.0), at + QPointF(0.0, 5.0))
        elif place.kind == "point":
            self.painter.drawRect(QRectF(at.x() - size, at.y() - size, 2.0 * size, 2.0 * size))
        else:
            self.painter.drawEllipse(at, size, size)

    def dot(self, p: Array, *, grounded: bool = False) -> None:
        """A place that is settled; with a small ground below it."""
        at = self.pixel(p)
        if not _finite(at):
            return
        self.painter.setPen(QPen(self.accent, 2.0))
        self.painter.setBrush(self.ground)
        if grounded:
            foot = [at, at + QPointF(-7.0, 11.0), at + QPointF(7.0, 11.0)]
            self.painter.drawPolygon(QPolygonF(foot))
        self.painter.drawEllipse(at, 4.0, 4.0)

    def speck(self, p: Array) -> None:
        """A point that can be taken hold of."""
        at = self.pixel(p)
        if _finite(at):
            self.painter.setPen(QPen(self.accent, 1.4))
            self.painter.setBrush(self.ground)
            self.painter.drawEllipse(at, 3.0, 3.0)

    def plane(self, plane: WorkPlane, middle: Array, per_pixel: float) -> None:
        """The grid of a work plane around a place."""
        step = nice(28.0 * per_pixel)
        centre = np.round(plane.local(middle) / step) * step
        for axis in (0, 1):
            for i in range(-CELLS, CELLS + 1):
                ends = np.tile(centre, (2, 1))
                ends[:, axis] += i * step
                ends[:, 1 - axis] += (-CELLS * step, CELLS * step)
                a, b = (self.pixel(plane.world(end)) for end in ends)
                if _finite(a) and _finite(b):
                    own = abs(ends[0, axis]) < 0.5 * step
                    self.painter.setPen(QPen(_faint(self.accent, 150 if own else 55), 1.0))
                    self.painter.drawLine(a, b)

    def numbers(self, at: QPointF, cells: Sequence[Cell], title: str, note: str) -> None:
        """What the place is called, the numbers, and what is wrong, beside the pointer."""
        metrics = QFontMetricsF(self.painter.font())
        rows: list[tuple[str, QColor]] = [(title, self.text)] if title else []
        wide = [
            max(metrics.horizontalAdvance(f"{c.title} "), 0.0) + self._room(metrics, c.text) for c in cells
        ]
        width = max(
            [sum(wide) + 8.0 * max(len(cells) - 1, 0)]
            + [metrics.horizontalAdvance(text) for text in (title, note)]
        )
        high = metrics.height() + 4.0
        count = bool(title) + bool(cells) + bool(note)
        if not count:
            return
        area = QRectF(at + GAP, at + GAP)
        area.setSize(area.size().expandedTo(area.size()))
        area = QRectF(at.x() + GAP.x(), at.y() + GAP.y(), width + 2.0 * PAD, count * high + 2.0 * PAD)
        area = _inside(area, QRectF(self._viewport.rect()))
        self.painter.setPen(QPen(_faint(self.text, 70), 1.0))
        back = QColor(self.ground)
        back.setAlpha(235)
        self.painter.setBrush(back)
        self.painter.drawRoundedRect(area, ROUND, ROUND)
        x, y = area.left() + PAD, area.top() + PAD
        if title:
            self._write(x, y, high, rows[0][0], rows[0][1])
            y += high
        if cells:
            self._cells(x, y, high, cells, metrics)
            y += high
        if note:
            self._write(x, y, high, note, self.wrong)

    def _cells(self, x: float, y: float, high: float, cells: Sequence[Cell], metrics: QFontMetricsF) -> None:
        for cell in cells:
            name = f"{cell.title} "
            self._write(x, y, high, name, _faint(self.text, 170))
            x += metrics.horizontalAdvance(name)
            room = self._room(metrics, cell.text)
            if cell.typed or cell.active:
                self.painter.setPen(QPen(self.accent, 1.4 if cell.active else 0.7))
                self.painter.setBrush(_faint(self.accent, 25))
                self.painter.drawRoundedRect(QRectF(x, y + 1.0, room - 2.0, high - 3.0), 3.0, 3.0)
            self._write(x + 4.0, y, high, cell.text, self.text)
            x += room + 8.0

    def _room(self, metrics: QFontMetricsF, text: str) -> float:
        return max(metrics.horizontalAdvance(text), 24.0) + 10.0

    def _write(self, x: float, y: float, high: float, text: str, color: QColor) -> None:
        self.painter.setPen(color)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        self.painter.drawText(QRectF(x, y, 2000.0, high), flags, text)


def _inside(area: QRectF, room: QRectF) -> QRectF:
    """Moved so that it can be read: at the border the label stays within the viewport."""
    if area.right() > room.right() - 4.0:
        area.moveRight(room.right() - 4.0)
    if area.bottom() > room.bottom() - 4.0:
        area.moveBottom(room.bottom() - 4.0)
    if area.left() < 4.0:
        area.moveLeft(4.0)
    return area


def _faint(color: QColor, alpha: int) -> QColor:
    made = QColor(color)
    made.setAlpha(alpha)
    return made


def _finite(pixel: QPointF) -> bool:
    return bool(np.isfinite(pixel.x()) and np.isfinite(pixel.y()) and abs(pixel.x()) + abs(pixel.y()) < 1e6)
