"""Menus of pyqtgraph that are not shown here, but made for every plot."""

import pyqtgraph as pg


def bind_menus(plots: pg.GraphicsView) -> None:
    """Let the menu of each plot go with the widget: it has no parent, and would stay for ever."""
    for item in plots.items():
        if isinstance(item, pg.PlotItem):
            plots.destroyed.connect(item.ctrlMenu.deleteLater)
