"""Plots and measures."""

from PySide6.QtWidgets import QInputDialog

from app.commands import add, free_name
from app.panels.naming import reason
from app.window.parts import WindowParts
from engine.elements.measures import ExpressionMeasure
from engine.errors import SceneError


class PlotActions(WindowParts):
    """Actions of the Plots menu."""

    def add_plot(self) -> None:
        self._show_dock("plots")
        self.plots.add_plot()

    def add_channel(self) -> None:
        self._show_dock("plots")
        self.plots.add_channel()

    def add_measure(self) -> None:
        text, given = QInputDialog.getText(
            self, "Add measure", "Expression of channels, for instance\nbody.crank.angle*2 + t"
        )
        run = self.session.current
        if not given or not text.strip() or run is None:
            return
        scene = self.session.document.scene
        name = free_name(scene, "measures", "measure")
        try:
            run.segments[-1].channels.expression(text, f"measures.{name}")
            self.session.document.apply(add(scene, ExpressionMeasure(name=name, expression=text.strip())))
        except SceneError as error:
            self._complain("The measure cannot be added", reason(error))
            return
        self._show_dock("plots")
        self.plots.add_plot([f"measure.{name}"], title=text.strip())

    def add_phase_plot(self) -> None:
        self._show_dock("plots")
        self.plots.add_phase()

    def add_spectrum(self) -> None:
        self._show_dock("plots")
        self.plots.add_spectrum()

    def toggle_range(self) -> None:
        self.plots.toggle_range()

    def toggle_whole(self) -> None:
        self.plots.toggle_whole()
