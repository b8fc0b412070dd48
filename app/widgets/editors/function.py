"""A function of time (and more): a number, an expression or a table, with its curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from msgspec import structs
from PySide6.QtWidgets import QVBoxLayout

from app.platform.appearance import label
from app.platform.units import PLAIN
from app.widgets.editors.base import SEVERAL, Change, Context, Editor
from app.widgets.editors.choice import ChoiceEditor
from app.widgets.editors.editor_kind import Ask, EditorKind, bare
from app.widgets.editors.pairs import Pair, PairsTable
from app.widgets.editors.parts.beside import beside
from app.widgets.editors.parts.function_form import (
    PROFILE,
    SPEED,
    FormFields,
    form_of,
    offers_forms,
    profile_form,
    speed_form,
)
from app.widgets.editors.parts.numbers import number_now
from app.widgets.editors.parts.small_curve import Preview, expression_curve, table_curve
from app.widgets.editors.parts.text_line import LineEdit
from engine.elements.base import Table
from engine.elements.field_units import VARIABLE_UNITS
from engine.elements.fields import field_of
from engine.maths.expressions import ExpressionError, FunctionError
from engine.maths.function_forms import ConstantSpeed

FORMULA, TABLE = "number or expression", "table"


def is_formula(text: str) -> bool:
    """Whether a text is more than one number with or without its unit."""
    return bool(text.strip()) and PLAIN.match(text) is None


class FunctionEditor(Editor):
    """A line for numbers and expressions, checked while typed; a grid for tables and splines.

    What moves over time has forms above its line: a constant speed, or a profile. They are read from the
    function and write it; the line shows what is stored.
    """

    wide = True

    def __init__(self, context: Context, unit: str, name: str, of: Sequence[str], *, optional: bool) -> None:
        super().__init__()
        self._context, self._unit, self._of, self._optional = context, unit, tuple(of), optional
        self._value: Any = None
        self._has_forms = offers_forms(unit, of)
        words = (SPEED, PROFILE, TABLE, FORMULA) if self._has_forms else (FORMULA, TABLE)
        self._form = ChoiceEditor(f"{name}.form", [(word, word) for word in words])
        self._fields = FormFields(context, unit, name)
        self._as_written: Any = None  # the function that shall be shown without its form
        self._line = LineEdit(self._read)
        self._line.setObjectName(name)
        self._sheet = _Sheet(context, unit, f"{name}.table", self._of)
        self._hint = label("", "muted", f"{name}.hint")
        self._hint.setWordWrap(True)
        self._preview = Preview(context.look, f"{name}.preview", height=44)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for part in (self._form, self._fields, self._line, self._hint, self._sheet, self._preview):
            column.addWidget(part)
        for part in (self._sheet, self._fields):
            part.hide()  # most are no tables: the form shall not be laid out for one first
        self._form.committed.connect(self._choose)
        self._fields.committed.connect(self.committed)
        self._fields.complained.connect(self.complained)
        self._line.finished.connect(self.committed)
        self._line.complained.connect(self.complained)
        self._line.textEdited.connect(self._draw)
        self._sheet.committed.connect(self._table_edited)
        self._sheet.complained.connect(self.complained)

    def busy(self) -> bool:
        return (self._line.hasFocus() and self._line.dirty) or self._fields.busy() or self._sheet.busy()

    def complain(self, reason: str) -> None:
        if self._line.isVisibleTo(self):
            self._line.complain(reason)
        else:
            self.complained.emit(reason)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self._value = None if mixed else value
        table = isinstance(self._value, Table)
        self._show_form()
        self._line.setVisible(not table)
        self._sheet.setVisible(table)
        wanted = f"number or expression of {', '.join(self._of)}"
        self._line.setPlaceholderText(SEVERAL if mixed else "none" if self._optional else wanted)
        if table:
            self._sheet.show_table(self._value)
        elif self._value is None:
            self._line.show_text("")
        elif isinstance(self._value, str):
            self._line.show_text(self._value, self._value)
        else:
            self._line.show_text(self._context.units.text(float(self._value), self._unit))
        self._draw()

    def _read(self, text: str) -> Any:
        if self._optional and not text.strip():
            return None
        names = {**self._context.names, **dict.fromkeys(self._of, 0.5)}
        return self._context.units.parse_function(text, self._unit, names)

    def _show_form(self) -> None:
        written = self._as_written is not None and self._as_written == self._value
        form = form_of(self._value, self._unit) if self._has_forms and not written else None
        named = FORMULA if form is None else SPEED if isinstance(form, ConstantSpeed) else PROFILE
        self._form.show_value(TABLE if isinstance(self._value, Table) else named)
        self._fields.show_form(form)

    def _choose(self, form: str) -> None:
        """Another form, with as much of the present function as it can hold."""
        self._as_written = None
        if form == TABLE:
            if not isinstance(self._value, Table):
                self.committed.emit(self._as_table())
        elif form in (SPEED, PROFILE):
            points = self._as_table().points if not isinstance(self._value, Table) else self._value.points
            ends = (number_now(points[0][1], self._context), number_now(points[-1][1], self._context))
            make = speed_form if form == SPEED else profile_form
            self.committed.emit(make(self._unit, self._context, *ends))
        elif isinstance(self._value, Table):
            self.committed.emit(self._value.points[0][1])
        else:
            self._as_written = self._value
            self._show_form()

    def _as_table(self) -> Table:
        end = self._context.duration
        curve = expression_curve(self._line.text(), self._context.names, self._of, end)
        if curve:
            points: tuple[Pair, ...] = tuple(curve[i] for i in range(0, len(curve), len(curve) // 10))
            return Table(points=(*points, curve[-1]) if points[-1] != curve[-1] else points)
        try:
            value = number_now(self._value or 0.0, self._context)
        except ExpressionError:
            value = 0.0
        return Table(points=((0.0, value), (end, value)))

    def _tell_unit(self) -> None:
        """Say what bare numbers count in where that is not the unit of the heading."""
        table = isinstance(self._value, Table)
        text, units = self._line.text(), self._context.units
        other = not table and is_formula(text) and units.shown(self._unit) != self._unit
        self._hint.setText(f"Numbers without a unit are SI here: {self._unit}" if other else "")
        self._hint.setVisible(bool(other))

    def _table_edited(self, change: Change) -> None:
        self.committed.emit(change.make(self._value))

    def _draw(self) -> None:
        self._tell_unit()
        if not isinstance(self._value, Table):
            names, end = self._context.names, self._context.duration
            self._preview.show_points(expression_curve(self._line.text(), names, self._of, end))
            return
        try:
            points, knots = table_curve(self._value, self._context.names, self._of)
        except FunctionError as error:
            self._preview.show_points([])
            self.complained.emit(str(error))
            return
        self._preview.show_points(points, knots)


class _Sheet(Editor):
    """The points of a table, how to go between them, and what holds outside."""

    def __init__(self, context: Context, unit: str, name: str, of: Sequence[str]) -> None:
        super().__init__()
        columns = ((of[0], VARIABLE_UNITS.get(of[0], "")), ("value", unit))
        self.pairs = PairsTable(context, name, columns, least=2, sort=True, new_row=_after)
        self._choices = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.pairs)
        for field_name in ("interpolation", "outside"):
            field = field_of(Table, field_name)
            assert field is not None
            words = [(str(word), word) for word in get_args(bare(field.type)[0])]
            editor = self._choices[field_name] = ChoiceEditor(f"{name}.{field_name}", words)
            editor.committed.connect(lambda word, key=field_name: self._tell(**{key: word}))
            column.addWidget(beside(field.title, editor, f"{name}.{field_name}.title"))
        self.pairs.changed.connect(lambda pairs: self._tell(points=pairs))
        self.pairs.complained.connect(self.complained)

    def busy(self) -> bool:
        return self.pairs.busy()

    def show_table(self, table: Table) -> None:
        if not self.pairs.busy():
            self.pairs.show_pairs(table.points)
        for name, editor in self._choices.items():
            editor.show_value(getattr(table, name))

    def _tell(self, **fields: Any) -> None:
        self.committed.emit(Change(lambda table: structs.replace(table, **fields)))


def _after(pairs: Sequence[Pair]) -> Pair:
    """A row as late after the last one as that was after the one before; within, half way."""
    numbers = [pair for pair in pairs if all(isinstance(x, int | float) for x in pair)]
    if len(numbers) < 2:
        return (numbers[-1][0] + 1.0, numbers[-1][1]) if numbers else (0.0, 0.0)
    (t0, _), (t1, y1) = numbers[-2:]
    if len(pairs) == 2:
        (t0, y0), (t1, y1) = numbers
        return (0.5 * (t0 + t1), 0.5 * (y0 + y1))
    return (t1 + (t1 - t0), y1)


class FunctionsEditor(Editor):
    """Functions below each other, one per component."""

    wide = True

    def __init__(
        self, context: Context, unit: str, name: str, of: Sequence[str], components: Sequence[int]
    ) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._editors = {
            i: FunctionEditor(context, unit, f"{name}.{i}", of, optional=False) for i in components
        }
        for index, editor in self._editors.items():
            column.addWidget(beside("xyz"[index], editor, f"{name}.{index}.title"))
            editor.complained.connect(self.complained)
            editor.committed.connect(lambda value, index=index: self._finish(index, value))

    def busy(self) -> bool:
        return any(editor.busy() for editor in self._editors.values())

    def show_values(self, values: Sequence[Any]) -> None:
        for index, editor in self._editors.items():
            editor.show_values([value[index] if index < len(value) else 0.0 for value in values])

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self.show_values([value])

    def _finish(self, index: int, value: Any) -> None:
        def make(old: Any) -> tuple[Any, ...]:
            return (*old[:index], value, *old[index + 1 :])

        self.committed.emit(Change(make))


def _of(ask: Ask) -> tuple[str, ...]:
    return tuple(ask.field.extra.get("of", ("t",)))


def _components(ask: Ask) -> Sequence[int]:
    """What turns acts about z alone in a planar scene."""
    return (2,) if ask.planar and ask.field.extra.get("turns") else range(len(ask.value))


SEVERAL_FUNCTIONS = EditorKind(
    "functions",
    lambda ask: ask.field.role == "function" and isinstance(ask.value, tuple),
    lambda ask: FunctionsEditor(ask.context, ask.field.unit, ask.name, _of(ask), _components(ask)),
)
KIND = EditorKind(
    "function",
    lambda ask: ask.field.role == "function",
    lambda ask: FunctionEditor(ask.context, ask.field.unit, ask.name, _of(ask), optional=ask.optional),
)
