"""Import a measured series: columns, units, what it becomes, with a preview of the curve and the samples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.exporting.base import check_box, choice_box, whole_box
from app.dialogs.importing.base import ReadingDialog
from app.document.document import Edit
from app.exchange.imports.series import TARGETS, SeriesPlan, guessed_unit, import_series, thinning
from app.platform.appearance import Look, label
from app.widgets.editors.parts.small_curve import table_curve
from app.widgets.plots.axes.axis import plain_axes
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.errors import SceneError
from engine.maths.units import UNITS
from engine.maths.written_units import size_of
from engine.model.files.text_table import TextTable, read_table
from engine.model.names import clean_name
from engine.model.scene import Scene
from engine.results.files.formats.base import Curves

DRAWN = 1500  # points of the curve
REFERENCE = "reference"
DELIMITERS = (
    ("any delimiter", ""),
    ("comma", ","),
    ("semicolon", ";"),
    ("tab", "\t"),
    ("blanks", " "),
)
DECIMALS = (("any decimals", ""), ("point", "."), ("comma", ","))
BETWEEN = (("Spline", "cubic"), ("Straight lines", "linear"))
OUTSIDE = (("Hold the ends", "hold"), ("Repeat", "periodic"), ("Stop the run", "error"))


class SeriesDialog(ReadingDialog):
    """After it was accepted there is an `edit` of the scene, or `curves` to compare with."""

    def __init__(
        self,
        parent: QWidget | None,
        scene: Scene,
        look: Look,
        path: Path,
        *,
        channels: tuple[str, ...] = (),
        now: Any = None,  # channel → its value at the start of the run
    ) -> None:
        super().__init__(parent, "import_series", path)
        self.resize(860, 560)
        self.edit: Edit | None = None
        self.curves: Curves | None = None
        self.table: TextTable | None = None
        self._scene, self._look, self._now = scene, look, now or (lambda name: None)
        name = "import_series"
        self.delimiter = choice_box(f"{name}.delimiter", DELIMITERS)
        self.decimal = choice_box(f"{name}.decimal", DECIMALS)
        self.time = choice_box(f"{name}.time", ())
        self.value = choice_box(f"{name}.value", ())
        self.time_unit = choice_box(f"{name}.time_unit", [(unit, unit) for unit in UNITS["s"]], "s")
        self.value_unit = QComboBox()
        self.value_unit.setObjectName(f"{name}.value_unit")
        kinds = [(target.title, target.name) for target in TARGETS.values() if target.owners(scene)]
        self.target = choice_box(f"{name}.target", [*kinds, ("Reference curve", REFERENCE)])
        self.owner = choice_box(f"{name}.owner", ())
        self.coordinate = choice_box(f"{name}.coordinate", ())
        self.level = choice_box(f"{name}.level", ())
        self.channel = choice_box(f"{name}.channel", [(word, word) for word in channels])
        self.channel.setEditable(True)
        self.every = whole_box(f"{name}.every", 1, 1_000_000, "")
        self.between = choice_box(f"{name}.between", BETWEEN)
        self.outside = choice_box(f"{name}.outside", OUTSIDE)
        self.from_zero = check_box(f"{name}.from_zero", "Let time begin at 0", on=False)
        self.from_now = check_box(f"{name}.from_now", "Shift values to begin where the joint is", on=False)
        self.name = QLineEdit()
        self.name.setObjectName(f"{name}.name")
        self.plot = _plot(look, f"{name}.plot")
        self._lay_out()
        for box in (self.delimiter, self.decimal):
            box.currentIndexChanged.connect(lambda index: self.read())
        self.target.currentIndexChanged.connect(lambda index: self._show_target())
        self.owner.currentIndexChanged.connect(lambda index: self._show_coordinates())
        for box in (self.coordinate, self.level):
            box.currentIndexChanged.connect(lambda index: self._show_units())
        self.value.currentIndexChanged.connect(lambda index: self._show_units())
        self.time.currentIndexChanged.connect(lambda index: self._show_time_unit())
        for box in (self.time_unit, self.value_unit, self.between, self.outside):
            box.currentIndexChanged.connect(lambda index: self.draw())
        self.every.valueChanged.connect(lambda value: self.draw())
        for check in (self.from_zero, self.from_now):
            check.toggled.connect(lambda on: self.draw())
        self._show_target()
        self.read()

    def _lay_out(self) -> None:
        form = QFormLayout()

        def row(text: str, *widgets: QWidget) -> None:
            line = QHBoxLayout()
            for widget in widgets:
                line.addWidget(widget, 1)
            word = text.lower().replace(" ", "_")
            form.addRow(label(text, "", f"import_series.{word}.label"), line)

        row("Format", self.delimiter, self.decimal)
        row("Time", self.time, self.time_unit)
        row("Values", self.value, self.value_unit)
        row("Use as", self.target)
        row("Of", self.owner, self.channel)
        row("Coordinate", self.coordinate, self.level)
        row("Name", self.name)
        row("Every n-th row", self.every)
        row("Between", self.between)
        row("Outside", self.outside)
        form.addRow(self.from_zero)
        form.addRow(self.from_now)
        left = QWidget()
        left.setObjectName("import_series.choices")
        left.setLayout(form)
        left.setFixedWidth(370)
        form.setContentsMargins(0, 0, 0, 0)
        across = QHBoxLayout()
        across.addWidget(left)
        across.addWidget(self.plot, 1)
        column = QVBoxLayout(self)
        column.addLayout(across, 1)
        column.addWidget(self.told)
        column.addWidget(self.buttons)

    def read(self) -> None:
        """Read the file with the delimiter and decimal sign that are chosen."""
        self.table = None
        path, delimiter, decimal = self.path, self.delimiter.currentData(), self.decimal.currentData()
        self.read_by(lambda: read_table(path, delimiter=delimiter or None, decimal=decimal or None))

    def failed(self, reason: str) -> None:
        super().failed(reason)
        self._draw_nothing()

    def show_content(self, content: TextTable) -> None:
        table = content
        self.table = table
        for box, chosen in ((self.time, 0), (self.value, 1)):
            box.blockSignals(True)
            box.clear()
            for heading, unit in zip(table.headings, table.units, strict=True):
                box.addItem(f"{heading} [{unit}]" if unit else heading, heading)
            box.setCurrentIndex(min(chosen, box.count() - 1))
            box.blockSignals(False)
        self.every.setValue(thinning(len(table.values)))
        self._show_time_unit()
        self._show_units()

    # what fits together

    def _show_target(self) -> None:
        target = TARGETS.get(self.target.currentData())
        reference = target is None
        for widget in (self.owner, self.coordinate, self.name, self.every, self.between, self.outside):
            widget.setEnabled(not reference)
        self.owner.setVisible(not reference)
        self.channel.setVisible(reference)
        self.level.setVisible(target is not None and bool(target.levels))
        self.from_now.setEnabled(self.target.currentData() == "joint_motion")
        _fill(self.owner, target.owners(self._scene) if target else [])
        _fill(self.level, target.levels if target else ())
        self._show_coordinates()

    def _show_coordinates(self) -> None:
        target, owner = TARGETS.get(self.target.currentData()), self.owner.currentData()
        _fill(self.coordinate, target.coordinates(self._scene, owner) if target and owner else [])
        self._show_units()

    def _si(self) -> str:
        target = TARGETS.get(self.target.currentData())
        if target is None or not self.coordinate.currentData():
            return ""
        return target.unit(self.coordinate.currentData(), self.level.currentData() or "")

    def _written(self, box: QComboBox) -> str:
        return "" if self.table is None or box.currentIndex() < 0 else self.table.units[box.currentIndex()]

    def _show_units(self) -> None:
        """The units that fit, with the one in the heading chosen."""
        si, written = self._si(), self._written(self.value)
        known = list(UNITS.get(si, {si: 1.0})) if si else [written]
        wanted = guessed_unit(written, si, self._look.units.shown(si)) if si else written
        near = next((unit for unit in known if si and size_of(unit, si) == size_of(wanted, si)), wanted)
        _fill(self.value_unit, known, near)
        owner, heading = self.owner.currentData(), self.value.currentData()
        if owner and heading:
            self.name.setText(clean_name(f"{heading} of {owner}"))
        if self.target.currentData() == REFERENCE and heading and self.channel.findText(heading) >= 0:
            self.channel.setCurrentText(heading)
        elif heading and not self.channel.currentText():
            self.channel.setEditText(heading)
        self.draw()

    def _show_time_unit(self) -> None:
        unit = guessed_unit(self._written(self.time), "s", "s")
        near = next(word for word in UNITS["s"] if size_of(word, "s") == size_of(unit, "s"))
        self.time_unit.setCurrentIndex(self.time_unit.findData(near))
        self.draw()

    # the result

    def plan(self) -> SeriesPlan:
        assert self.table is not None
        made = SeriesPlan(
            self.table,
            self.time.currentData(),
            self.value.currentData(),
            self.time_unit.currentData(),
            self.value_unit.currentData() if self._si() else "",
            self.every.value() if self._si() else 1,
            self.from_zero.isChecked(),
            0.0,
            self.between.currentData(),
            self.outside.currentData(),
        )
        if not (self.from_now.isChecked() and self.from_now.isEnabled()):
            return made
        present = self._now(f"joint.{self.owner.currentData()}.{self.coordinate.currentData()}")
        if present is None:
            raise ValueError("where the joint is is not known yet: let the scene be assembled first")
        return replace(made, shift=float(present) - float(made.numbers(self._si())[1][0]))

    def draw(self) -> None:
        """The samples as dots, and the curve that the engine will follow."""
        if self.table is None or self.time.currentIndex() < 0:
            return
        si = self._si()
        try:
            plan = self.plan()
            t, y = plan.numbers(si)
            line = (
                table_curve(plan.function(si), {}, ("t",), DRAWN)[0] if si else list(zip(t, y, strict=True))
            )
        except ValueError as error:  # FunctionError too
            self.tell(str(error), wrong=True)
            self._draw_nothing()
            return
        unit = self._look.units.shown(si) if si else self._written(self.value)
        scale = 1.0 / self._look.units.factor(si) if si else 1.0
        at, height = np.array(line, dtype=float).T
        self.plot.curve.setData(at, height * scale)
        self.plot.dots.setData(t, y * scale)
        self.plot.setLabel("bottom", "time [s]")
        self.plot.setLabel(
            "left", f"{self.value.currentData()} [{unit}]" if unit else self.value.currentData()
        )
        rows = len(self.table.values)
        style = {",": "comma", ";": "semicolon", "\t": "tab", " ": "blanks"}[self.table.delimiter]
        text = f"{rows} rows, delimiter {style}, decimal {'comma' if self.table.decimal == ',' else 'point'}"
        if len(t) < rows:
            text += f"; {len(t)} points are taken"
        self.tell(text)
        self.ok().setEnabled(True)

    def _draw_nothing(self) -> None:
        self.plot.curve.setData([], [])
        self.plot.dots.setData([], [])
        self.ok().setEnabled(False)

    def take(self) -> None:
        """Make the element or the reference; what does not fit is told."""
        if self.table is None:
            return
        try:
            if self.target.currentData() == REFERENCE:
                t, y = self.plan().numbers("")
                channel = self.channel.currentText().strip() or self.value.currentData()
                unit = self._written(self.value)
                self.curves = Curves(t, {channel: y}, {channel: unit}, self.path.stem)
            else:
                self.edit = import_series(
                    self._scene,
                    self.plan(),
                    self.target.currentData(),
                    self.owner.currentData(),
                    self.coordinate.currentData(),
                    self.level.currentData() or "",
                    self.name.text().strip(),
                )
        except (ValueError, SceneError) as error:
            self.tell(str(error), wrong=True)
            return
        self.accept()


def _fill(box: QComboBox, entries: Any, chosen: str = "") -> None:
    """Other entries; the present one stays where it is among them."""
    present = chosen or box.currentData()
    box.blockSignals(True)
    box.clear()
    for entry in entries:
        box.addItem(entry, entry)
    box.setCurrentIndex(max(0, box.findData(present)) if box.count() else -1)
    box.blockSignals(False)


def _plot(look: Look, name: str) -> Any:
    plot = pg.PlotWidget(background=look.theme["base"], axisItems=plain_axes())
    bind_menus(plot)
    plot.setObjectName(name)
    plot.showGrid(x=True, y=True, alpha=0.25)
    plot.hideButtons()
    plot.setMenuEnabled(False)
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(look.theme["grid"]))
        axis.setTextPen(pg.mkPen(look.theme["text"]))
    plot.getAxis("left").setWidth(66)  # the label must not wait for the next layout
    plot.getAxis("bottom").setHeight(42)
    plot.curve = plot.plot([], [], pen=pg.mkPen(look.theme.plot_color(0), width=1.6))
    plot.dots = plot.plot(
        [], [], pen=None, symbol="o", symbolSize=5, symbolPen=None, symbolBrush=look.theme.plot_color(1)
    )
    return plot
