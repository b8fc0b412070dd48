"""Pictures of a comparison of methods, drawn without a screen."""

from collections.abc import Iterable
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg

from app.cli.pictures.plot_page import (
    COLORS,
    SYMBOLS,
    add_plot,
    logarithmic,
    new_page,
    save_page,
)
from app.platform.application import application

if TYPE_CHECKING:
    from engine.benchmarks.comparison import Comparison, Run

FLOOR = 1e-18  # a logarithmic axis shows an exact zero here


def save_plots(comparison: "Comparison", title: str, folder: Path) -> list[Path]:
    """Work and precision, and the histories of energy and violation."""
    application(offscreen=True)
    return [
        _work_precision(comparison, title, folder / "work_precision.png"),
        _histories(comparison, title, folder / "histories.png"),
    ]


def _work_precision(comparison: "Comparison", title: str, file: Path) -> Path:
    page, legend = new_page()
    by_step = add_plot(page, 0, f"{title}: error over step", "step [s]", "largest position error [m]")
    by_time = add_plot(page, 1, "error over computing time", "computing time [s]", "")
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
        logarithmic(plot.getAxis("bottom"), values)
        logarithmic(plot.getAxis("left"), [run.error for run in shown])
    return save_page(page, file)


def _histories(comparison: "Comparison", title: str, file: Path) -> Path:
    """One run per method, the one with the largest step that came to its end."""
    page, legend = new_page()
    energy = add_plot(page, 0, f"{title}: energy error", "time [s]", "|energy error| [J]")
    violation = add_plot(page, 1, "constraint violation", "time [s]", "violation of the positions")
    for run, color in zip(_shown(comparison), cycle(COLORS), strict=False):
        knob = f"{'tolerance' if run.method.adaptive else 'step'} {run.step:g}"
        pen = pg.mkPen(color, width=2)
        curve = energy.plot(run.t, np.maximum(np.abs(run.energy), FLOOR), pen=pen)
        violation.plot(run.t, np.maximum(run.violation, FLOOR), pen=pen)
        legend.addItem(curve, f"{run.method.name}, {knob}")
    for plot in (energy, violation):
        plot.setLogMode(y=True)
    return save_page(page, file)


def _shown(comparison: "Comparison") -> Iterable["Run"]:
    for method in comparison.methods:
        runs = comparison.of(method)
        yield next((run for run in runs if run.finished), runs[-1])
