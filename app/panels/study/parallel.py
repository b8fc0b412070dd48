"""Parallel coordinates: one upright axis per column, one line per run; ranges on the axes are brushed."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QResizeEvent

from app.panels.study.base import RowsView, ViewKind
from app.panels.study.shown_table import ShownTable
from app.platform.appearance import Look
from engine.compiled.layout import Array

TOP, BOTTOM, SIDE = 34, 22, 60  # px around the axes
NEAR_AXIS = 12  # px within which the pointer means an axis
NEAR_LINE = 6  # px within which it means a line
SHORTEST = 4  # px of a brush; a shorter one is a click that removes it
MAX_LINES = 3000  # lines that are drawn


class ParallelView(RowsView):
    """Drag along an axis to brush a range; runs outside any brush fade. A click on a line picks its run."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "study.parallel")
        self.setMinimumSize(300, 120)
        self.setMouseTracking(True)
        self.names: list[str] = []
        self._headings: list[str] = []
        self.brushes: dict[str, tuple[float, float]] = {}  # column → shares of its axis, low and high
        self._shares = np.zeros((0, 0))  # of every run on every axis
        self._rows = np.zeros(0, int)  # indices of the runs that are drawn
        self._ends: list[tuple[float, float]] = []
        self._words: list[list[str]] = []  # of axes that have words instead of numbers
        self._held: tuple[str, float] | None = None  # axis, and the share where the brush began
        self._drawn: QPixmap | None = None

    def fill(self, shown: ShownTable) -> None:
        self.names = shown.names
        self._headings = [shown.heading(name) for name in self.names]
        columns = [shown.numbers(name) for name in self.names] if len(shown) else []
        self._words = [shown.words(name) for name in self.names] if len(shown) else []
        whole = np.column_stack(columns) if columns else np.zeros((0, len(self.names)))
        known = np.flatnonzero(np.isfinite(whole).all(axis=1))
        self._rows = (
            known[np.linspace(0, len(known) - 1, min(len(known), MAX_LINES)).astype(int)]
            if len(known)
            else known
        )
        used = whole[self._rows]
        self._ends = [(float(c.min()), float(c.max())) for c in used.T] if len(used) else []
        low = np.array([end[0] for end in self._ends])
        span = np.array([(high - begin) or 1.0 for begin, high in self._ends])
        self._shares = (used - low) / span if len(used) else used
        self.brushes = {name: brush for name, brush in self.brushes.items() if name in self.names}
        self._forget()

    @property
    def inside(self) -> Array:
        """Which of the drawn runs lie within all brushes."""
        kept = np.ones(len(self._rows), bool)
        for name, (low, high) in self.brushes.items():
            share = self._shares[:, self.names.index(name)]
            kept &= (share >= low) & (share <= high)
        return kept

    @property
    def brushed(self) -> list[int]:
        """Indices of the rows that lie within all brushes."""
        return [int(index) for index in self._rows[self.inside]]

    # drawing

    def _forget(self) -> None:
        self._drawn = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._forget()

    def _x(self, index: int) -> float:
        count = max(1, len(self.names) - 1)
        return SIDE + (self.width() - 2 * SIDE) * index / count

    def _y(self, share: float) -> float:
        return self.height() - BOTTOM - share * (self.height() - TOP - BOTTOM)

    def _share(self, y: float) -> float:
        height = max(1.0, self.height() - TOP - BOTTOM)
        return min(max((self.height() - BOTTOM - y) / height, 0.0), 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._drawn is None or self._drawn.size() != self.size():
            self._drawn = self._lines()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_axes(painter)

    def _lines(self) -> QPixmap:
        """All runs, drawn once: those outside the brushes first, and faint."""
        picture = QPixmap(self.size())
        theme = self.look.theme
        picture.fill(theme.color("base"))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x = np.array([self._x(i) for i in range(len(self.names))])
        inside = self.inside
        opacity = min(0.9, max(0.08, 60.0 / max(1, int(inside.sum()))))
        for wanted, role, alpha in ((False, "ghost", 0.10), (True, "accent", opacity)):
            color = QColor(theme[role])
            color.setAlphaF(alpha)
            painter.setPen(QPen(color, 1.3))
            for shares in self._shares[inside == wanted]:
                points = [QPointF(px, self._y(share)) for px, share in zip(x, shares, strict=True)]
                painter.drawPolyline(QPolygonF(points))
        painter.end()
        return picture

    def _paint_axes(self, painter: QPainter) -> None:
        theme = self.look.theme
        if not len(self._rows):
            painter.setPen(theme.color("muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No complete runs yet")
            return
        top, bottom = self._y(1.0), self._y(0.0)
        wide = (self.width() - 2 * SIDE) / max(1, len(self.names) - 1)
        for i, (name, (low, high)) in enumerate(zip(self.names, self._ends, strict=True)):
            x = self._x(i)
            painter.setPen(QPen(theme.color("text"), 1.4))
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            if name in self.brushes:
                begin, end = self.brushes[name]
                color = theme.color("warning")
                color.setAlphaF(0.35)
                painter.fillRect(QRectF(x - 6, self._y(end), 12, self._y(begin) - self._y(end)), color)
            words = self._words[i]
            ends = (words[0], words[-1]) if words else (f"{low:.4g}", f"{high:.4g}")
            shown = painter.fontMetrics().elidedText(
                self._headings[i], Qt.TextElideMode.ElideLeft, int(max(wide, 2 * SIDE) - 8)
            )
            for text, y, role in ((shown, 2, "text"), (ends[1], 17, "muted"), (ends[0], bottom + 2, "muted")):
                painter.setPen(theme.color(role))
                box = QRectF(x - wide / 2 if wide > 2 * SIDE else x - SIDE, y, max(wide, 2 * SIDE), 16)
                painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, text)
        painter.setPen(theme.color("muted"))
        kept = f"{int(self.inside.sum())} of {len(self._rows)} runs" if self.brushes else ""
        between = QRectF(self._x(0) + SIDE, self.height() - 18, 200, 16)
        painter.drawText(between, Qt.AlignmentFlag.AlignLeft, kept)

    # the pointer

    def _axis_at(self, x: float) -> str | None:
        near = [(abs(self._x(i) - x), name) for i, name in enumerate(self.names)]
        return next((name for gap, name in sorted(near)[:1] if gap < NEAR_AXIS), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        axis = self._axis_at(place.x()) if len(self._rows) else None
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if axis is not None:
            self._held = (axis, self._share(place.y()))
        elif (index := self._line_at(place.x(), place.y())) is not None:
            self.picked.emit(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._brush(event.position().y())
            return
        over = self._axis_at(event.position().x()) if len(self._rows) else None
        self.setCursor(Qt.CursorShape.SizeVerCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._brush(event.position().y())
            self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.brushes = {}
        self._forget()

    def _brush(self, y: float) -> None:
        assert self._held is not None
        name, begin = self._held
        end = self._share(y)
        low, high = sorted((begin, end))
        if abs(self._y(low) - self._y(high)) < SHORTEST:
            self.brushes.pop(name, None)
        else:
            self.brushes[name] = (low, high)
        self._forget()

    def _line_at(self, x: float, y: float) -> int | None:
        """The run whose line passes under the pointer, among those that are brushed."""
        inside = np.flatnonzero(self.inside)
        if not len(inside) or len(self.names) < 2:
            return None
        wide = self._x(1) - self._x(0)
        i = min(max(int((x - self._x(0)) // wide), 0), len(self.names) - 2)
        s = (x - self._x(i)) / wide
        shares = (1.0 - s) * self._shares[inside, i] + s * self._shares[inside, i + 1]
        gaps = np.abs((self.height() - BOTTOM) - shares * (self.height() - TOP - BOTTOM) - y)
        best = int(np.argmin(gaps))
        return int(self._rows[inside[best]]) if gaps[best] < NEAR_LINE else None


VIEW = ViewKind(
    "parallel",
    "Parallel",
    "All columns at once: drag along an axis to brush, double-click to let go",
    ParallelView,
)
