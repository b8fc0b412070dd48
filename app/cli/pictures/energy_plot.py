"""Energy and constraint violation over time as a picture, drawn without a screen."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg

from app.document.channels.usual_channels import ENERGY, VIOLATION
from app.platform.application import application
from app.platform.picture_bytes import picture_bytes
from app.widgets.plots.axes.axis import lay_out, plain_axes
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.results.files.whole_file import whole

if TYPE_CHECKING:
    from engine import Trajectory

_SIZE = (1000, 700)  # px
_FLOOR = 1e-18  # a logarithmic axis shows an exact zero here
_COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")


def save_plot(trajectory: "Trajectory", title: str, file: Path) -> None:
    application(offscreen=True)
    page = pg.GraphicsLayoutWidget(show=False, size=_SIZE)
    page.setBackground("w")
    energy = _add_plot(page, title, "energy [J]")
    for name, color in zip(ENERGY, _COLORS, strict=False):
        energy.plot(trajectory.t, trajectory.channel(name), name=name, pen=_pen(color))
    page.nextRow()
    violation = _add_plot(page, "", "violation")
    violation.setLogMode(y=True)
    for name, color in zip(VIOLATION, _COLORS, strict=False):
        values = np.maximum(np.abs(trajectory.channel(name)), _FLOOR)
        violation.plot(trajectory.t, values, name=f"{name} [{trajectory.unit(name)}]", pen=_pen(color))
    violation.setLabel("bottom", "time [s]")
    violation.setXLink(energy)
    bind_menus(page)
    for plot in (energy, violation):
        lay_out(page, plot)
    with whole(file) as temporary:
        temporary.write_bytes(picture_bytes(page.grab(), file.suffix))
    page.close()


def _pen(color: str) -> object:
    return pg.mkPen(color, width=2)


def _add_plot(page: pg.GraphicsLayoutWidget, title: str, label: str) -> pg.PlotItem:
    plot = page.addPlot(title=title, axisItems=plain_axes())
    plot.addLegend()
    plot.showGrid(x=True, y=True, alpha=0.3)
    plot.setLabel("left", label)
    return plot
