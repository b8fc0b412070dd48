"""Charts of an answer as a picture file."""

from collections.abc import Sequence
from pathlib import Path

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from app.platform.picture_bytes import picture_bytes, svg_bytes
from app.platform.theme import Theme
from app.platform.units import Units
from app.widgets.charts.drawing import chart_axes, draw_chart
from app.widgets.plots.axes.axis import lay_out
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.analyses.answers.chart import Chart
from engine.results.files.whole_file import whole

WIDTH, HEIGHT = 620, 460  # px of one chart
ENDINGS = (".png", ".svg")


def save_charts(charts: Sequence[Chart], file: Path, units: Units | None = None) -> None:
    """All charts side by side, in SI units unless told; the ending chooses PNG or SVG. Raises OSError."""
    page = pg.GraphicsLayoutWidget(show=False, size=(WIDTH * len(charts), HEIGHT))
    page.setBackground("w")
    plots = [page.addPlot(0, column, axisItems=chart_axes()) for column in range(len(charts))]
    for plot, chart in zip(plots, charts, strict=True):
        draw_chart(plot, chart, Theme(), Units({}) if units is None else units, width=WIDTH)
    QApplication.processEvents()  # the layout takes in the sizes of the legends
    bind_menus(page)
    for plot in plots:
        lay_out(page, plot)
    with whole(file) as temporary:
        if file.suffix.lower() == ".svg":
            temporary.write_bytes(_svg(page))
        else:
            temporary.write_bytes(picture_bytes(page.grab(), file.suffix))
    page.close()


def _svg(page: pg.GraphicsLayoutWidget) -> bytes:
    """A page of plots as it is laid out, in lines and letters."""
    target = QRectF(0, 0, page.width(), page.height())

    def paint(painter: QPainter) -> None:
        painter.fillRect(target, "white")
        page.scene().render(painter, target, page.viewRect())

    # the resolution is what the axes are laid out for; else they are drawn larger
    return svg_bytes(target, paint, page.logicalDpiX())
