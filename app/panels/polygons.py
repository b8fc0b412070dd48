"""Velocity and acceleration polygons of a planar linkage at the instant that is shown."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.panels.base import PanelKind
from app.platform.appearance import Look
from app.session.session import Session
from app.widgets.free_places import FreePlaces
from engine.analyses.kinematics.polygons import POLE, Polygon, polygons
from engine.compiled.layout import Array
from engine.maths.round_numbers import nice

COLORS = {"m/s": "#009E73", "m/s²": "#B0588F"}  # as the arrows of the viewport have them
TITLES = {"m/s": "Velocities", "m/s²": "Accelerations"}
ROOM = 0.72  # of the width and height that a polygon takes
HEAD = 8.0  # px
BAR = 60.0  # px that the scale takes, about
DIGITS = 3
AROUND = tuple(QPointF(x, y) for x, y in ((6.0, -4.0), (6.0, 14.0), (-60.0, -4.0), (-60.0, 14.0)))  # px
ALONG = (0.5, 0.35, 0.65, 0.2, 0.8)  # where the name of a side may stand on it
EMPTY = "Velocity and acceleration polygons: run a planar linkage with at most two dozen joints."


class PolygonsPanel(QWidget):
    """Drawn anew at every instant while it is seen; the scale fits the largest vector."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("polygons")
        self.setMinimumHeight(120)
        self._session, self._look = session, look
        session.advanced.connect(self.update)
        session.runs.changed.connect(self.update)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(480, 220)

    def drawn(self) -> tuple[Polygon, Polygon] | None:
        """What there is to draw now."""
        run = self._session.current
        if run is None or run.empty or not run.has_channels:
            return None
        segment, sample = run.sample_at(self._session.t)
        return polygons(segment.channels.evaluation(sample[None]))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        found = self.drawn()
        if found is None:
            painter.setPen(self._look.theme.color("muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, EMPTY)
            return
        half = 0.5 * self.width()
        for i, polygon in enumerate(found):
            self._draw(painter, polygon, QRectF(i * half, 0.0, half, self.height()))

    def _draw(self, painter: QPainter, polygon: Polygon, area: QRectF) -> None:
        text, muted = self._look.theme.color("text"), self._look.theme.color("muted")
        color, units = QColor(COLORS[polygon.unit]), self._look.units
        painter.setPen(text)
        painter.drawText(area.adjusted(8, 4, -8, -4), Qt.AlignmentFlag.AlignTop, TITLES[polygon.unit])
        tips = {POLE: np.zeros(2), **polygon.tips}
        cloud = np.array(list(tips.values()))
        low, high = cloud.min(axis=0), cloud.max(axis=0)
        size = high - low
        if not np.isfinite(size).all() or not size.max() > 0.0:
            painter.setPen(muted)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "at rest")
            return
        room = np.array([area.width(), area.height()]) * ROOM
        scale = float(np.min(room / np.maximum(size, 1e-3 * size.max())))

        def at(v: Array) -> QPointF:
            x, y = (v - 0.5 * (low + high)) * scale
            return QPointF(area.center().x() + x, area.center().y() - y)

        names = FreePlaces(painter)
        for p, q, _ in polygon.edges:
            painter.setPen(QPen(muted, 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(at(tips[p]), at(tips[q]))
        for pin, v in polygon.tips.items():
            value = float(np.linalg.norm(v))
            if value * scale < 2.0:  # a pin on the ground
                continue
            painter.setPen(QPen(color, 2.0))
            painter.drawLine(at(tips[POLE]), at(v))
            self._head(painter, at(tips[POLE]), at(v), color)
            painter.setPen(text)
            names.write(f"{pin}  {units.full_text(value, polygon.unit, DIGITS)}", [at(v) + d for d in AROUND])
        painter.setPen(muted)
        for p, q, body in polygon.edges:
            on_it = [at((1.0 - s) * tips[p] + s * tips[q]) for s in ALONG]
            names.write(body, [place + d for place in on_it for d in AROUND])
        painter.setPen(text)
        painter.drawText(at(tips[POLE]) + QPointF(-14.0, 12.0), POLE)
        painter.drawEllipse(at(tips[POLE]), 2.5, 2.5)
        self._scale(painter, polygon.unit, scale, area, text)

    def _scale(self, painter: QPainter, unit: str, scale: float, area: QRectF, text: QColor) -> None:
        """A round value and how long it is."""
        factor = self._look.units.factor(unit)
        value = nice(0.5 * BAR / scale / factor) * factor
        long, y = value * scale, area.bottom() - 8.0
        painter.setPen(QPen(text, 2.0))
        painter.drawLine(QPointF(area.left() + 8.0, y), QPointF(area.left() + 8.0 + long, y))
        shown = self._look.units.full_text(value, unit, DIGITS)
        painter.drawText(QPointF(area.left() + 14.0 + long, y + 4.0), shown)

    def _head(self, painter: QPainter, start: QPointF, end: QPointF, color: QColor) -> None:
        way = np.array([end.x() - start.x(), end.y() - start.y()])
        way = way * HEAD / float(np.linalg.norm(way))
        side = 0.4 * np.array([-way[1], way[0]])
        corners = [np.zeros(2), -way + side, -way - side]
        painter.setBrush(color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF([end + QPointF(float(x), float(y)) for x, y in corners]))
        painter.setBrush(Qt.BrushStyle.NoBrush)


PANEL = PanelKind(
    "polygons",
    "Polygons",
    "polygons",
    "bottom",
    lambda given: PolygonsPanel(given.session, given.look),
    hidden=True,
)
