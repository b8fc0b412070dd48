"""What the pointer means in a plot over time: an instant, the curve nearby, all values there."""

import math

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF

from app.platform.units import plain_number
from app.widgets.plots.content import PlotContent
from app.widgets.plots.cursor import Cursor, Reading
from app.widgets.plots.curves.curve import FLOOR
from app.widgets.plots.drawn_curves import DrawnCurves
from engine.model.rounding_noise import noise_floor

NEAR_CURVE = 7.0  # px from a curve to the pointer that is over it


class Pointing:
    """`at` is the pointer in coordinates of the plot's scene while it is over this plot, else None."""

    def __init__(
        self, plot: pg.PlotWidget, content: PlotContent, curves: DrawnCurves, cursor: Cursor
    ) -> None:
        self._plot, self._content, self._curves, self._cursor = plot, content, curves, cursor
        self.at: QPointF | None = None

    def instant(self, at: QPointF) -> float | None:
        """The time at a place of the plot [s]; None beside its curves, or where it has no time."""
        view = self._plot.getViewBox()
        inside = view.sceneBoundingRect().contains(at)
        if self._content.kind != "time" or not self._content.channels or not inside:
            return None
        return float(view.mapSceneToView(at).x())

    def show(self, t: float | None) -> None:
        """A line at an instant, and in the plot under the pointer the values there; None: nothing."""
        if t is None or self._content.kind != "time":
            self._cursor.hide()
            return
        readings = self.readings(t, self.near(self.at)) if self.at is not None else []
        at = self._plot.mapFromScene(self.at) if self.at is not None else QPoint()
        self._cursor.show(f"t = {plain_number(t, 4)} s", readings, at, t)

    def readings(self, t: float, near: tuple[int, str] | None = None) -> list[Reading]:
        """Every curve that has a value at this instant, those of the present run first."""
        found, content, curves = [], self._content, self._curves
        for (run_id, name), curve in sorted(curves.by_key.items(), key=lambda pair: not pair[1].main):
            value = curves.value_of(name, curve, t)
            if not math.isfinite(value):
                continue
            if abs(value) < noise_floor(curve.data.size):
                value = 0.0
            short = content.short(name)
            words = short if curve.main else f"{short} ({curves.run_names[run_id]})"
            color = curve.item.opts["pen"].color().name()
            text = f"{value:.4g} {content.unit(name)}".rstrip()
            found.append(Reading(color, words, text, (run_id, name) == near))
        return found

    def near(self, at: QPointF) -> tuple[int, str] | None:
        """The run and the channel of the curve at a place of the plot; None where there is none."""
        t = self.instant(at)
        if t is None:
            return None
        found, best = None, NEAR_CURVE
        for (run_id, name), curve in self._curves.by_key.items():
            value = self._curves.value_of(name, curve, t)
            shown = math.log10(max(abs(value), FLOOR)) if self._content.log else value
            view = self._curves.view(curve.right)
            away = abs(float(view.mapViewToScene(QPointF(t, shown)).y()) - at.y())
            if away < best:
                best, found = away, (run_id, name)
        return found
