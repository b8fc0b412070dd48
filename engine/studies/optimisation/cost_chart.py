"""The cost over the runs of a search as a chart."""

from collections.abc import Sequence

import numpy as np

from engine.analyses.answers.chart import Axis, Chart, Series

DECADES = 2.0  # of the costs: beyond, a logarithmic axis shows more


def cost_chart(costs: Sequence[float]) -> Chart:
    """The best cost after each run that was allowed."""
    y = np.array(costs, dtype=float)
    wide = len(y) > 1 and bool(np.all(y > 0.0)) and float(np.log10(y[0] / y[-1])) > DECADES
    line = Series("", np.arange(1.0, len(y) + 1.0), y)
    return Chart("Best cost", Axis("Run"), Axis("Cost", logarithmic=wide), (line,))
