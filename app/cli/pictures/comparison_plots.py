"""Pictures of a comparison of methods, drawn without a screen."""

import errno
from collections.abc import Iterable
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QApplication

from app.platform.application import application
from app.widgets.plots.axis import plain_axes
from app.widgets.plots.menus import bind_menus
from engine.results.files.whole_file import whole

if TYPE_CHECKING:
    from engine.benchmarks.comparison import Comparison, Run

SIZE = (1200, 600)  # px
FLOOR = 1e-18  # a logarithmic axis shows an exact zero here
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#3C4043", "#9AA0A6")
INK = "#202124"
COLUMNS = 4  # of the legend
LEFT = 70  # px for the labels of a vertical axis
SYMBOLS = ("o", "s", "t", "d", "+", "x", "star", "p")


def save_plots(comparison: "Comparison", title: str, folder: Path) -> list[Path]:
    """Work and precision, and the histories of energy and violation."""
    application(offscreen=True)
    return [
        _work_precision(comparison, title, folder / "work_precision.png"),
        _histories(comparison, title, folder / "histories.png"),
    ]


def _work_precision(comparison: "Comparison", title: str, file: Path) -> Path:
    page, legend = _page()
    by_step = _plot(page, 0, f"{title}: error over step", "step [s]", "largest position error [m]")
    by_time = _plot(page, 1, "error over computing time", "computing time [s]", "")
    for method, color, symbol in zip(comparison.methods, cycle(COLORS), cycle(SYMBOLS), strict=False):
        runs = [run for run in comparison.of(method) if run.finished and run.error > 0.0]
        if not runs:
            continue
        style = {"pen": pg.mkPen(color, width=2), "symbol": symbol, "symbolBrush": color, "symbolPen": color}
        errors = [run.error for run in runs]
        if not method.adaptive:
            by_step.plot([run.step for run in runs], errors, **style)
        legend.addItem(by_time.plot([run.time for run in runs], errors, **style), method.name)
    shown = [run for run in comparison.runs if run.finished]
    for plot, values in (
        (by_step, [run.step for run in shown if not run.method.adaptive]),
        (by_time, [run.time for run in shown]),
    ):
        plot.setLogMode(x=True, y=True)
        _logarithmic(plot.getAxis("bottom"), values)
        _logarithmic(plot.getAxis("left"), [run.error for run in shown])
    return _saved(page, file)


def _histories(comparison: "Comparison", title: str, file: Path) -> Path:
    """One run per method, the one with the largest step that came to its end."""
    page, legend = _page()
    energy = _plot(page, 0, f"{title}: energy error", "time [s]", "|energy error| [J]")
    violation = _plot(page, 1, "constraint violation", "time [s]", "violation of the positions")
    for run, color in zip(_shown(comparison), cycle(COLORS), strict=False):
        knob = f"{'tolerance' if run.method.adaptive else 'step'} {run.step:g}"
        pen = pg.mkPen(color, width=2)
        curve = energy.plot(run.t, np.maximum(np.abs(run.energy), FLOOR), pen=pen)
        violation.plot(run.t, np.maximum(run.violation, FLOOR), pen=pen)
        legend.addItem(curve, f"{run.method.name}, {knob}")
    for plot in (energy, violation):
        plot.setLogMode(y=True)
    return _saved(page, file)


def _shown(comparison: "Comparison") -> Iterable["Run"]:
    for method in comparison.methods:
        runs = comparison.of(method)
        yield next((run for run in runs if run.finished), runs[-1])


def _page() -> tuple[pg.GraphicsLayoutWidget, pg.LegendItem]:
    """An empty page for two plots side by side, and the legend below them."""
    page = pg.GraphicsLayoutWidget(show=False, size=SIZE)
    page.setBackground("w")
    legend = pg.LegendItem(colCount=COLUMNS, labelTextColor=INK, labelTextSize="9pt")
    page.addItem(legend, 1, 0, 1, 2)
    page.ci.layout.setRowStretchFactor(0, 1)
    return page, legend


def _plot(page: pg.GraphicsLayoutWidget, column: int, title: str, bottom: str, left: str) -> pg.PlotItem:
    plot = page.addPlot(0, column, axisItems=plain_axes())
    plot.setTitle(title, color=INK, size="11pt")
    plot.showGrid(x=True, y=True, alpha=0.3)
    for side, text in (("bottom", bottom), ("left", left)):
        plot.setLabel(side, text, color=INK)
        axis = plot.getAxis(side)
        axis.setTextPen(INK)
    plot.getAxis("left").setWidth(LEFT)
    return plot


def _logarithmic(axis: pg.AxisItem, values: Iterable[float]) -> None:
    """Ticks at 1, 2 and 5, or at powers of ten where those would crowd."""
    logs = np.log10([value for value in values if value > 0.0] or [1.0])
    low, high = int(np.floor(logs.min())), int(np.ceil(logs.max()))
    marks = (1, 2, 5) if high - low <= 2 else (1,)
    skip = max(1, (high - low) // 8)
    axis.setTicks([[(k + np.log10(m), f"{m}e{k}") for k in range(low, high + 1, skip) for m in marks]])


def _saved(page: pg.GraphicsLayoutWidget, file: Path) -> Path:
    QApplication.processEvents()  # the layout takes in the size of the legend
    bind_menus(page)
    with whole(file) as temporary:
        if not page.grab().save(str(temporary)):
            raise OSError(errno.EIO, "the picture could not be written")
    page.close()
    return file
