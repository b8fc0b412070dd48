"""Axes show the numbers of the curves, in the unit that stands beside them, whatever is done to the plot."""

from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.exchange.sheets.sheets import page_of, sheet_of
from app.platform.appearance import Look
from app.platform.theme import Theme
from app.widgets.plots.axes.axis import PlainAxis
from app.widgets.plots.box import PlotBox

SPAN = (0.0, 0.5)  # s; like the values below one, where pyqtgraph shows thousandths
TOP = 0.6  # J


class SmallRun:
    """Half a second, values below one."""

    id, name = 1, "Run 1"
    t_first, t_last = SPAN
    count = 201

    def channel(self, name: str, begin: float | None = None, end: float | None = None) -> tuple[Any, Any]:
        t = np.linspace(*SPAN, 201)
        return (t, TOP * t / SPAN[1]) if begin is None else (t[:0], t[:0])

    def unit(self, name: str) -> str:
        return "J"

    def is_unique(self, name: str) -> bool:
        return True

    def meaning(self, name: str) -> str:
        return "a number"


def numbers(axis: Any) -> list[float]:
    """What stands at the ticks."""
    spacing, values = axis.tickValues(*axis.range, 300)[0]
    scale = axis.autoSIPrefixScale * axis.scale  # as pyqtgraph asks for them
    texts = axis.tickStrings(values, scale, spacing)
    return [float(text.split()[0]) for text in texts if text]


def assert_true_axes(plot: Any, tops: dict[str, float]) -> None:
    for side, top in tops.items():
        axis = plot.getAxis(side)
        assert axis.autoSIPrefixScale == 1.0, side
        assert 0.5 * top <= max(numbers(axis)) <= 1.5 * top, (side, numbers(axis))


@pytest.mark.parametrize("kind", ["time", "phase", "spectrum"])
def test_issue_18_a_change_of_theme_leaves_the_numbers_at_the_axes(qtbot: QtBot, kind: str) -> None:
    look = Look()
    box = PlotBox(look, "plot", kind)
    qtbot.addWidget(box)
    box.resize(600, 300)
    box.show()
    box.add_channel("energy.kinetic")
    box.add_channel("energy.total")
    run = SmallRun()
    tops = {"time": {"left": TOP, "bottom": SPAN[1]}, "phase": {"left": TOP, "bottom": TOP}, "spectrum": {}}
    for dark in (False, True, False):
        look.set(Theme(dark=dark), look.units)
        box.apply_theme()
        box.refresh([run], run, 0.2, SPAN)
        item = box.plot.getPlotItem()
        box.plot.getViewBox().updateAutoRange()
        if kind == "time":
            item.getViewBox().setXRange(*SPAN, padding=0.0)
        assert_true_axes(item, tops[kind])
        assert all(item.getAxis(side).autoSIPrefixScale == 1.0 for side in ("left", "bottom"))
        page = page_of(sheet_of(box, [run], run), (800, 500), look.theme)
        assert_true_axes(page.getItem(0, 0), tops[kind])
        page.close()


def test_an_axis_is_never_scaled_by_a_prefix(qtbot: QtBot) -> None:
    axis = PlainAxis("left")
    axis.setLabel("J")
    axis.showLabel(True)
    for enable in (False, True, False):
        axis.setRange(0.0, 0.6)
        axis.enableAutoSIPrefix(enable)
        assert axis.autoSIPrefixScale == 1.0
        assert axis.labelUnitPrefix == ""


@pytest.mark.parametrize("log", [False, True])
def test_a_plot_without_curves_has_no_numbers_upright(qtbot: QtBot, log: bool) -> None:
    box = PlotBox(Look(), "plot", "time", log=log)
    qtbot.addWidget(box)
    run, axis = SmallRun(), box.plot.getPlotItem().getAxis("left")
    box.refresh([run], run, 0.2, SPAN)
    assert not axis.style["showValues"]
    box.add_channel("energy.kinetic")
    run.channel = lambda *_: (np.zeros(0), np.zeros(0))  # poses are there before channels can be computed
    box.refresh([run], run, 0.2, SPAN)
    assert not axis.style["showValues"]
    del run.channel
    box.refresh([run], run, 0.2, SPAN)
    assert axis.style["showValues"]
    box.clear()
    assert not axis.style["showValues"]
