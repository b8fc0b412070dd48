"""A channel of one run as it is plotted: its samples so far, and the line that draws them."""

from typing import Any

import numpy as np
import pyqtgraph as pg

from app.plots.pyramid import Pyramid

FLOOR = 1e-18  # a logarithmic axis shows an exact zero here
THICK = 1.6  # px, lines of the present run


class Curve:
    """Reads on from the run where it stopped."""

    def __init__(self, item: pg.PlotDataItem) -> None:
        self.data = Pyramid()
        self.item = item
        self.main: bool | None = None  # of the present run, not an earlier one
        self.drawn: tuple[Any, ...] = ()  # what was drawn last, to leave it alone when nothing changed

    def thin(self, thin: bool) -> None:
        """Thick lines of many points take ten times as long to paint."""
        pen = self.item.opts["pen"]
        wanted = 1.0 if thin else THICK
        if self.main and pen.widthF() != wanted:
            pen = pg.mkPen(pen)
            pen.setWidthF(wanted)
            self.item.setPen(pen)

    def pull(self, run: Any, name: str, factor: float, *, absolute: bool, until: float | None = None) -> None:
        """Fetch what the run has recorded since, up to an instant."""
        begin = float(self.data.t[-1]) if len(self.data) else None
        if begin is not None and run.t_last <= begin:
            return
        try:
            t, y = run.channel(name, begin, until)
        except (KeyError, IndexError, ValueError):
            return
        y = np.asarray(y, dtype=float) / factor
        self.data.append(np.asarray(t, dtype=float), np.maximum(np.abs(y), FLOOR) if absolute else y)
