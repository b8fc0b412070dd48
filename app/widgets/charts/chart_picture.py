"""Charts of an answer as a picture file."""

import errno
from collections.abc import Sequence
from pathlib import Path

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

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
            write_svg(page, temporary)
        elif not page.grab().save(str(temporary)):
            raise OSError(errno.EIO, "the picture could not be written")
    page.close()


def write_svg(page: pg.GraphicsLayoutWidget, file: Path) -> None:
    """A page of plots as it is laid out, in lines and letters."""
    size = page.size()
    generator = QSvgGenerator()
    generator.setFileName(str(file))
    generator.setSize(QSize(size.width(), size.height()))
    generator.setResolution(page.logicalDpiX())  # what the axes are laid out for; else they are drawn larger
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    painter = QPainter(generator)
    target = QRectF(0, 0, size.width(), size.height())
    painter.fillRect(target, "white")
    page.scene().render(painter, target, page.viewRect())
    painter.end()
