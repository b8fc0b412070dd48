"""The view of a plot: where values are marked, there is room for their words above and below the curves."""

from collections.abc import Iterable

import numpy as np
import pyqtgraph as pg

from app.widgets.plots.curves.pyramid import Array

WORDS = 25.0  # px, with their distance from the point


class MarkedView(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """`marked`: whether automatic ranges leave that room."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.marked = False

    def mark(self, marked: bool) -> None:
        if marked != self.marked:
            self.marked = marked
            self.queueUpdateAutoRange()

    def limit(self, low: float, extent: float | None, values: Iterable[Array]) -> None:
        """Show nothing below `low`, and at least that extent, also around values that are all alike."""
        self.setLimits(yMin=low, minYRange=extent)
        finite = [v[np.isfinite(v)] for v in values]
        ends = [float(end) for v in finite if len(v) for end in (v.min(), v.max())]
        if extent is not None and ends and max(ends) - min(ends) < extent:
            middle = 0.5 * (min(ends) + max(ends))
            self.setYRange(middle - 0.5 * extent, middle + 0.5 * extent, padding=0.0)

    def suggestPadding(self, axis: int) -> float:
        """Share of the range of the values that is added at both ends."""
        usual = float(super().suggestPadding(axis))
        left = max(self.height() - 2.0 * WORDS, WORDS)  # px, for the curves
        return max(usual, WORDS / left) if self.marked and axis else usual
