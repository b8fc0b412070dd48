"""The charts of an answer, one tab each."""

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtWidgets import QTabWidget

from app.platform.appearance import Look
from app.widgets.charts.drawing import chart_axes, draw_chart
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.analyses.answers.chart import Chart

MIN_SIZE = (220, 140)  # px of a chart


class ChartsView(QTabWidget):
    """Hidden while there is nothing to show; the tab that was looked at stays when an answer comes anew."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setDocumentMode(True)
        self._look = look
        self._charts: tuple[Chart, ...] = ()
        look.changed.connect(self._dressed)
        self.hide()

    def _dressed(self) -> None:
        self.show_charts(self._charts)

    def show_charts(self, charts: Sequence[Chart]) -> None:
        """These charts in place of those before."""
        before = self.tabText(self.currentIndex())
        self._charts = tuple(charts)
        pages = [self.widget(i) for i in range(self.count())]
        self.clear()
        for page in pages:
            if page is not None:
                page.deleteLater()
        for chart in self._charts:
            plot = pg.PlotWidget(background=self._look.theme["base"], axisItems=chart_axes())
            theme, units = self._look.theme, self._look.units
            # without a title: the tab is one
            draw_chart(plot.getPlotItem(), chart, theme, units, width=MIN_SIZE[0], titled=False)
            plot.setMinimumSize(*MIN_SIZE)
            bind_menus(plot)
            self.addTab(plot, chart.title)
            if chart.title == before:
                self.setCurrentWidget(plot)
        self.setVisible(bool(self._charts))
