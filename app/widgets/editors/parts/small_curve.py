"""A small picture of a curve, and the samples it is drawn from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.platform.appearance import Look
from engine.elements.base import Table
from engine.maths.expressions import ExpressionError, parse
from engine.maths.functions import TABLE_HEADER, compile_function

SAMPLES = 120  # of a curve
Point = tuple[float, float]
Points = list[Point]


class Preview(QWidget):
    """Shown when there is something to see: more than one point, all of them numbers."""

    def __init__(self, look: Look, name: str, *, height: int = 34, closed: bool = False) -> None:
        super().__init__()
        self.setObjectName(name)
        self._look, self._closed = look, closed
        self.points: Points = []
        self.knots: Points = []
        self.setFixedHeight(height)
        self.hide()

    def show_points(self, points: Sequence[Point], knots: Sequence[Point] = ()) -> None:
        self.points, self.knots = list(points), list(knots)
        self.setVisible(len(self.points) > 1 and all(math.isfinite(y) for _, y in self.points))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if len(self.points) < 2:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._look.theme.color("base"))
        x, y = np.array(self.points, dtype=float).T
        wide, high = np.ptp(x) or 1.0, np.ptp(y) or 1.0
        width, height = self.width() - 10.0, self.height() - 10.0
        if self._closed:  # an outline keeps its proportions
            width, height = (min(width / wide, height / high) * size for size in (wide, high))

        def place(px: float, py: float) -> QPointF:
            return QPointF(5.0 + width * (px - x.min()) / wide, 5.0 + height * (1.0 - (py - y.min()) / high))

        shape = QPolygonF([place(*point) for point in self.points])
        painter.setPen(QPen(self._look.theme.color("accent"), 1.4))
        if self._closed:
            painter.drawPolygon(shape)
        else:
            painter.drawPolyline(shape)
        painter.setBrush(self._look.theme.color("accent"))
        for knot in self.knots:
            painter.drawEllipse(place(*knot), 1.8, 1.8)


def expression_curve(text: str, names: Mapping[str, float], of: Sequence[str], duration: float) -> Points:
    """An expression over time; nothing when it is constant or wrong."""
    try:
        read = parse(text)
        if "t" not in read.names:
            return []
        others = {**names, **dict.fromkeys(of, 0.0)}
        times = [duration * i / (SAMPLES - 1) for i in range(SAMPLES)]
        return [(t, read.value({**others, "t": t})) for t in times]
    except (ExpressionError, ValueError):
        return []


def table_curve(
    table: Table, names: Mapping[str, float], of: Sequence[str], samples: int = SAMPLES
) -> tuple[Points, Points]:
    """The curve through the points of a table, and the points; raises FunctionError with what is wrong."""
    data = compile_function(table, variables=of, parameters=names).data
    n = int(data[0])
    x = data[TABLE_HEADER : TABLE_HEADER + n]
    pieces = data[TABLE_HEADER + n : TABLE_HEADER + n + 4 * (n - 1)].reshape(n - 1, 4)
    t = np.linspace(x[0], x[-1], samples)
    i = np.clip(np.searchsorted(x, t, "right") - 1, 0, n - 2)
    s = t - x[i]
    c = pieces[i]
    y = c[:, 0] + s * (c[:, 1] + s * (c[:, 2] + s * c[:, 3]))
    knots = [*pieces[:, 0], data[-1]]
    return list(zip(t.tolist(), y.tolist(), strict=True)), list(zip(x.tolist(), knots, strict=True))
