"""Parameters: a table of all of them, with limits, sliders that act at once, and who uses which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QPalette, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.removal import remove_asking
from app.document.document import Edit, Ref
from app.document.element_words import reason
from app.document.present_values import parameters_now
from app.edits import add, rename, set_field
from app.edits.elements.parameters import Users, all_users
from app.panels.base import PanelKind
from app.platform.appearance import Look, title_bar, tool_button
from app.platform.units import UnitError
from app.session.session import Session
from app.widgets.edit_in_place import edit_in_place
from app.widgets.editors.base import Context
from app.widgets.editors.parts.numbers import number_text
from app.widgets.note_line import NoteLine
from app.widgets.parameter_slider import ParameterSlider
from engine.errors import SceneError
from engine.maths.expressions import ExpressionError
from engine.model.scene import Parameter, Scene

COLUMNS = ("Name", "Value", "Unit", "Smallest", "Largest", "Vary", "Note", "Used by")
NAME, VALUE, UNIT, SMALLEST, LARGEST, VARY, NOTE, USERS = range(len(COLUMNS))
FIELD = {NAME: "name", VALUE: "value", UNIT: "unit", SMALLEST: "min", LARGEST: "max", NOTE: "note"}
NUMBERS = (VALUE, SMALLEST, LARGEST)
STRETCHED = (VARY, NOTE, USERS)
WIDEST = 560  # px, of a column: longer expressions are cut off, their tooltip is not
EMPTY = "No parameters yet: add one, and use its name in any number of the scene."


class ParametersPanel(QWidget):
    """Cells are edited in place, each edit one step; the slider moves the mechanism while it is dragged."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("parameters")
        self._session, self._look = session, look
        self._sliders: list[ParameterSlider] = []
        self._behind = False  # the scene has changed while nobody saw the panel
        self.table = QTableWidget(0, len(COLUMNS))
        self.table.setObjectName("parameters.table")
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().lineSpacing() + 8)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = self.table.horizontalHeader()
        header.setMaximumSectionSize(WIDEST)
        for section in STRETCHED:
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Stretch)
        self._fit_columns()
        self._add = tool_button(look, "parameters.add", "plus", "Add a parameter")
        self._rename = tool_button(
            look, "parameters.rename", "rename", "Rename the parameter, everywhere it is used"
        )
        self._delete = tool_button(
            look, "parameters.delete", "delete", "Remove the parameters; their value can take their place"
        )
        self._family = tool_button(
            look,
            "parameters.family",
            "traces",
            "Curve family: draw the traces for several values of the selected parameter, without a run",
        )
        self._family.setCheckable(True)
        self._note = NoteLine("", "parameters.note")
        self.bar = title_bar(self, "parameters.bar")
        bar = QHBoxLayout(self.bar)
        bar.setContentsMargins(4, 1, 4, 1)
        bar.setSpacing(2)
        for button in (self._add, self._rename, self._delete, self._family):
            bar.addWidget(button)
        bar.addSpacing(8)
        bar.addWidget(self._note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.addWidget(self.table, 1)
        self._add.clicked.connect(self.add)
        self._rename.clicked.connect(self.rename)
        self._delete.clicked.connect(self.delete)
        self._family.clicked.connect(self.show_family)
        self.table.itemChanged.connect(self._typed)
        self.table.itemSelectionChanged.connect(self._enable)
        session.document.changed.connect(self._follow)
        look.changed.connect(self._follow)
        self.refresh()

    # what is shown

    @property
    def _scene(self) -> Scene:
        scene: Scene = self._session.document.scene
        return scene

    def catch_up(self, *_: Any) -> None:
        """The panel may be seen now: show what has changed meanwhile."""
        if self._behind:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        self.catch_up()
        super().showEvent(event)

    def _follow(self, *_: Any) -> None:
        """Look at the scene again: at once, or when the panel is seen. Behind another tab it is not."""
        if self.isVisible() and not self.visibleRegion().isEmpty():
            self.refresh()
        else:
            self._behind = True

    def refresh(self, *_: Any) -> None:
        """Show the present values; sliders stay as long as the rows do, since one may be being dragged."""
        self._behind = False
        parameters = self._scene.parameters
        users = all_users(self._scene)
        names = [parameter.name for parameter in parameters]
        context = Context(self._look, parameters_now(self._scene))
        with QSignalBlocker(self.table):
            if names != [self._text(row, NAME) for row in range(self.table.rowCount())]:
                self._remake(len(parameters))
            for row, parameter in enumerate(parameters):
                self._fill(row, parameter, context, users.get(parameter.name, ()))
                self._sliders[row].follow(parameter)
        self._tell("" if parameters else EMPTY)
        self._enable()

    def _remake(self, count: int) -> None:
        self.table.clearContents()
        self.table.setRowCount(count)
        self._sliders = []
        for row in range(count):
            for column in range(len(COLUMNS)):
                item = QTableWidgetItem()
                if column not in FIELD:
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
                self.table.setItem(row, column, item)
            parameter = self._scene.parameters[row]
            name = f"parameters.{parameter.name}.slider"
            slider = ParameterSlider(self._session.document, name, parameter)
            slider.sliderPressed.connect(self._hold_columns)
            slider.sliderReleased.connect(self._fit_columns)
            self._sliders.append(slider)
            slider.setBackgroundRole(QPalette.ColorRole.Base)  # on a selected row its own colour is not seen
            slider.setAutoFillBackground(True)
            self.table.setCellWidget(row, VARY, slider)

    def _fit_columns(self) -> None:
        """As wide as what stands in them; notes and sliders share the rest."""
        self._resize_columns(QHeaderView.ResizeMode.ResizeToContents)

    def _hold_columns(self) -> None:
        """As wide as they are: a value that grows by a digit would move the slider under the pointer."""
        self._resize_columns(QHeaderView.ResizeMode.Fixed)

    def _resize_columns(self, mode: QHeaderView.ResizeMode) -> None:
        for section in set(range(len(COLUMNS))) - set(STRETCHED):
            self.table.horizontalHeader().setSectionResizeMode(section, mode)

    def _fill(self, row: int, parameter: Parameter, context: Context, users: Users) -> None:
        numbers = {
            column: number_text(getattr(parameter, FIELD[column]), parameter.unit, context)
            for column in NUMBERS
        }
        listed = ", ".join(dict.fromkeys(ref.name or ref.where for ref, _ in users))
        detailed = "\n".join(f"{ref}: {fields}" for ref, fields in users)
        texts = {
            NAME: (parameter.name, "Type another name: it is changed everywhere"),
            UNIT: (self._unit_text(parameter), parameter.unit),
            NOTE: (parameter.note, parameter.note),
            USERS: (listed or "nothing", detailed or "No number of the scene uses it"),
            **numbers,
        }
        for column, (text, tip) in texts.items():
            item = self.table.item(row, column)
            assert item is not None
            item.setText(text)
            item.setToolTip(tip)
            muted = column == USERS
            item.setForeground(self._look.theme.color("muted" if muted else "text"))

    def _unit_text(self, parameter: Parameter) -> str:
        """The unit in which bare numbers of the value count: those of formulas count in SI."""
        return parameter.unit if isinstance(parameter.value, str) else self._look.units.shown(parameter.unit)

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item is not None else ""

    def _tell(self, text: str, role: str = "muted") -> None:
        self._note.setText(text or "Numbers take units and other parameters; drag a slider to vary one")
        self._note.setProperty("role", role)
        self._note.style().unpolish(self._note)
        self._note.style().polish(self._note)

    def _enable(self) -> None:
        rows = self.selected()
        self._rename.setEnabled(len(rows) == 1)
        self._delete.setEnabled(bool(rows))
        family = self._session.whole_motion.family
        self._family.setEnabled(len(rows) == 1 or bool(family))
        self._family.setChecked(bool(family))

    def selected(self) -> list[str]:
        """Names of the chosen parameters."""
        rows = sorted({index.row() for index in self.table.selectedIndexes()})
        return [self._scene.parameters[row].name for row in rows if row < len(self._scene.parameters)]

    def show_family(self, on: bool) -> None:
        """Curves of the traced points at several values of the selected parameter, or no longer."""
        chosen = self.selected()[:1] if on else [""]
        if on and not self._scene.traces:
            self._tell("There is no trace: draw one (Insert, Trace), then its curves can be drawn", "wrong")
            chosen = []
        try:
            for name in chosen:
                self._session.whole_motion.show_family(self._scene, name)
        except SceneError as error:
            self._tell(reason(error), "wrong")
        self._enable()

    # edits

    def add(self) -> None:
        """A new parameter, ready to be named."""
        self._apply(lambda scene: add(scene, Parameter(name="p1", value=0.0)))
        self._edit_name(self.table.rowCount() - 1)

    def rename(self) -> None:
        rows = {index.row() for index in self.table.selectedIndexes()}
        if len(rows) == 1:
            self._edit_name(rows.pop())

    def _edit_name(self, row: int) -> None:
        self.table.selectRow(row)
        item = self.table.item(row, NAME)
        if item is not None:
            self.table.scrollToItem(item)
            edit_in_place(self.table, item)

    def delete(self) -> None:
        refs = [Ref("parameters", name) for name in self.selected()]
        if refs:
            try:
                remove_asking(self, self._session.document, refs)
            except SceneError as error:
                self._tell(reason(error), "wrong")

    def _typed(self, item: QTableWidgetItem) -> None:
        """A cell is finished: one step, or the reason why not; wrong text stays."""
        parameter, text = self._scene.parameters[item.row()], item.text().strip()
        ref, field = Ref("parameters", parameter.name), FIELD[item.column()]
        try:
            if field == "name":
                edit = rename(self._scene, ref, text)
            else:
                edit = set_field(self._scene, [ref], field, self._value(item.column(), text, parameter))
            self._session.document.apply(edit)
        except (SceneError, UnitError, ExpressionError, ValueError) as error:
            with QSignalBlocker(self.table):
                item.setForeground(self._look.theme.color("danger"))
                item.setToolTip(reason(error))
            self._tell(f"{parameter.name}: {reason(error)}", "wrong")
            return
        self.refresh()  # also where nothing changed: the text as it is written here

    def _value(self, column: int, text: str, parameter: Parameter) -> Any:
        if column == UNIT:
            return text if text != self._unit_text(parameter) else parameter.unit
        if column not in NUMBERS:
            return text
        if column != VALUE and not text:
            return None
        return self._look.units.parse(text, parameter.unit, parameters_now(self._scene))

    def _apply(self, make: Callable[[Scene], Edit]) -> None:
        try:
            self._session.document.apply(make(self._scene))
        except SceneError as error:
            self._tell(reason(error), "wrong")


PANEL = PanelKind(
    "parameters",
    "Parameters",
    "parameters",
    "bottom",
    lambda given: ParametersPanel(given.session, given.look),
    also="sliders variables dimensions",
)
