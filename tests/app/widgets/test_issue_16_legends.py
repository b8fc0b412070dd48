"""Names of a chart stand below it, where they cover no curve."""

import numpy as np
import pyqtgraph as pg
import pytest

from app.platform.theme import Theme
from app.platform.units import Units
from app.widgets.charts.drawing import chart_axes, draw_chart
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.analyses.answers.chart import Axis, Chart, Series

pytestmark = pytest.mark.usefixtures("qapp")
T = np.linspace(0.0, 6.0, 50)


def drawn(qtbot, names: list[str], width: int) -> pg.PlotWidget:
    series = tuple(Series(name=name, x=T, y=np.sin(T + i), group=i) for i, name in enumerate(names))
    widget = pg.PlotWidget(axisItems=chart_axes())
    qtbot.addWidget(widget)
    widget.resize(width, 200)
    chart = Chart(title="Waves", x=Axis("t", "s"), y=Axis("x", "m"), series=series)
    draw_chart(widget.getPlotItem(), chart, Theme(), Units({}), width=width)
    bind_menus(widget)
    widget.show()
    qtbot.waitExposed(widget)
    qtbot.wait(20)
    return widget


@pytest.mark.parametrize("names", [["coupler", "wanted"], ["x", "y", "z", "with counterweights"]])
def test_a_legend_lies_below_the_curves(qtbot, names):
    widget = drawn(qtbot, names, 620)
    plot = widget.getPlotItem()
    assert [label.text for _, label in plot.legend.items] == names
    assert not plot.legend.sceneBoundingRect().intersects(plot.vb.sceneBoundingRect())


def test_many_long_names_stay_inside_a_narrow_chart(qtbot):
    widget = drawn(qtbot, [f"the reaction of joint number {i}" for i in range(7)], 220)
    plot = widget.getPlotItem()
    assert plot.vb.sceneBoundingRect().height() > 60.0
    assert len(plot.legend.items) == 7
