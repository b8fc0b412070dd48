"""The smallest and the largest value of a curve, marked where they are."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg

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
    """The first smallest and the first largest value; none where all differ by no more than noise."""
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

    return [made(int(high), True), made(int(low), False)]


class ExtremeMarks:
    """Marks in a view, drawn anew when they have changed."""

    def __init__(self, view: pg.ViewBox) -> None:
        self._view = view
        self._items: list[pg.GraphicsObject] = []
        self._shown: tuple[Extreme, ...] = ()
        self._log = False

    def show(self, found: Iterable[Extreme], span: tuple[float, float], *, log: bool) -> None:
        wanted = tuple(found)
        if (wanted, log) == (self._shown, self._log):
            return
        for item in self._items:
            self._view.removeItem(item)
        self._shown, self._log = wanted, log
        self._items = [item for extreme in wanted for item in mark_items(extreme, span, log=log)]
        for item in self._items:
            self._view.addItem(item, ignoreBounds=True)


def mark_items(extreme: Extreme, span: tuple[float, float], *, log: bool) -> list[pg.GraphicsObject]:
    """A dot and its value, above a largest and below a smallest one, inside of what is shown across."""
    y = float(np.log10(extreme.y)) if log and extreme.y > 0.0 else extreme.y
    dot = pg.ScatterPlotItem(
        [extreme.x], [y], size=SIZE, symbol="o", pen=None, brush=pg.mkBrush(extreme.color)
    )
    share = (extreme.x - span[0]) / (span[1] - span[0]) if span[1] > span[0] else 0.5
    across = 0.0 if share < EDGE else 1.0 if share > 1.0 - EDGE else 0.5
    words = pg.TextItem(extreme.text, color=extreme.color, anchor=(across, 1.1 if extreme.largest else -0.1))
    words.setPos(extreme.x, y)
    for item in (dot, words):
        item.setZValue(12)
    return [dot, words]
