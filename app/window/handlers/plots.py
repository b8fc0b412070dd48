"""Plots and measures."""

from typing import Any

from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QDialog

from app.document.element_words import reason
from app.edits import add, free_name
from app.window.parts import WindowParts
from engine.elements.measures.expression import ExpressionMeasure
from engine.errors import SceneError

COPIED = (1600, 900)  # px of a plot on the clipboard


class PlotActions(WindowParts):
    """Actions of the Plots menu."""

    def add_plot(self) -> None:
        self._show_dock("plots")
        self.plots.add_plot()

    def add_channel(self) -> None:
        self._show_dock("plots")
        self.plots.add_channel()

    def add_measure(self) -> None:
        from app.dialogs.channels.measure import MeasureDialog

        run = self.session.current
        if run is None:
            return
        dialog = MeasureDialog(self, run)
        taken = dialog.exec() == QDialog.DialogCode.Accepted
        text, unit = dialog.expression, dialog.unit
        dialog.deleteLater()
        if not taken or not text:
            return
        scene = self.session.document.scene
        name = free_name(scene, "measures", "measure")
        try:
            measure = ExpressionMeasure(name=name, expression=text, unit=unit)
            self.session.document.apply(add(scene, measure))
        except SceneError as error:
            self._complain("The measure cannot be added", reason(error))
            return
        self._show_dock("plots")
        self.plots.add_plot([f"measure.{name}"], title=text)

    def add_phase_plot(self) -> None:
        self._show_dock("plots")
        self.plots.add_phase()

    def add_spectrum(self) -> None:
        self._show_dock("plots")
        self.plots.add_spectrum()

    def save_plots(self, boxes: list[Any] | None = None) -> None:
        """All plots, or these, as files."""
        from app.dialogs.exporting.plots import PlotExportDialog

        sheets = self._sheets(boxes)
        if not sheets:
            return
        dialog = PlotExportDialog(self, sheets, self.look.theme, self.files_folder())
        if dialog.exec() == QDialog.DialogCode.Accepted and dialog.saved:
            more = f" and {len(dialog.files) - 1} more" if len(dialog.files) > 1 else ""
            self.statusBar().showMessage(f"Saved {dialog.files[0]}{more}", 5000)
        dialog.deleteLater()

    def copy_plots(self, boxes: list[Any] | None = None) -> None:
        """All plots, or these, as one picture on the clipboard."""
        from app.exchange.sheets.sheets import draw

        pictures = [draw(sheet, COPIED, self.look.theme) for sheet in self._sheets(boxes)]
        if not pictures:
            return
        whole = QImage(COPIED[0], COPIED[1] * len(pictures), QImage.Format.Format_RGB32)
        painter = QPainter(whole)
        for i, picture in enumerate(pictures):
            painter.drawImage(0, i * COPIED[1], picture)
        painter.end()
        QGuiApplication.clipboard().setImage(whole)
        self.statusBar().showMessage("The plots are on the clipboard", 4000)

    def toggle_range(self) -> None:
        self.plots.toggle_range()

    def toggle_whole(self) -> None:
        self.plots.toggle_whole()
