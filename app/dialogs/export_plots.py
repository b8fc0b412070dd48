"""Save plots: which ones, format, size, colours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.export.sheets import Sheet, save_sheets
from app.panels.look import button_box, label, restyle
from app.theme import Theme

FORMATS = (
    ("Picture (.png)", ".png"),
    ("Drawing (.svg)", ".svg"),
    ("Page (.pdf)", ".pdf"),
    ("Numbers that are shown (.csv)", ".csv"),
)
LARGEST = 16_000  # px


class PlotExportDialog(QDialog):
    """`saved` are the files that were written."""

    def __init__(self, parent: QWidget | None, sheets: Sequence[Sheet], theme: Theme, folder: Path) -> None:
        super().__init__(parent)
        self.setObjectName("export_plots")
        self.setWindowTitle("Save plots")
        self._sheets, self._theme, self._folder = list(sheets), theme, folder
        self.saved: list[Path] = []
        self.format = QComboBox()
        self.format.setObjectName("export_plots.format")
        for text, ending in FORMATS:
            self.format.addItem(text, ending)
        self.width_box, self.height_box = (
            _pixels("export_plots.width", 1600),
            _pixels("export_plots.height", 1000),
        )
        self.paper = QCheckBox("Black on white, for print")
        self.paper.setObjectName("export_plots.paper")
        self.paper.setChecked(True)
        self.boxes = []
        form = QFormLayout()
        form.addRow(label("Format", "", "export_plots.format.label"), self.format)
        row = QHBoxLayout()
        row.addWidget(self.width_box, 1)
        row.addWidget(label("×", "", "export_plots.times"))
        row.addWidget(self.height_box, 1)
        form.addRow(label("Size", "", "export_plots.size.label"), row)
        form.addRow(label("Colours", "", "export_plots.colours.label"), self.paper)
        column = QVBoxLayout(self)
        column.addLayout(form)
        for i, sheet in enumerate(self._sheets):
            box = QCheckBox(sheet.title or f"Plot {i + 1}")
            box.setObjectName(f"export_plots.plot{i + 1}")
            box.setChecked(True)
            self.boxes.append(box)
            column.addWidget(box)
        self.told = label("", "wrong", "export_plots.told")
        self.told.setWordWrap(True)
        column.addWidget(self.told)
        standard = QDialogButtonBox.StandardButton
        buttons = button_box(standard.Save | standard.Cancel, "export_plots")
        column.addWidget(buttons)
        buttons.accepted.connect(self.ask)
        buttons.rejected.connect(self.reject)
        self.format.currentIndexChanged.connect(lambda index: self._show_size())

    def _show_size(self) -> None:
        numbers = self.format.currentData() == ".csv"
        for widget in (self.width_box, self.height_box, self.paper):
            widget.setEnabled(not numbers)

    def chosen(self) -> list[Sheet]:
        return [sheet for sheet, box in zip(self._sheets, self.boxes, strict=True) if box.isChecked()]

    def ask(self) -> None:
        """Ask for the file, then write it; several plots get numbers and titles behind its name."""
        ending = self.format.currentData()
        chosen = self.chosen()
        if not chosen:
            self._tell("Check at least one plot")
            return
        start = self._folder / f"{chosen[0].name if len(chosen) == 1 else 'plots'}{ending}"
        name, _ = QFileDialog.getSaveFileName(self, "Save plots", str(start), f"*{ending}")
        if name:
            path = Path(name)
            self.write(path if path.suffix.lower() == ending else path.with_name(path.name + ending))

    def write(self, path: Path) -> None:
        size = (self.width_box.value(), self.height_box.value())
        try:
            self.saved = save_sheets(
                self.chosen(), path, size=size, theme=self._theme, paper=self.paper.isChecked()
            )
        except OSError as error:
            self._tell(f"{error.strerror or error}\n{error.filename or path}")
            return
        self.accept()

    def _tell(self, text: str) -> None:
        self.told.setText(text)
        restyle(self.told)


def _pixels(name: str, value: int) -> QSpinBox:
    made = QSpinBox()
    made.setObjectName(name)
    made.setRange(100, LARGEST)
    made.setSuffix(" px")
    made.setValue(value)
    return made
