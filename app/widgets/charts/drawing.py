"""A chart (`engine/analyses/answers/chart.py`) as a plot of pyqtgraph."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from app.platform.theme import Theme
from app.platform.units import Units
from app.widgets.charts.field import FieldItem
from app.widgets.plots.axes.axis import Axis as TickAxis
from engine.analyses.answers.chart import Axis, Chart, Field, Series

WIDTH = 2  # px of a line
MARK = 8  # px of a point
BELOW = 4  # the row of a plot after title, upper axis, curves and lower axis
FILL = 60  # of 255: how opaque a band is
NAMED = 12  # series in a legend; more would take the room of the chart
LINES = 4  # of a legend below a chart; a longer one has its place inside
LETTER, SAMPLE = 7, 44  # px: of a letter of a name, and of the line before it with the gap behind


def chart_axes() -> dict[str, pg.AxisItem]:
    """For `axisItems` of a plot: values as they are."""
    return {side: TickAxis(side, "chart") for side in ("left", "bottom")}


def draw_chart(
    plot: pg.PlotItem, chart: Chart, theme: Theme, units: Units, *, width: int, titled: bool = True
) -> None:
    """Fill an empty plot, about so wide [px]. Names stand below it, where they cover no curve."""
    ink = theme["text"]
    if titled or chart.field is not None:
        plot.setTitle(_title(chart, units), color=ink, size="10pt")
    plot.showGrid(x=True, y=True, alpha=0.25)
    plot.setMenuEnabled(False)
    for side, axis in (("bottom", chart.x), ("left", chart.y)):
        unit = units.shown(axis.unit) if axis.unit else ""
        plot.getAxis(side).setPen(theme["border"])
        plot.getAxis(side).setTextPen(ink)
        plot.setLabel(side, f"{axis.title} [{unit}]" if unit else axis.title, color=ink)
    plot.setLogMode(x=chart.x.logarithmic, y=chart.y.logarithmic)
    plot.setAspectLocked(chart.equal)
    if chart.field is not None:
        _add_field(plot, chart.field, chart, theme, units)
    names = [one.name for one in chart.series if one.name]
    # over colours a legend cannot be read: points have their names beside them
    named = chart.field is None and 0 < len(names) <= NAMED
    if named:
        _add_legend(plot, names, width, ink)
    for one in chart.series:
        _add(plot, one, chart, theme, units, named=named)


def _add_legend(plot: pg.PlotItem, names: Sequence[str], width: int, ink: str) -> None:
    """An empty one, into which curves enter themselves: below the plot, unless it had too many lines."""
    columns = max(1, width // (SAMPLE + LETTER * max(map(len, names))))
    if len(names) > LINES * columns:
        plot.addLegend(offset=(-8, 8), labelTextColor=ink, labelTextSize="9pt")
        return
    plot.legend = pg.LegendItem(colCount=columns, labelTextColor=ink, labelTextSize="9pt", verSpacing=-6)
    plot.legend.layout.setContentsMargins(0, 0, 0, 0)
    plot.layout.addItem(plot.legend, BELOW, 1)


def _add_field(plot: pg.PlotItem, field: Field, chart: Chart, theme: Theme, units: Units) -> None:
    x, y = _shown(field.x, chart.x, units), _shown(field.y, chart.y, units)
    factor = units.factor(field.of.unit) if field.of.unit else 1.0
    marked = field.marked / factor if field.marked is not None else None
    FieldItem(plot, theme).show(x, y, np.asarray(field.z, dtype=float) / factor, marked)
    for one in chart.series:
        label = pg.TextItem(one.name, color="w", anchor=(-0.1, 0.5), fill=pg.mkBrush(0, 0, 0, 110))
        label.setPos(float(_shown(one.x, chart.x, units)[-1]), float(_shown(one.y, chart.y, units)[-1]))
        plot.addItem(label, ignoreBounds=True)


def _title(chart: Chart, units: Units) -> str:
    if chart.field is None:
        return chart.title
    of = chart.field.of
    unit = f" [{units.shown(of.unit)}]" if of.unit else ""
    return f"{chart.title}: {of.title[:1].lower()}{of.title[1:]}{unit}"


def _add(plot: pg.PlotItem, one: Series, chart: Chart, theme: Theme, units: Units, *, named: bool) -> None:
    color = theme.plot_color(one.group)
    x, y = _shown(one.x, chart.x, units), _shown(one.y, chart.y, units)
    options: dict[str, Any] = {"name": one.name} if one.name and named else {}
    if one.style == "band":
        assert one.upper is not None
        thin = pg.mkPen(color, width=1)
        ends = [
            plot.plot(x, edge, pen=thin, connect="finite") for edge in (y, _shown(one.upper, chart.y, units))
        ]
        fill = QColor(color)
        fill.setAlpha(FILL)
        plot.addItem(pg.FillBetweenItem(*ends, brush=pg.mkBrush(fill)))
        if options:
            plot.legend.addItem(ends[0], one.name)
    elif one.style == "points":
        rim = pg.mkPen("w", width=1.5) if chart.field is not None else None
        plot.plot(x, y, pen=None, symbol="o", symbolSize=MARK, symbolBrush=color, symbolPen=rim, **options)
    else:
        plot.plot(x, y, pen=pg.mkPen(color, width=WIDTH), connect="finite", **options)


def _shown(values: Any, axis: Axis, units: Units) -> Any:
    """In the unit of the display; what a logarithmic axis cannot show is left out."""
    numbers = np.asarray(values, dtype=float) / (units.factor(axis.unit) if axis.unit else 1.0)
    return np.where(numbers > 0.0, numbers, np.nan) if axis.logarithmic else numbers
