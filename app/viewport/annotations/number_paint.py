"""Numbers painted over the picture, in the units that the user has chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.platform.units import Units
from app.viewport.annotations.centre_marks import Centre
from app.viewport.annotations.family_colors import family_color
from app.viewport.annotations.measure_marks import Mark
from app.viewport.canvas.style import look
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.marks.arrows import Arrow
from engine.analyses.kinematics.curve_family import FamilyCurve
from engine.maths.round_numbers import nice

DIGITS = 3  # significant, of a number in the picture
MAX_VALUES = 60  # arrows with a number, the largest; more cannot be read
MIN_SEEN = 18.0  # px: shorter arrows get no number
HEAD = 9.0  # px, of a dimension
MAX_PIXEL = 1e5  # px
SCALE_LENGTH = 70.0  # px that the scale of arrows takes, about
LIGHTER, DARKER = 150, 130  # percent: of words on a dark and on a light ground
MARGIN = 12.0  # px
RING = 5.0  # px, of an instant centre
SQUARE = 9.0  # px, of a colour in the legend
MAX_ENTRIES = 12  # in the legend; more would cover the picture
MAX_SHIFTS = 4  # lines that a number is moved to stand beside others


class AnnotationPainter:
    """Paints for one picture; `ratio` is how many pixels of the screen one of the widget has."""

    def __init__(self, painter: QPainter, view: SceneView, units: Units, ratio: float) -> None:
        self._painter, self._view, self._units, self._ratio = painter, view, units, ratio
        self._metrics = QFontMetricsF(painter.font())
        self._ground = QColor(look(view.style).sky)
        self._ground.setAlpha(200)
        self._text = QColor(look(view.style).text)
        self._taken: list[QRectF] = []  # where something is written

    def measures(self, marks: Sequence[Mark]) -> None:
        """Dimensions and arcs, each with its value."""
        for mark in marks:
            lines = [self._pixels(line) for line in (mark.line, *mark.legs)]
            if any(line is None for line in lines):
                continue
            pen = QPen(self._text, 1.2)
            self._painter.setPen(pen)
            self._painter.drawPolyline(QPolygonF(lines[0] or []))
            self._heads(lines[0] or [])
            self._painter.setPen(QPen(self._text, 1.0, Qt.PenStyle.DotLine))
            for leg in lines[1:]:
                self._painter.drawPolyline(QPolygonF(leg or []))
            at = self._pixels(mark.text_at[None])
            if at:
                self._words(self._units.full_text(mark.value, mark.unit, DIGITS), at[0], self._text)

    def arrow_values(self, arrows: Sequence[Arrow]) -> None:
        """What the arrows stand for, at their tips."""
        stretch = self._view.style.arrow_scale
        sized = sorted((arrow for arrow in arrows if arrow.size > 0.0), key=lambda arrow: -arrow.size)
        for arrow in sized[:MAX_VALUES]:
            ends = self._pixels(np.array([arrow.origin, arrow.origin + stretch * arrow.vector]))
            if not ends or (ends[1] - ends[0]).manhattanLength() < MIN_SEEN:
                continue
            way = ends[1] - ends[0]
            beyond = ends[1] + way * (10.0 / max(abs(way.x()) + abs(way.y()), 1.0))
            self._words(self._units.full_text(arrow.size, arrow.unit, DIGITS), beyond, self._ink(arrow.color))

    def family(self, curves: Sequence[FamilyCurve], values: Sequence[float], unit: str) -> None:
        """The value of every curve of a family, at its highest place, or where else there is room."""
        for curve in curves:
            pixels = self._pixels(curve.points)
            if not pixels:
                continue
            color = self._ink(family_color(curve.value, values))
            text = self._units.full_text(curve.value, unit, DIGITS)
            ends = (
                min(pixels, key=lambda at: at.y()),
                max(pixels, key=lambda at: at.x()),
                max(pixels, key=lambda at: at.y()),
                min(pixels, key=lambda at: at.x()),
            )
            place = next((at for at in ends if self._is_free(text, at)), ends[0])
            self._words(text, place, color)

    def centres(self, found: Sequence[Centre]) -> None:
        """Instant centres: a ring with a dot, and whose it is."""
        for centre in found:
            at = self._pixels(centre.place[None])
            if not at:
                continue
            self._painter.setPen(QPen(self._text, 1.4))
            self._painter.drawEllipse(at[0], RING, RING)
            self._painter.drawPoint(at[0])
            self._words(f"P {centre.title}", at[0] + QPointF(0.0, -2.6 * RING), self._text)

    def scales(self, lengths: Mapping[tuple[str, str], float], bottom: float, right: float) -> None:
        """A round value of each sort of arrows and how long it is, in the lower right corner.

        `lengths`: (unit, colour) → length of an arrow per unit [m].
        """
        y = bottom - MARGIN
        for (unit, color), length in lengths.items():
            pixels = length * self._view.style.arrow_scale / self._view.camera.per_pixel
            if not pixels > 0.0:
                continue
            factor = self._units.factor(unit)
            value = nice(SCALE_LENGTH / pixels / factor) * factor
            long = value * pixels
            text = self._units.full_text(value, unit, DIGITS)
            left = right - MARGIN - long
            self._painter.setPen(QPen(QColor(color), 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            self._painter.drawLine(QPointF(left, y), QPointF(left + long, y))
            wide = self._metrics.horizontalAdvance(text)
            self._words(text, QPointF(left - MARGIN - 0.5 * wide, y), self._text)
            y -= 1.5 * self._metrics.height()

    def legend(self, entries: Sequence[tuple[str, str]], right: float) -> None:
        """Colours and what they stand for, in the upper right corner."""
        high = self._metrics.height()
        for line, (color, text) in enumerate(entries[:MAX_ENTRIES]):
            y = MARGIN + (line + 0.5) * 1.3 * high
            wide = self._metrics.horizontalAdvance(text) + 6.0
            self._words(text, QPointF(right - MARGIN - 0.5 * wide, y), self._text)
            square = QRectF(right - MARGIN - wide - 1.5 * SQUARE, y - 0.5 * SQUARE, SQUARE, SQUARE)
            self._painter.fillRect(square, QColor(color) if color else self._text)

    def _heads(self, line: Sequence[QPointF]) -> None:
        """Arrow heads at both ends, unless they would meet."""
        whole = line[-1] - line[0]
        if len(line) == 2 and whole.manhattanLength() < 3.0 * HEAD:
            return
        for end, inner in ((line[0], line[1]), (line[-1], line[-2])):
            way = np.array([inner.x() - end.x(), inner.y() - end.y()])
            size = float(np.linalg.norm(way))
            if not size > 0.0:
                continue
            way *= HEAD / size
            side = 0.35 * np.array([-way[1], way[0]])
            corners = np.array([np.zeros(2), way + side, way - side])
            self._painter.setBrush(self._text)
            self._painter.drawPolygon(QPolygonF([end + QPointF(float(x), float(y)) for x, y in corners]))
            self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def _ink(self, color: str) -> QColor:
        """The colour of an arrow as words can be read in it."""
        ink = QColor(color)
        return ink.lighter(LIGHTER) if self._view.style.dark else ink.darker(DARKER)

    def _area(self, text: str, middle: QPointF) -> QRectF:
        wide, high = self._metrics.horizontalAdvance(text) + 6.0, self._metrics.height()
        return QRectF(middle.x() - 0.5 * wide, middle.y() - 0.5 * high, wide, high)

    def _is_free(self, text: str, middle: QPointF) -> bool:
        area = self._area(text, middle)
        seen = self._painter.viewport().contains(middle.toPoint())
        return seen and not any(area.intersects(other) for other in self._taken)

    def _words(self, text: str, middle: QPointF, color: QColor) -> None:
        area = self._free(self._area(text, middle))
        if area is None:
            return
        self._taken.append(area)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._ground)
        self._painter.drawRoundedRect(area, 3.0, 3.0)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(color)
        self._painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)

    def _free(self, area: QRectF) -> QRectF | None:
        """The area, or the nearest one above or below it where nothing is written yet; None without room."""
        for step in range(MAX_SHIFTS + 1):
            for side in (-1.0, 1.0) if step else (0.0,):
                moved = area.translated(0.0, side * step * area.height())
                if not any(moved.intersects(other) for other in self._taken):
                    return moved
        return None

    def _pixels(self, points: NDArray[np.float64]) -> list[QPointF] | None:
        """World points in the widget; None when one is behind the viewer or far outside."""
        pixels = self._view.camera.project_all(points) / self._ratio
        if not np.isfinite(pixels).all() or np.abs(pixels).max() > MAX_PIXEL:
            return None
        return [QPointF(float(x), float(y)) for x, y in pixels]
