"""The smallest and the largest value of a curve, marked where they are."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF

from app.platform.units import plain_number
from app.widgets.plots.curves.pyramid import Array

DIGITS = 4
SIZE = 7  # px of a mark
EDGE = 0.15  # of what is shown: words of a mark so near to an edge stand beside it


@dataclass(frozen=True)
class Extreme:
    """A point of a curve in shown units, with its value in words."""

    x: float
    y: float
    text: str
    color: str
    largest: bool
    right: bool = False  # belongs to the axis at the right


def extremes(
    x: Array, y: Array, unit: str, color: str, *, noise: float, right: bool = False
) -> list[Extreme]:
    """The first smallest and the first largest value; none where only noise or hidden digits differ."""
    good = np.flatnonzero(np.isfinite(y))
    if not len(good):
        return []
    low, high = good[np.argmin(y[good])], good[np.argmax(y[good])]
    if y[high] - y[low] <= noise:
        return []

    def made(i: int, largest: bool) -> Extreme:
        value = float(y[i]) if abs(y[i]) >= noise else 0.0
        text = f"{plain_number(value, DIGITS)} {unit}".rstrip()
        return Extreme(float(x[i]), float(y[i]), text, color, largest, right)

    found = [made(int(high), True), made(int(low), False)]
    return found if found[0].text != found[1].text else []


class ExtremeMarks:
    """Marks in a view, drawn anew when they have changed."""

    def __init__(self, view: pg.ViewBox) -> None:
        self._view = view
        self._items: list[pg.GraphicsObject] = []
        self._shown: tuple[Extreme, ...] = ()
        self._log = False

    def show(
        self, found: Iterable[Extreme], span: tuple[float, float], taken: list[QRectF], *, log: bool
    ) -> None:
        """Mark them; their words keep off those that have `taken` their places before [px]."""
        wanted = tuple(found)
        if (wanted, log) != (self._shown, self._log):
            for item in self._items:
                self._view.removeItem(item)
            self._shown, self._log = wanted, log
            self._items = [item for extreme in wanted for item in mark_items(extreme, span, log=log)]
            for item in self._items:
                self._view.addItem(item, ignoreBounds=True)
        spread(self._view, self._items, taken)


def spread(view: pg.ViewBox, items: Iterable[pg.GraphicsObject], taken: list[QRectF]) -> None:
    """Words that would lie over others go a line or two away; without room for them the dot stays alone."""
    room = view.sceneBoundingRect()
    for words in items:
        if not isinstance(words, pg.TextItem):
            continue
        size, at = words.textItem.boundingRect(), view.mapViewToScene(words.pos())
        free = (
            (anchor, place)
            for anchor in _anchors(words)
            if room.intersects(place := _place(at, size, anchor))
            and not any(place.intersects(other) for other in taken)
        )
        anchor, place = next(free, (None, QRectF()))
        words.setVisible(anchor is not None)
        if anchor is not None:
            taken.append(place)
            if (words.anchor.x(), words.anchor.y()) != anchor:
                words.setAnchor(anchor)


def _anchors(words: pg.TextItem) -> list[tuple[float, float]]:
    """Where words may stand, the usual place first: further out, then at the other side."""
    across, up = words.usual
    lines = [up + k if up > 0.5 else up - k for k in range(3)]
    sides = [across, *(side for side in (0.0, 1.0) if side != across)]
    return [(side, line) for side in sides for line in (*lines, 1.0 - up)]


def _place(at: QPointF, size: QRectF, anchor: tuple[float, float]) -> QRectF:
    left, top = at.x() - anchor[0] * size.width(), at.y() - anchor[1] * size.height()
    return QRectF(left, top, size.width(), size.height())


def mark_items(extreme: Extreme, span: tuple[float, float], *, log: bool) -> list[pg.GraphicsObject]:
    """A dot and its value, above a largest and below a smallest one, inside of what is shown across."""
    y = float(np.log10(extreme.y)) if log and extreme.y > 0.0 else extreme.y
    dot = pg.ScatterPlotItem(
        [extreme.x], [y], size=SIZE, symbol="o", pen=None, brush=pg.mkBrush(extreme.color)
    )
    share = (extreme.x - span[0]) / (span[1] - span[0]) if span[1] > span[0] else 0.5
    across = 0.0 if share < EDGE else 1.0 if share > 1.0 - EDGE else 0.5
    usual = (across, 1.1 if extreme.largest else -0.1)
    words = pg.TextItem(extreme.text, color=extreme.color, anchor=usual)
    words.usual = usual  # before it had to make room for others
    words.setPos(extreme.x, y)
    for item in (dot, words):
        item.setZValue(12)
    return [dot, words]
