"""Dragging a limit of a stop in the picture: the bar or plate nearest to the press follows the pointer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.document.element_ref import Ref
from app.edits.fields import set_field
from app.session.session import Session
from app.tools.snapping import LIMIT_STEPS
from app.viewport.canvas.style import look
from app.viewport.visuals.forces.stop import zero_direction
from engine.compiled.layout import Array

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

MIN_SPAN = 1e-6  # rad or m between the two limits
REACH = 70.0  # px: length of the line that shows the limit
ALONG = 1e-9  # sine between the line of sight and a plane or axis that leaves the place open


def held_stop(viewport: ViewportWidget, session: Session, position: QPointF) -> Any | None:
    """The stop on top at a place of the picture, while nothing runs."""
    if session.playing:
        return None
    for ref in viewport.refs_at(position)[:1]:
        found = session.document.element(ref)
        if ref.where == "forces" and getattr(found.__struct_config__, "tag", "") == "stop":
            return found
    return None


class LimitDrag:
    """One limit of a stop; the new number is one step to undo."""

    def __init__(self, viewport: ViewportWidget, session: Session, stop: Any, position: QPointF) -> None:
        self.viewport, self.session, self.stop = viewport, session, stop
        self._scene = session.document.scene
        stage = viewport.view.stage
        a, b = stage.joint_pair(stop.joint)
        self._place, self._axes = stage.world_point(a), stage.world_axes(a)
        self._zero = zero_direction(stage, b) if stop.coordinate == "angle" else 0.0
        self._limits = {
            field: stage.value(limit, 0.0)
            for field in ("lower", "upper")
            if (limit := getattr(stop, field)) is not None
        }
        pressed = self._under(position, None)
        self.field = min(self._limits, key=lambda field: abs(self._gap(pressed, self._limits[field])))
        self.value = self._limits[self.field]
        self._moved = False
        self._formula = isinstance(getattr(stop, self.field), str)

    @property
    def over(self) -> bool:
        return self.session.document.scene is not self._scene

    @property
    def hint(self) -> str:
        if self._formula:
            formula = getattr(self.stop, self.field)
            return f"The {self.field} limit of {self.stop.name} is {formula!r}: change it in the inspector."
        number = f"{math.degrees(self.value):.4g}°" if self._turns else f"{1e3 * self.value:.5g} mm"
        return f"{self.stop.name}: {self.field} limit {number}. Esc puts it back."

    @property
    def _turns(self) -> bool:
        return bool(self.stop.coordinate == "angle")

    def _gap(self, value: float | None, limit: float) -> float:
        if value is None:
            return math.inf
        return math.remainder(value - limit, 2.0 * math.pi) if self._turns else value - limit

    def _under(self, position: QPointF, near: float | None) -> float | None:
        """The coordinate at which the part would be under the pointer; an angle is that next to `near`."""
        ray = self.viewport.view.camera.ray(*self.viewport.device(position))
        value = coordinate_under(*ray, self._place, self._axes, turns=self._turns, planar=self._planar)
        if value is None or not self._turns:
            return value
        value -= self._zero
        return value if near is None else near + math.remainder(value - near, 2.0 * math.pi)

    @property
    def _planar(self) -> bool:
        return bool(self.viewport.view.stage.planar)

    def move(self, position: QPointF) -> None:
        value = self._under(position, self.value)
        if value is None or self._formula:
            return
        snap = LIMIT_STEPS[self.stop.coordinate]
        value = snap * round(value / snap)
        other = self._limits.get("upper" if self.field == "lower" else "lower")
        if other is not None:
            beyond = value >= other if self.field == "lower" else value <= other
            if beyond:
                value = other - snap if self.field == "lower" else other + snap
        self.value, self._moved = float(f"{value:.12g}"), True

    def wheel(self, notches: float) -> bool:
        return False

    def drop(self) -> None:
        if not self._moved or self.over or abs(self.value - self._limits[self.field]) < MIN_SPAN:
            return
        ref = Ref("forces", self.stop.name)
        self.session.document.apply(set_field(self._scene, [ref], self.field, self.value))
        self.session.selection.set([ref])

    def cancel(self) -> None:
        """Nothing was changed yet."""
        self._moved = False

    def paint(self, painter: QPainter) -> None:
        """The limit as it would be, with its number."""
        if self._turns:
            angle = self.value + self._zero
            way = self._axes @ np.array([math.cos(angle), math.sin(angle), 0.0])
            begin = self._place
        else:
            along = self._axes[:, 0 if self._planar else 2]
            begin = self._place + self.value * along
            way = self._axes[:, 1 if self._planar else 0]
        at, ahead = self._pixel(begin), self._pixel(begin + 1e-3 * way)
        size = math.hypot(ahead.x() - at.x(), ahead.y() - at.y())
        if not 1e-9 < size < math.inf:
            return
        step = (ahead - at) * (REACH / size)
        accent = QColor(self.viewport.view_style.accent)
        painter.setPen(QPen(accent, 3.0))
        painter.drawLine(at if self._turns else at - step, at + step)
        painter.setPen(QColor(look(self.viewport.view_style).text))
        number = f"{math.degrees(self.value):.4g}°" if self._turns else f"{1e3 * self.value:.5g} mm"
        end = at + step
        painter.drawText(QRectF(end.x() + 6, end.y() - 20, 90, 18), Qt.AlignmentFlag.AlignLeft, number)

    def _pixel(self, place: Array) -> QPointF:
        x, y = self.viewport.view.camera.project(place)
        ratio = self.viewport.devicePixelRatioF()
        return QPointF(x / ratio, y / ratio)


def coordinate_under(
    origin: Array, direction: Array, place: Array, axes: Array, *, turns: bool, planar: bool
) -> float | None:
    """Angle about z from x [rad], or way along x (plane) or z (space) [m], of what a line of sight meets."""
    if turns:
        across = float(direction @ axes[:, 2])
        if abs(across) < ALONG:
            return None
        point = origin + direction * float((place - origin) @ axes[:, 2]) / across
        x, y, _ = axes.T @ (point - place)
        return math.atan2(y, x)
    along = axes[:, 0 if planar else 2]
    cosine = float(along @ direction)
    if 1.0 - cosine * cosine < ALONG:
        return None
    gap = origin - place
    # the point of the axis next to the line of sight
    return float((gap @ along - cosine * (gap @ direction)) / (1.0 - cosine * cosine))
