"""A channel of one run as it is plotted: its samples so far, and the line that draws them."""

import dataclasses
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QGraphicsItem

from app.session.recorded.run import Run
from app.widgets.plots.curves.pyramid import Array, Pyramid
from app.widgets.plots.curves.raster import Raster, needed

FLOOR = 1e-18  # a logarithmic axis shows an exact zero here
THICK = 1.6  # px, lines of the present run
THIN = 1.0  # px, of earlier runs, and of what is a band rather than a line
TOLERANCE = 0.2  # px by which a line may be off; less than can be seen
DRAWABLE = 1e100  # larger values leave a gap: no axis could be worked out for them
# widths of the plot: a curve that takes a longer way fills an area, and smooth edges cost too much
BAND = 40.0

STILL = 3  # frames; to keep the pixels of a line that grows all the time costs more than to paint it


class RunLine(pg.PlotDataItem):  # type: ignore[misc]  # pyqtgraph has no types
    """The line of a curve; one that has blown up can be left out of automatic ranges."""

    counts = True
    least = 0.0  # extent of values that automatic ranges show at least; pyqtgraph shows 1 where all are alike

    def set_counts(self, counts: bool) -> None:
        if counts != self.counts:
            self.counts = counts
            self.informViewBoundsChanged()

    def dataBounds(self, *arguments: Any, **named: Any) -> Any:
        if not self.counts:
            return None, None
        low, high = super().dataBounds(*arguments, **named)
        axis = named.get("ax", arguments[0] if arguments else 0)
        if axis != 1 or low is None or high is None or high - low >= self.least:
            return low, high
        middle = 0.5 * (low + high)
        return middle - 0.5 * self.least, middle + 0.5 * self.least


class Curve:
    """Reads on from the run where it stopped."""

    def __init__(self, item: RunLine, *, right: bool = False) -> None:
        self.data = Pyramid()
        self.spectrum = Pyramid()  # amplitudes over frequency, in a plot of spectra
        self.largest = 0.0  # of its values, without their sign
        self.item = item
        self.right = right  # of the axis at the right
        self.room = 0.0  # extent of all curves on its axis, which an automatic range has at least
        self.main: bool | None = None  # of the present run, not an earlier one
        self._seen = -1  # samples that the run had when all of them were read
        self.drawn: tuple[Any, ...] = ()  # what was drawn last, to leave it alone when nothing changed
        self._still = 0  # frames since then

    def show(self, x: Array, y: Array, raster: Raster, *, ordered: bool = True) -> None:
        """Draw a line through points: thick with smooth edges, unless it is a band; `ordered`: x grows."""
        x, y = drawable(x), drawable(y)
        px, py = raster.places(x, y)
        band = raster.way(px, py) > BAND * raster.width
        if band and ordered and len(x) > raster.width:
            x, y = raster.strokes(px, y)
        elif not band:
            keep = needed(*_fitted(raster, x, y, self.room).places(x, y), TOLERANCE)
            x, y = x[keep], y[keep]
        self._style(band=band)
        self._still = 0
        self.item.curve.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        self.item.setData(x, y, antialias=not band)

    def stay(self) -> None:
        """Nothing of it has changed in this frame. A line that stays is painted from its pixels."""
        self._still += 1
        if self._still == STILL:
            self.item.curve.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def _style(self, *, band: bool) -> None:
        pen, wanted = self.item.opts["pen"], THICK if self.main and not band else THIN
        if pen.widthF() != wanted:
            pen = pg.mkPen(pen)
            pen.setWidthF(wanted)
            self.item.setPen(pen)
        # piece by piece a thick line is painted a hundred times as fast as a whole
        mode = "on" if wanted > THIN else "off"
        if self.item.curve.opts["segmentedLineMode"] != mode:
            self.item.curve.setSegmentedLineMode(mode)

    def pull(self, run: Run, name: str, factor: float, *, absolute: bool, until: float | None = None) -> None:
        """Fetch what the run has recorded since, up to an instant."""
        begin = float(self.data.t[-1]) if len(self.data) else None
        if begin is not None and (run.t_last < begin or run.count == self._seen):
            return
        try:
            t, y = run.channel(name, begin, until)
        except (KeyError, IndexError, ValueError):
            return
        self._seen = run.count if until is None else -1
        if begin is not None:  # a jump has several samples at one instant
            known = len(self.data) - int(np.searchsorted(self.data.t, begin))
            t, y = t[known:], y[known:]
        y = np.asarray(y, dtype=float) / factor
        if len(y):
            self.largest = max(self.largest, float(np.max(np.abs(y), initial=0.0, where=~np.isnan(y))))
        self.data.append(np.asarray(t, dtype=float), np.maximum(np.abs(y), FLOOR) if absolute else y)


def drawable(values: Array) -> Array:
    """The same with gaps in place of what no axis can show."""
    good = np.abs(values) < DRAWABLE
    return values if good.all() else np.where(good, values, np.nan)


def _fitted(raster: Raster, x: Array, y: Array, room: float) -> Raster:
    """As fine as the plot would be if it were fitted to this curve and those beside it, or finer.

    Points are left out by what the plot shows, and automatic ranges follow from the points: a range that is
    not yet that of the curve must not cost it its shape. The rounding noise of a curve that stands still has
    none: all of its points, painted one over the other, look like dashes.
    """
    return dataclasses.replace(
        raster,
        across=_narrower(raster.across, x),
        up=_narrower(raster.up, np.log10(np.maximum(y, FLOOR)))
        if raster.log
        else _narrower(raster.up, y, room),
    )


def _narrower(span: tuple[float, float], values: Array, room: float = 0.0) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return span
    low, high = float(finite.min()), float(finite.max())
    middle, half = 0.5 * (low + high), 0.5 * max(high - low, room)
    return (middle - half, middle + half) if 0.0 < 2.0 * half < span[1] - span[0] else span
