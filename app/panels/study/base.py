"""What a view of the rows of a study is: it shows a table, and a click picks a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from app.platform.appearance import Look
from app.widgets.plots.axes.axis import plain_axes
from app.widgets.plots.menus import bind_menus
from engine.compiled.layout import Array
from engine.studies.outcomes.table import Table


class RowsView(QWidget):
    """Base of the views. `picked` tells the index of a row."""

    picked = Signal(int)

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.look = look

    def show_table(self, table: Table) -> None:
        raise NotImplementedError

    def dress(self) -> None:
        """Another theme."""


@dataclass(frozen=True)
class ViewKind:
    """A line of the registry."""

    name: str
    title: str
    tip: str
    make: Callable[[Look], RowsView]


def numbers(table: Table, name: str) -> Array:
    """A column as numbers, NaN where there is none; words count 0, 1, 2 … in their order."""
    column = table[name]
    if column.dtype.kind == "f":
        return column
    _, places = np.unique(column.astype(str), return_inverse=True)
    return places.astype(float)


def numeric_columns(table: Table) -> list[str]:
    return [*table.variables, *table.objectives]


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
