"""Handles on the screen: arrows, squares and rings in the colours of their axes; lines of what is held."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.tools.draw.draft_paint import Ink
from app.tools.move.handles import LETTERS, Gizmo, Handle
from engine.compiled.layout import Array

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

COLORS = ("#D55E00", "#009E73", "#0072B2")  # of x, y, z
DARK_COLORS = ("#FF8A47", "#2FD1A3", "#63AEF2")
HEAD = 12.0  # px
MAX_PIXEL = 1e6  # px beyond which a painter cannot draw


def paint_gizmo(
    painter: QPainter, ink: Ink, gizmo: Gizmo, held: Handle | None, over: Handle | None, *, dark: bool
) -> None:
    """All handles, or only the one that is held."""
    for handle in reversed(gizmo.handles()):
        if held is not None and handle != held:
            continue
        strong = handle in (held, over)
        color = ink.accent if strong else QColor((DARK_COLORS if dark else COLORS)[handle.axis])
        _paint_handle(painter, ink, gizmo, handle, color, strong)
    painter.setPen(QPen(ink.ground, 1.5))
    painter.setBrush(ink.accent)
    painter.drawEllipse(ink.pixel(gizmo.centre), 4.0, 4.0)


def paint_lines(painter: QPainter, ink: Ink, viewport: ViewportWidget, lines: Array) -> None:
    """Pairs of world points, shape (n, 2, 3)."""
    if not len(lines):
        return
    pixels = viewport.view.camera.project_all(lines.reshape(-1, 3)) / viewport.devicePixelRatioF()
    ends = pixels.reshape(-1, 4)
    ends = ends[np.isfinite(ends).all(axis=1) & (np.abs(ends) < MAX_PIXEL).all(axis=1)]
    painter.setPen(QPen(ink.accent, 1.4))
    painter.drawLines([QLineF(*map(float, line)) for line in ends])


def _paint_handle(
    painter: QPainter, ink: Ink, gizmo: Gizmo, handle: Handle, color: QColor, held: bool
) -> None:
    pixels = [ink.pixel(p) for p in gizmo.outline(handle)]
    if not all(np.isfinite([p.x(), p.y()]).all() for p in pixels):
        return
    painter.setPen(QPen(color, 3.5 if held else 2.5))
    fill = QColor(color)
    fill.setAlpha(150 if held else 70)
    painter.setBrush(fill if handle.kind == "square" else Qt.BrushStyle.NoBrush)
    if handle.kind == "square":
        painter.drawPolygon(QPolygonF(pixels))
        return
    painter.drawPolyline(QPolygonF(pixels))
    if handle.kind == "ring":
        return
    tip, way = pixels[-1], pixels[-1] - pixels[0]
    size = float(np.hypot(way.x(), way.y()))
    if size < HEAD:
        return  # it points at the viewer
    along, across = way / size, QPointF(-way.y(), way.x()) / size
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([tip + along * HEAD, tip + across * 0.5 * HEAD, tip - across * 0.5 * HEAD]))
    painter.setPen(color)
    painter.drawText(tip + along * (HEAD + 6.0) + QPointF(-3.0, 5.0), LETTERS[handle.axis])
