"""One way to draw the figures of the method pages: panels of curves, saved as a picture without a screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyqtgraph as pg
from numpy.typing import ArrayLike

from app.qt import application

FOLDER = Path(__file__).parent
PANEL = (720, 360)  # px
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


@dataclass(frozen=True)
class Panel:
    """Curves by name, each x and y; logarithmic axes where asked for."""

    title: str
    x: str
    y: str
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]]
    log_x: bool = False
    log_y: bool = False


def save(name: str, panels: Sequence[Panel]) -> None:
    """Write `name`.png beside the scripts, panels below each other."""
    application(offscreen=True)
    page = pg.GraphicsLayoutWidget(show=False, size=(PANEL[0], PANEL[1] * len(panels)))
    page.setBackground("w")
    for panel in panels:
        plot = page.addPlot(title=panel.title)
        plot.addLegend(offset=(10, 10))
        plot.showGrid(x=True, y=True, alpha=0.3)
        plot.setLogMode(x=panel.log_x, y=panel.log_y)
        plot.setLabel("bottom", panel.x)
        plot.setLabel("left", panel.y)
        for axis in ("left", "bottom"):
            plot.getAxis(axis).enableAutoSIPrefix(False)
        for color, (label, (x, y)) in zip(COLORS, panel.curves.items(), strict=False):
            plot.plot(x, y, name=label, pen=pg.mkPen(color, width=2))
        page.nextRow()
    file = FOLDER / f"{name}.png"
    if not page.grab().save(str(file)):
        raise OSError(f"{file} could not be written")
    page.close()
