"""What a view of the rows of a study is: it shows a table, and a click picks a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from app.panels.study.shown_table import ShownTable
from app.platform.appearance import Look
from app.widgets.plots.axes.axis import plain_axes
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.studies.outcomes.table import Table


class RowsView(QWidget):
    """Base of the views. `picked` tells the index of a row."""

    picked = Signal(int)

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.look = look
        self.shown: ShownTable | None = None

    def show_table(self, table: Table, si: Mapping[str, str] | None = None) -> None:
        """Show rows; `si`: the SI units of the columns."""
        self.shown = ShownTable(table, dict(si or {}), self.look.units)
        self.fill(self.shown)

    def fill(self, shown: ShownTable) -> None:
        """Show other rows, or the same in other units."""
        raise NotImplementedError

    def dress(self) -> None:
        """Another theme, or other units."""
        if self.shown is not None:
            self.shown = self.shown.in_units(self.look.units)
            self.fill(self.shown)


@dataclass(frozen=True)
class ViewKind:
    """A line of the registry."""

    name: str
    title: str
    tip: str
    make: Callable[[Look], RowsView]


def plot_widget(look: Look, name: str) -> Any:
    """A plot in the colours of the theme."""
    plot = pg.PlotWidget(axisItems=plain_axes(), enableMenu=False)
    plot.setObjectName(name)
    bind_menus(plot)
    plot.hideButtons()
    dress_plot(plot, look)
    return plot


def dress_plot(plot: Any, look: Look) -> None:
    theme = look.theme
    plot.setBackground(theme["base"])
    plot.showGrid(x=True, y=True, alpha=0.2)
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(theme["border"])
        axis.setTextPen(theme["muted"])


def chooser(name: str, title: str) -> QComboBox:
    """A list of columns."""
    made = QComboBox()
    made.setObjectName(name)
    made.setAccessibleName(title)
    made.setToolTip(title)
    made.setMinimumContentsLength(14)
    return made


def offer(box: QComboBox, names: list[str], wanted: int) -> None:
    """Other columns; the one that is chosen stays while it is there."""
    if [box.itemText(i) for i in range(box.count())] == names:
        return
    chosen = box.currentText()
    box.blockSignals(True)
    box.clear()
    box.addItems(names)
    box.setCurrentIndex(names.index(chosen) if chosen in names else min(wanted, len(names) - 1))
    box.blockSignals(False)
