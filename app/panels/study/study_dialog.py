"""A study by hand: what varies and how, what is asked of each run, and which values come together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import structs
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.platform.appearance import Look, button_box, label
from app.platform.units import UnitError, Units
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.model.value_at import number_at, unit_at
from engine.spelling import did_you_mean
from engine.studies.designs import DESIGNS
from engine.studies.designs.list_ import ListOfRuns
from engine.studies.objectives import AT, REDUCTIONS, Objective
from engine.studies.study import Study
from engine.studies.variables.base import Value, Variable
from engine.studies.variables.choices import Choices

COUNTED = ("random", "latin_hypercube", "sobol")
LIST = "list"  # the design whose rows are the values of all variables, run by run
CHOICES = "choices"
KINDS = ("interval", "logarithmic", CHOICES, "tolerance")
MAX_SEED = 2**31 - 1  # of a spin box
HINTS = {
    "interval": "low, high, how many: 2, 6, 5",
    "logarithmic": "low, high, how many: 1e-4, 1e-2, 5",
    "choices": "values: 2, 3, 5 or rk4, dopri5",
    "tolerance": "tolerance, uniform or normal: 0.1, normal",
}
SHARES = {  # of the present value, in an example
    "interval": (0.5, 1.5),
    "logarithmic": (0.1, 10.0),
    "choices": (0.5, 1.0, 2.0),
    "tolerance": (0.01,),
}
ROWS = 5  # of each table
FIELD = "name a field by its path, such as bodies.crank.mass"


class StudyDialog(QDialog):
    """`study` is what was accepted; what is wrong with it is said before the dialog closes."""

    def __init__(self, parent: QWidget, look: Look, study: Study, channels: tuple[str, ...]) -> None:
        super().__init__(parent)
        self.setObjectName("study_dialog")
        self.setWindowTitle("Study")
        self.resize(760, 560)
        self.study = study
        self._units = look.units
        self._given: dict[tuple[str, str, str], Variable] = {}  # path, kind, line → as it was given
        self._listed: dict[tuple[str, str], Sequence[Value]] = {}  # path, line → values of a list of runs
        self.title = QLineEdit(study.title)
        self.title.setObjectName("study_dialog.title")
        self.variables = _table("study_dialog.variables", ("Value of the scene", "Kind", "Values"))
        self.objectives = _table(
            "study_dialog.objectives", ("Name", "Expression of channels", "Reduced by", "At")
        )
        self.objectives.horizontalHeader().setSectionResizeMode(3, QHeaderView.ResizeMode.ResizeToContents)
        self.design = QComboBox()
        self.design.setObjectName("study_dialog.design")
        for kind in DESIGNS:
            self.design.addItem(f"{kind.name.replace('_', ' ')}: {kind.summary}", kind.name)
        self.count = QSpinBox()
        self.count.setObjectName("study_dialog.count")
        self.count.setRange(1, 1_000_000)
        self.count.setValue(int(getattr(study.design, "count", 64)))
        self.seed = QSpinBox()
        self.seed.setObjectName("study_dialog.seed")
        self.seed.setRange(0, MAX_SEED)
        self.seed.setToolTip("The same seed gives the same runs")
        self.seed.setValue(min(int(getattr(study.design, "seed", 0)), MAX_SEED))
        self.reason = label("", "wrong", "study_dialog.reason")
        self.reason.setWordWrap(True)
        self.reason.hide()
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Ok | standard.Cancel, "study_dialog")
        self._lay_out()
        self._fill(study, channels)
        self.design.currentIndexChanged.connect(self._design_chosen)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._design_chosen()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.addWidget(label("Title"), 0, 0)
        grid.addWidget(self.title, 0, 1)
        design = QHBoxLayout()
        design.addWidget(self.design, 1)
        design.addWidget(label("runs", "muted"))
        design.addWidget(self.count)
        design.addWidget(label("seed", "muted"))
        design.addWidget(self.seed)
        grid.addWidget(label("Design"), 1, 0)
        grid.addLayout(design, 1, 1)
        column = QVBoxLayout(self)
        column.addLayout(grid)
        for title, table in (("What varies", self.variables), ("What is asked of each run", self.objectives)):
            row = QHBoxLayout()
            row.addWidget(label(title, "section"), 1)
            more = QPushButton("Add a row")
            more.setObjectName(f"{table.objectName()}.add")
            more.clicked.connect(lambda _=False, table=table: self._add_row(table))
            row.addWidget(more)
            column.addLayout(row)
            column.addWidget(table, 1)
        column.addWidget(self.reason)
        column.addWidget(self.buttons)

    # rows

    def _fill(self, study: Study, channels: tuple[str, ...]) -> None:
        self._paths, self._channels = paths_of(study.scene), channels
        rows = study.design.rows if isinstance(study.design, ListOfRuns) else None
        for i, variable in enumerate(study.vary):
            kind, unit = str(variable.__struct_config__.tag), unit_at(study.scene, variable.path)
            text = values_text(variable, self._units, unit)
            if rows is not None:
                column = [row[i] for row in rows]
                kind, text = CHOICES, _joined(column, self._units, unit)
                self._listed[variable.path, text] = column
            self._given[variable.path, kind, text] = variable
            self._add_variable(variable.path, kind, text)
        for objective in study.objectives:
            self._add_objective(objective)
        for table in (self.variables, self.objectives):
            self._add_row(table)
        kind = str(study.design.__struct_config__.tag)
        self.design.setCurrentIndex(max(0, self.design.findData(kind)))

    def _add_row(self, table: QTableWidget) -> None:
        if table is self.variables:
            self._add_variable("", KINDS[0], "")
            self._design_chosen()
        else:
            self._add_objective(None)

    def _add_variable(self, path: str, kind: str, values: str) -> None:
        table, row = self.variables, self.variables.rowCount()
        table.insertRow(row)
        table.setCellWidget(row, 0, _editable(self._paths, path, "a parameter or any field"))
        kinds = QComboBox()
        kinds.addItems(KINDS)
        kinds.setCurrentText(kind)
        table.setCellWidget(row, 1, kinds)
        line, paths = QLineEdit(values), table.cellWidget(row, 0)
        assert isinstance(paths, QComboBox)

        def tell(*_: object) -> None:
            kind = kinds.currentText()
            example, now = self._example(paths.currentText().strip(), kind)
            line.setPlaceholderText(example)
            line.setToolTip(f"{HINTS[kind]}{now}")

        tell()
        kinds.currentTextChanged.connect(tell)
        paths.currentTextChanged.connect(tell)
        table.setCellWidget(row, 2, line)

    def _example(self, path: str, kind: str) -> tuple[str, str]:
        """What could be written for a value, in its unit; and what is there now."""
        path = self._whole_path(path)
        try:
            value = number_at(self.study.scene, path) if path else 0.0
        except SceneError:
            return HINTS[kind], ""
        if not path:
            return HINTS[kind], ""
        unit = unit_at(self.study.scene, path)
        about = value or self._units.factor(unit)
        numbers = ", ".join(self._units.full_text(share * about, unit, 3) for share in SHARES[kind])
        more = {"tolerance": ", normal", "choices": ""}.get(kind, ", 5")
        return f"{numbers}{more}", f"; now {self._units.full_text(value, unit, 5)}"

    def _whole_path(self, text: str) -> str:
        """A parameter is known by its name alone."""
        return f"parameters.{text}" if text in self._parameters else text

    @property
    def _parameters(self) -> list[str]:
        return [parameter.name for parameter in self.study.scene.parameters]

    def _add_objective(self, objective: Objective | None) -> None:
        table, row = self.objectives, self.objectives.rowCount()
        table.insertRow(row)
        table.setItem(row, 0, QTableWidgetItem(objective.name if objective is not None else ""))
        text = objective.expression if objective is not None else ""
        table.setCellWidget(row, 1, _editable(self._channels, text, "such as body.slider.pos.x"))
        reductions = QComboBox()
        for kind in REDUCTIONS:
            reductions.addItem(f"{kind.name}: {kind.summary}", kind.name)
        reductions.setCurrentIndex(reductions.findData(objective.reduce if objective is not None else "max"))
        table.setCellWidget(row, 2, reductions)
        timed = objective is not None and objective.reduce == AT
        instant = QLineEdit(self._units.full_text(objective.at, "s") if objective and timed else "")
        instant.setToolTip("The instant that is asked about")
        table.setCellWidget(row, 3, instant)

        def tell(*_: object) -> None:
            asked = reductions.currentData() == AT
            instant.setEnabled(asked)
            instant.setPlaceholderText("0.5 s" if asked else "")

        tell()
        reductions.currentIndexChanged.connect(tell)

    def _design_chosen(self, *_: object) -> None:
        listed = self.design.currentData() == LIST
        for box in (self.count, self.seed):
            box.setEnabled(self.design.currentData() in COUNTED)
        for row in range(self.variables.rowCount()):
            kinds = self.variables.cellWidget(row, 1)
            assert isinstance(kinds, QComboBox)
            kinds.setEnabled(not listed)
            if listed:
                kinds.setCurrentText(CHOICES)

    # taking it

    def accept(self) -> None:
        try:
            study = self.made().refuse_problems()
        except SceneError as error:
            self._complain("\n".join(_told(problem, self.made()) for problem in error.problems[:4]))
            return
        except ValueError as error:
            self._complain(str(error))
            return
        self.study = study
        super().accept()

    def made(self) -> Study:
        """The study as it stands there; raises SceneError, ValueError."""
        study = structs.replace(self.study, title=self.title.text().strip(), vary=(), objectives=())
        for row in range(self.variables.rowCount()):
            path, kind, values = (_text(self.variables, row, column) for column in range(3))
            path = self._whole_path(path)
            if path and "." not in path:
                hint = did_you_mean(path, self._parameters)
                raise ValueError(f"there is no parameter {path!r}{hint}; choose one in the list, or {FIELD}")
            if (path, kind, values) in self._given:  # as it was, to the last digit
                study = structs.replace(study, vary=(*study.vary, self._given[path, kind, values]))
            elif path:
                fields = read_values(kind, values, path, self._units, unit_at(study.scene, path))
                study = study.with_variable(kind, path, **fields)
        for row in range(self.objectives.rowCount()):
            name, expression, reduce, instant = (_text(self.objectives, row, i) for i in range(4))
            if expression:
                at = _instant(instant, name or expression, self._units) if reduce == AT else 0.0
                study = study.with_objective(name or expression, expression, reduce, at=at)
        kind = str(self.design.currentData())
        if kind == LIST:
            return study.with_design(kind, rows=self._rows(study))
        drawn = {"count": self.count.value(), "seed": self.seed.value()}
        return study.with_design(kind, **(drawn if kind in COUNTED else {}))

    def _rows(self, study: Study) -> list[tuple[Value, ...]]:
        """One row for each run: the first values of all variables together, then the second ones …"""
        lines = {self._whole_path(_text(self.variables, i, 0)): i for i in range(self.variables.rowCount())}
        columns: list[Sequence[Value]] = []
        for variable in study.vary:
            text = _text(self.variables, lines[variable.path], 2)
            values = variable.values if isinstance(variable, Choices) else ()
            columns.append(self._listed.get((variable.path, text), values))
        if len({len(column) for column in columns}) > 1:
            told = ", ".join(f"{v.path}: {len(c)}" for v, c in zip(study.vary, columns, strict=True))
            raise ValueError(f"the first values of all make the first run, so give as many for each ({told})")
        return list(zip(*columns, strict=True))

    def _complain(self, reason: str) -> None:
        self.reason.setText(reason)
        self.reason.show()


def paths_of(scene: Scene) -> tuple[str, ...]:
    """What is often varied: parameters, masses, stiffnesses, the step and the method."""
    found = [f"parameters.{parameter.name}" for parameter in scene.parameters]
    found += [f"bodies.{body.name}.mass" for body in scene.bodies if not body.fixed]
    for force in scene.forces:
        fields = [name for name in ("stiffness", "damping", "free_length") if hasattr(force, name)]
        found += [f"forces.{force.name}.{name}" for name in fields]
    return (*found, "simulation.dt", "simulation.method", "simulation.duration")


def _told(problem: Problem, study: Study) -> str:
    """A fault of a study in the words of the dialog: by what varies, or by the name of what is asked."""
    place = re.match(r"(vary|objectives)\[(\d+)\]\.(\w+)", problem.path)
    about = ""
    if place is not None and (place[1], place[3]) != ("vary", "path"):  # that one names the value itself
        line = getattr(study, place[1])[int(place[2])]
        about = f"{line.path if place[1] == 'vary' else line.name}: "
    return f"{about}{problem.message}; {problem.remedy}"


def read_values(kind: str, text: str, path: str, units: Units, si: str) -> dict[str, Any]:
    """Fields of a variable from its line, in display units unless it says others; raises ValueError."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    wrong = ValueError(f"{path}: write {HINTS[kind]}")
    if not parts:
        raise wrong
    try:
        if kind in ("interval", "logarithmic"):
            low, high = (_number(part, units, si) for part in parts[:2])
            return {"low": low, "high": high, **({"count": int(parts[2])} if len(parts) > 2 else {})}
        if kind == "tolerance":
            shape = {"shape": parts[1]} if len(parts) > 1 else {}
            return {"tolerance": _number(parts[0], units, si), **shape}
    except UnitError as error:
        raise ValueError(f"{path}: {error}") from None
    except ValueError:
        raise wrong from None
    return {"values": [_choice(part, units, si) for part in parts]}


def values_text(variable: Variable, units: Units, si: str) -> str:
    """The line of a variable, in display units."""
    given: Any = variable

    def text(value: object) -> str:
        return units.full_text(value, si) if isinstance(value, float) else str(value)

    match str(variable.__struct_config__.tag):
        case "interval" | "logarithmic":
            return f"{text(given.low)}, {text(given.high)}, {given.count}"
        case "tolerance":
            return f"{text(given.tolerance)}, {given.shape}"
        case _:
            return _joined(given.values, units, si)


def _joined(values: Sequence[Value], units: Units, si: str) -> str:
    return ", ".join(units.full_text(v, si) if isinstance(v, float) else str(v) for v in values)


def _instant(text: str, name: str, units: Units) -> float:
    if not text:
        raise ValueError(f"{name}: write the instant that is asked about, such as 0.5 s, in the column At")
    try:
        return _number(text, units, "s")
    except UnitError as error:
        raise ValueError(f"{name}: {error}") from None


def _number(text: str, units: Units, si: str) -> float:
    found = units.parse(text, si)
    if isinstance(found, str):
        raise UnitError(f"{text!r} is no number")
    return found


def _choice(text: str, units: Units, si: str) -> float | str:
    """A number, or a word such as the name of a method."""
    try:
        return _number(text, units, si)
    except UnitError:
        if text[:1].isdigit():
            raise ValueError(f"{text!r} is no number that fits here") from None
        return text


def _text(table: QTableWidget, row: int, column: int) -> str:
    widget = table.cellWidget(row, column)
    if isinstance(widget, QComboBox):
        data = widget.currentData()
        return str(data) if data is not None and not widget.isEditable() else widget.currentText().strip()
    if isinstance(widget, QLineEdit):
        return widget.text().strip()
    item = table.item(row, column)
    return item.text().strip() if item is not None else ""


def _editable(offered: tuple[str, ...], text: str, hint: str) -> QComboBox:
    box = QComboBox()
    box.setEditable(True)
    box.addItems(offered)
    box.setCurrentText(text)
    line = box.lineEdit()
    if line is not None:
        line.setPlaceholderText(hint)
    return box


def _table(name: str, titles: tuple[str, ...]) -> QTableWidget:
    made = QTableWidget(0, len(titles))
    made.setObjectName(name)
    made.setHorizontalHeaderLabels(titles)
    made.verticalHeader().hide()
    header = made.horizontalHeader()
    for column in range(len(titles)):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
    return made
