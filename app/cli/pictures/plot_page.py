"""Pages with one or two plots and a legend, drawn without a screen and saved as pictures."""

from collections.abc import Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QApplication

from app.cli.pictures.logarithmic_svg import logarithmic_svg
from app.platform.application import application
from app.platform.picture_bytes import picture_bytes
from app.widgets.plots.axes.axis import plain_axes
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.results.files.whole_file import whole, write_whole

SIZE = (1200, 600)  # px
ROW_HEIGHT = 360  # px, where there are several rows of plots
MAX_COLUMNS = 3
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#3C4043", "#9AA0A6")
INK = "#202124"
COLUMNS = 4  # of the legend
LEFT = 70  # px for the labels of a vertical axis
SYMBOLS = ("o", "s", "t", "d", "+", "x", "star", "p")


class Series(NamedTuple):
    """A named line through some points."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


def save_double_logarithmic(plots: Sequence[tuple[str, str, str, Sequence[Series]]], file: Path) -> Path:
    """Plots (title, labels below and at the left, lines) with logarithmic axes; one legend for all."""
    if file.suffix.lower() == ".svg":
        write_whole(file, logarithmic_svg(plots))
        return file
    application(offscreen=True)
    columns = min(len(plots), MAX_COLUMNS)
    page, legend = new_page(-(-len(plots) // columns), columns)
    named: set[str] = set()
    for number, (title, bottom, left, lines) in enumerate(plots):
        plot = add_plot(page, number % columns, title, bottom, left, row=number // columns)
        for line, color, symbol in zip(lines, cycle(COLORS), cycle(SYMBOLS), strict=False):
            style = {
                "pen": pg.mkPen(color, width=2),
                "symbol": symbol,
                "symbolBrush": color,
                "symbolPen": color,
            }
            curve = plot.plot(list(line.x), list(line.y), **style)
            if line.name not in named:
                named.add(line.name)
                legend.addItem(curve, line.name)
        plot.setLogMode(x=True, y=True)
        logarithmic(plot.getAxis("bottom"), [x for line in lines for x in line.x])
        logarithmic(plot.getAxis("left"), [y for line in lines for y in line.y])
    return save_page(page, file)


def new_page(rows: int = 1, columns: int = 2) -> tuple[pg.GraphicsLayoutWidget, pg.LegendItem]:
    """An empty page for plots, and the legend below them."""
    page = pg.GraphicsLayoutWidget(show=False, size=(SIZE[0], SIZE[1] if rows == 1 else ROW_HEIGHT * rows))
    page.setBackground("w")
    legend = pg.LegendItem(colCount=COLUMNS, labelTextColor=INK, labelTextSize="9pt")
    page.addItem(legend, rows, 0, 1, columns)
    for row in range(rows):
        page.ci.layout.setRowStretchFactor(row, 1)
    return page, legend


def add_plot(
    page: pg.GraphicsLayoutWidget, column: int, title: str, bottom: str, left: str, *, row: int = 0
) -> pg.PlotItem:
    plot = page.addPlot(row, column, axisItems=plain_axes())
    plot.setTitle(title, color=INK, size="11pt")
    plot.showGrid(x=True, y=True, alpha=0.3)
    for side, text in (("bottom", bottom), ("left", left)):
        plot.setLabel(side, text, color=INK)
        axis = plot.getAxis(side)
        axis.setTextPen(INK)
    plot.getAxis("left").setWidth(LEFT)
    return plot


def logarithmic(axis: pg.AxisItem, values: Iterable[float]) -> None:
    """Ticks at 1, 2 and 5, or at powers of ten where those would crowd."""
    logs = np.log10([value for value in values if value > 0.0] or [1.0])
    low, high = int(np.floor(logs.min())), int(np.ceil(logs.max()))
    marks = (1, 2, 5) if high - low <= 2 else (1,)
    skip = max(1, (high - low) // 8)
    axis.setTicks([[(k + np.log10(m), f"{m}e{k}") for k in range(low, high + 1, skip) for m in marks]])


def save_page(page: pg.GraphicsLayoutWidget, file: Path) -> Path:
    QApplication.processEvents()  # the layout takes in the size of the legend
    bind_menus(page)
    with whole(file) as temporary:
        temporary.write_bytes(picture_bytes(page.grab(), file.suffix))
    page.close()
    return file
