"""A second axis at the right of a plot, for curves of another unit."""

from typing import Any

import pyqtgraph as pg

from app.widgets.plots.axes.marked_view import MarkedView
from app.widgets.plots.curves.curve import RunLine


class _Beside(MarkedView):
    """Lies over the plot and leaves the mouse to it."""

    def mouseDragEvent(self, event: Any, axis: Any = None) -> None:
        event.ignore()

    def mouseClickEvent(self, event: Any) -> None:
        event.ignore()

    def wheelEvent(self, event: Any, axis: Any = None) -> None:
        event.ignore()


def second_view(plot: pg.PlotItem, *, shown: bool) -> MarkedView:
    """A view over that of the plot, with the axis at the right as its own and the plot's range across."""
    left, view = plot.getViewBox(), _Beside()

    def follow(*_: object) -> None:
        view.setGeometry(left.sceneBoundingRect())
        view.linkedViewChanged(left, view.XAxis)

    plot.scene().addItem(view)
    plot.getAxis("right").linkToView(view)
    view.setXLink(left)
    view.enableAutoRange(y=True)
    left.sigResized.connect(follow)
    plot.showAxis("right", shown)
    view.setVisible(shown)
    follow()
    return view


class RightAxis:
    """Has a range of values of its own, and the time of the plot."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._plot, self.used = plot, False
        self.view = second_view(plot, shown=False)

    def show(self, used: bool) -> None:
        if used != self.used:
            self.used = used
            self._plot.showAxis("right", used)
            self.view.setVisible(used)

    def add(self, item: RunLine) -> None:
        self.view.addItem(item)

    def remove(self, item: RunLine) -> None:
        self.view.removeItem(item)
