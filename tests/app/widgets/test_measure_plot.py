"""A small plot of a measure: an axis says numbers only where a curve gives them a meaning."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.platform.appearance import Look
from app.widgets.plots.measure_plot import MeasurePlot, PlottedCurve


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [np.nan, np.inf]], ids=["none", "zeros", "no numbers"])
def test_an_empty_logarithmic_axis_has_no_numbers(qtbot: QtBot, values: list[float]) -> None:
    plot = MeasurePlot(Look(), "measure", "Violation [m]")
    qtbot.addWidget(plot)
    axis = plot.plot.getAxis("left")
    assert not axis.style["showValues"]
    t = np.arange(2.0)
    plot.show_curves({"right": PlottedCurve("#112233", t, np.array([1e-9, 1e-6]))})
    assert axis.style["showValues"]
    plot.show_curves({"empty": PlottedCurve("#112233", t[: len(values)], np.array(values))})
    assert not axis.style["showValues"]
