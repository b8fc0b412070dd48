"""Save plots: which ones, format, size, colours; another process draws them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.dialogs.exporting.base import SavingDialog, check_box, choice_box, whole_box
from app.exchange.jobs.export_job import ExportJob
from app.exchange.sheets.sheet_process import FindTrust, SheetJob
from app.exchange.sheets.sheets import Sheet
from app.platform.appearance import label
from app.platform.theme import Theme

FORMATS = (
    ("Picture (.png)", ".png"),
    ("Drawing (.svg)", ".svg"),
    ("Page (.pdf)", ".pdf"),
    ("Numbers that are shown (.csv)", ".csv"),
)
MIN_PIXELS, MAX_PIXELS = 100, 16_000  # px


class PlotExportDialog(SavingDialog):
    """`files` are those that were written; several plots get numbers and titles behind the name."""

    def __init__(
        self,
        parent: QWidget | None,
        sheets: Sequence[Sheet],
        theme: Theme,
        folder: Path,
        find_trust: FindTrust | None = None,
    ) -> None:
        super().__init__(parent, "export_plots", "Save plots", folder)
        self._sheets, self._theme, self._find_trust = list(sheets), theme, find_trust
        self.files: list[Path] = []
        self.format = choice_box("export_plots.format", FORMATS)
        self.width_box = whole_box("export_plots.width", 1600, MAX_PIXELS, " px", MIN_PIXELS)
        self.height_box = whole_box("export_plots.height", 1000, MAX_PIXELS, " px", MIN_PIXELS)
        self.paper = check_box("export_plots.paper", "Black on white, for print", on=True)
        self.trust = check_box("export_plots.trust", "Trust in the run, below", on=find_trust is not None)
        self.trust.setToolTip("How far to trust the run, and why; in a table of numbers the last column")
        self.trust.setVisible(find_trust is not None)
        self.boxes: list[QCheckBox] = []
        form = QFormLayout()
        form.addRow(label("Format", "", "export_plots.format.label"), self.format)
        row = QHBoxLayout()
        row.addWidget(self.width_box, 1)
        row.addWidget(label("×", "", "export_plots.times"))
        row.addWidget(self.height_box, 1)
        form.addRow(label("Size", "", "export_plots.size.label"), row)
        form.addRow(label("Colours", "", "export_plots.colours.label"), self.paper)
        form.addRow("", self.trust)
        column = QVBoxLayout(self)
        column.addLayout(form)
        for i, sheet in enumerate(self._sheets):
            box = check_box(f"export_plots.plot{i + 1}", sheet.title or f"Plot {i + 1}", on=True)
            self.boxes.append(box)
            column.addWidget(box)
        self.finish_layout(column)
        self.format.currentIndexChanged.connect(lambda index: self._show_size())

    def _show_size(self) -> None:
        numbers = self.format.currentData() == ".csv"
        for widget in (self.width_box, self.height_box, self.paper):
            widget.setEnabled(not numbers)

    def chosen(self) -> list[Sheet]:
        return [sheet for sheet, box in zip(self._sheets, self.boxes, strict=True) if box.isChecked()]

    def suggestion(self) -> tuple[str, str, str]:
        chosen, ending = self.chosen(), self.format.currentData()
        title = next(text for text, key in FORMATS if key == ending).partition(" (")[0]
        return chosen[0].name if len(chosen) == 1 else "plots", ending, title

    def inputs(self) -> Sequence[QWidget]:
        return (self.format, *self.boxes)

    def job(self, path: Path) -> ExportJob:
        chosen = self.chosen()
        if not chosen:
            raise ValueError("Check at least one plot")
        size = (self.width_box.value(), self.height_box.value())
        made = SheetJob(
            chosen,
            path,
            size=size,
            dark=self._theme.dark,
            paper=self.paper.isChecked(),
            find_trust=self._find_trust if self.trust.isChecked() else None,
        )
        self.files = made.files
        return made
