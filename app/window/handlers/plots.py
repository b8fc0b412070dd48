"""Plots and measures."""

from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QDialog

from app.document.channels.effort_channels import cost_of
from app.document.element_words import reason
from app.edits import add, free_name
from app.exchange.sheets.sheets import Sheet
from app.panels.plots import PlotsPanel
from app.widgets.plots.box import PlotBox
from app.window.context import WindowContext
from app.window.docks import Docks
from engine.elements.measures.expression import ExpressionMeasure
from engine.errors import SceneError

COPIED = (1600, 900)  # px of a plot on the clipboard


class PlotsHandler:
    """Plots menu."""

    def __init__(self, context: WindowContext, docks: Docks) -> None:
        self._context, self._window, self._session = context, context.window, context.session
        self._docks = docks
        self.panel = docks.panel(PlotsPanel)

        self.panel.removed.connect(self._tell_removed)

    def _tell_removed(self, name: str) -> None:
        self._context.tell(f"Removed the plot {name or 'without curves'}; Plots › Bring back plot returns it")

    def restore(self) -> None:
        self._docks.show("plots")
        if not self.panel.restore_plot():
            self._context.tell("No plot of this scene has been removed")

    def add_plot(self) -> None:
        self._docks.show("plots")
        self.panel.add_plot()

    def add_channel(self) -> None:
        self._docks.show("plots")
        self.panel.add_channel()

    def add_measure(self) -> None:
        from app.dialogs.channels.measure import MeasureDialog

        run = self._session.current
        if run is None:
            return
        dialog = MeasureDialog(self._window, run)
        taken = dialog.exec() == QDialog.DialogCode.Accepted
        text, unit = dialog.expression, dialog.unit
        dialog.deleteLater()
        if not taken or not text:
            return
        scene = self._session.document.scene
        name = free_name(scene, "measures", "measure")
        try:
            measure = ExpressionMeasure(name=name, expression=text, unit=unit)
            self._session.document.apply(add(scene, measure))
        except SceneError as error:
            self._context.complain("The measure cannot be added", reason(error))
            return
        self._docks.show("plots")
        self.panel.add_plot([f"measure.{name}"], title=text)

    def add_phase(self) -> None:
        self._docks.show("plots")
        self.panel.add_phase()

    def add_cost(self) -> None:
        """Effort of the selected drive over the coordinate that it moves."""
        cost = cost_of(self._session.document.scene, self._session.selection.refs)
        if cost is not None:
            self._docks.show("plots")
            self.panel.add_plot((cost.coordinate, cost.effort), kind="phase", title=cost.title)

    def add_spectrum(self) -> None:
        self._docks.show("plots")
        self.panel.add_spectrum()

    def save(self, boxes: list[PlotBox] | None = None) -> None:
        """All plots, or these, as files."""
        from app.dialogs.exporting.plots import PlotExportDialog
        from app.exchange.runs.extracts import trust_of

        sheets = self.sheets(boxes)
        if not sheets:
            return
        run = self._session.current
        dialog = PlotExportDialog(
            self._window,
            sheets,
            self._context.look.theme,
            self._context.files_folder(),
            find_trust=None if run is None or not run.moved else lambda: trust_of(run),
        )
        if dialog.exec() == QDialog.DialogCode.Accepted and dialog.saved:
            more = f" and {len(dialog.files) - 1} more" if len(dialog.files) > 1 else ""
            self._context.tell(f"Saved {dialog.files[0]}{more}")
        dialog.deleteLater()

    def copy(self, boxes: list[PlotBox] | None = None) -> None:
        """All plots, or these, as one picture on the clipboard."""
        from app.exchange.sheets.sheets import draw

        pictures = [draw(sheet, COPIED, self._context.look.theme) for sheet in self.sheets(boxes)]
        if not pictures:
            return
        whole = QImage(COPIED[0], COPIED[1] * len(pictures), QImage.Format.Format_RGB32)
        painter = QPainter(whole)
        for i, picture in enumerate(pictures):
            painter.drawImage(0, i * COPIED[1], picture)
        painter.end()
        QGuiApplication.clipboard().setImage(whole)
        self._context.tell("The plots are on the clipboard", 4)

    def sheets(
        self, boxes: list[PlotBox] | None = None, least: tuple[float, float] | None = None
    ) -> list[Sheet]:
        """What plots show, all or these; those over time at least this interval."""
        from app.exchange.sheets.sheets import sheet_of

        front = self._docks.covering("plots")
        self._docks.show("plots")
        self.panel.refresh(force=True)
        runs, current = self.panel.shown_runs(), self._session.current
        shown = [box for box in boxes or self.panel.boxes if box.channels]
        found = [sheet_of(box, runs, current, least) for box in shown]
        if front:  # a film is asked for while something else is read
            self._docks.show(front)
        return found
