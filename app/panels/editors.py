"""Editors of single values: each shows one, checks what is typed, and tells a finished edit once."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QColorDialog,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.panels.look import Look, label, restyle
from app.units import UnitError, Units
from engine.maths.expressions import ExpressionError, parse

SEVERAL = "several values"
PREVIEW = 120  # samples of a preview curve
MOST_LINES = 8  # of a field for notes; more is scrolled
_WORDS = {"gt": "greater than", "ge": "at least", "lt": "less than", "le": "at most"}


@dataclass
class Context:
    """What an editor must know of the scene."""

    look: Look
    names: Mapping[str, float]  # parameters and their values
    duration: float = 10.0  # s, for previews

    @property
    def units(self) -> Units:
        return self.look.units


class Editor(QWidget):
    """Base: `committed` tells the new value once, when the edit is finished."""

    committed = Signal(object)
    complained = Signal(str)  # the reason why the text is wrong, or nothing

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        raise NotImplementedError

    def busy(self) -> bool:
        """Whether the user is in the middle of an edit that must not be overwritten."""
        return False


class LineEdit(QLineEdit):
    """A line that checks itself while typed; Return or leaving finishes, Escape brings the old text back."""

    finished = Signal(object)
    complained = Signal(str)

    def __init__(self, read: Callable[[str], Any]) -> None:
        super().__init__()
        self._read = read
        self._shown = ""
        self.setMinimumWidth(36)
        self.textEdited.connect(self._check)
        self.returnPressed.connect(self.finish)

    @property
    def dirty(self) -> bool:
        return self.text() != self._shown

    def show_text(self, text: str, tip: str = "") -> None:
        self._shown = text
        self.setText(text)
        self.setCursorPosition(0)
        self.setToolTip(tip)
        self.complain("")

    def finish(self) -> None:
        if not self.dirty:
            return
        try:
            value = self._read(self.text())
        except (UnitError, ExpressionError, ValueError) as error:
            self.complain(str(error))
            return
        self.complain("")
        self._shown = self.text()
        self.finished.emit(value)

    def complain(self, reason: str) -> None:
        wrong = bool(reason)
        if bool(self.property("wrong")) != wrong:
            self.setProperty("wrong", wrong)
            restyle(self)
        self.complained.emit(reason)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.show_text(self._shown, self.toolTip())
            self.clearFocus()
            return
        super().keyPressEvent(event)

    def _check(self) -> None:
        try:
            self._read(self.text())
        except (UnitError, ExpressionError, ValueError) as error:
            self.complain(str(error))
        else:
            self.complain("")


class _LineEditor(Editor):
    """An editor made of lines."""

    def __init__(self) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(3)
        self.lines: list[LineEdit] = []

    def _add_line(self, read: Callable[[str], Any], name: str) -> LineEdit:
        line = LineEdit(read)
        line.setObjectName(name)
        line.complained.connect(self.complained)
        self.lines.append(line)
        self._row.addWidget(line, 1)
        return line

    def busy(self) -> bool:
        return any(line.hasFocus() and line.dirty for line in self.lines)

    def complain(self, reason: str) -> None:
        for line in self.lines[:1]:
            line.complain(reason)
        if not reason:
            for line in self.lines[1:]:
                line.complain("")


def number_text(value: Any, unit: str, context: Context) -> tuple[str, str]:
    """Text of a number or expression, and what its tooltip says."""
    if value is None:
        return "", ""
    if isinstance(value, str):
        try:
            result = context.units.full_text(parse(value).value(context.names), unit)
        except ExpressionError as error:
            return value, str(error)
        return value, f"= {result}"
    return context.units.text(float(value), unit), context.units.full_text(float(value), unit, 12)


def check_limits(value: Any, limits: Mapping[str, float], context: Context) -> Any:
    """The value, when it keeps the limits; an expression is judged by what it is now."""
    if value is None or not limits:
        return value
    number = parse(value).value(context.names) if isinstance(value, str) else float(value)
    tests = {"gt": number > limits.get("gt", -math.inf), "ge": number >= limits.get("ge", -math.inf)}
    tests |= {"lt": number < limits.get("lt", math.inf), "le": number <= limits.get("le", math.inf)}
    for key, limit in limits.items():
        if not tests[key]:
            raise UnitError(f"must be {_WORDS[key]} {limit:g}, it is {number:g}")
    return value


class NumberEditor(_LineEditor):
    """A number with its unit, or an expression of parameters."""

    def __init__(
        self,
        context: Context,
        unit: str,
        name: str,
        *,
        limits: Mapping[str, float] | None = None,
        optional: bool = False,
        integer: bool = False,
    ) -> None:
        super().__init__()
        self._context, self._unit, self._limits = context, unit, limits or {}
        self._optional, self._integer = optional, integer
        line = self._add_line(self._read, name)
        line.finished.connect(self.committed)
        self._row.setDirection(QHBoxLayout.Direction.TopToBottom)
        self._row.setSpacing(0)
        self._result = label("", "muted", f"{name}.result")
        self._row.addWidget(self._result)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        text, tip = ("", "") if mixed else number_text(value, self._unit, self._context)
        self.lines[0].setPlaceholderText(SEVERAL if mixed else "automatic" if self._optional else "")
        self.lines[0].show_text(text, tip)
        result = tip if isinstance(value, str) and not mixed and tip.startswith("=") else ""
        self._result.setText(result)
        self._result.setVisible(bool(result))

    def _read(self, text: str) -> Any:
        if self._optional and not text.strip():
            return None
        value = self._context.units.parse(text, self._unit, self._context.names)
        if self._integer and (isinstance(value, str) or not float(value).is_integer()):
            raise UnitError("a whole number is needed")
        value = check_limits(value, self._limits, self._context)
        return int(value) if self._integer else value


class VectorEditor(_LineEditor):
    """Some numbers side by side: a point, a direction, a size."""

    def __init__(
        self, context: Context, unit: str, name: str, count: int, *, limits: Mapping[str, float] | None = None
    ) -> None:
        super().__init__()
        self._context, self._unit, self._limits = context, unit, limits or {}
        self._values: list[Any] = [0.0] * count
        for index in range(count):
            line = self._add_line(self._read, f"{name}.{index}")
            line.finished.connect(lambda value, index=index: self._finish(index, value))

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        values = list(value) if isinstance(value, tuple | list) else [None] * len(self.lines)
        self._values = [0.0 if item is None else item for item in values]
        for index, line in enumerate(self.lines):
            item = values[index] if index < len(values) else 0.0
            text, tip = ("", "") if mixed else number_text(item, self._unit, self._context)
            line.setPlaceholderText("…" if mixed else "auto" if value is None else "")
            line.show_text(text, tip)

    def _read(self, text: str) -> Any:
        value = self._context.units.parse(text, self._unit, self._context.names)
        return check_limits(value, self._limits, self._context)

    def _finish(self, index: int, value: Any) -> None:
        new = list(self._values) + [0.0] * (len(self.lines) - len(self._values))
        new[index] = value
        self.committed.emit(tuple(new))


class ListEditor(_LineEditor):
    """Numbers in one line, apart by semicolons: `0.1; 0.2; L1/3`; pairs with a blank between."""

    def __init__(
        self, context: Context, unit: str, name: str, *, optional: bool, pairs: bool = False
    ) -> None:
        super().__init__()
        self._context, self._unit, self._optional, self._pairs = context, unit, optional, pairs
        line = self._add_line(self._read, name)
        line.finished.connect(self.committed)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        hint = SEVERAL if mixed else "automatic" if self._optional else "numbers apart by ;"
        self.lines[0].setPlaceholderText(hint)
        items = [] if mixed or value is None else list(value)
        text = "; ".join(
            " , ".join(self._one(part) for part in item) if self._pairs else self._one(item) for item in items
        )
        self.lines[0].show_text(text, text)

    def _one(self, item: Any) -> str:
        return number_text(item, self._unit, self._context)[0]

    def _read(self, text: str) -> Any:
        if self._optional and not text.strip():
            return None
        parse_one = self._context.units.parse
        cells = [cell for cell in text.split(";") if cell.strip()]
        if not self._pairs:
            return tuple(parse_one(cell, self._unit, self._context.names) for cell in cells)
        rows = [cell.split(" , ") for cell in cells]
        if any(len(row) != 2 for row in rows):
            raise UnitError("pairs are written x , y and end with ;")
        return tuple(tuple(parse_one(part, self._unit, self._context.names) for part in row) for row in rows)


class TextEditor(_LineEditor):
    """Words."""

    def __init__(self, name: str, check: Callable[[str], Any] = str) -> None:
        super().__init__()
        line = self._add_line(check, name)
        line.finished.connect(self.committed)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        text = "" if mixed or value is None else str(value)
        self.lines[0].setPlaceholderText(SEVERAL if mixed else "")
        self.lines[0].show_text(text, text)


class NotesEditor(Editor):
    """Words on several lines; leaving the field finishes the edit."""

    def __init__(self, name: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.box = _Notes()
        self.box.setObjectName(name)
        self.box.left.connect(self._finish)
        row.addWidget(self.box)
        self._shown = ""

    def busy(self) -> bool:
        return self.box.hasFocus() and self.box.toPlainText() != self._shown

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self._shown = "" if mixed else str(value or "")
        self.box.setPlaceholderText(SEVERAL if mixed else "")
        if self.box.toPlainText() != self._shown:
            self.box.setPlainText(self._shown)
        self.box.grow()

    def _finish(self) -> None:
        text = self.box.toPlainText()
        if text != self._shown:
            self._shown = text
            self.committed.emit(text)


class _Notes(QPlainTextEdit):
    """As high as its text, within limits."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setMinimumWidth(40)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self.grow)

    def grow(self) -> None:
        lines = min(max(int(self.document().size().height()), 1), MOST_LINES)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 16)
        policy = Qt.ScrollBarPolicy
        more = self.document().size().height() > MOST_LINES
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if more else policy.ScrollBarAlwaysOff)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.grow()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class ChoiceEditor(Editor):
    """One of some words; `extra` text that is no choice any more is shown and marked."""

    def __init__(self, name: str, choices: Sequence[tuple[str, Any]]) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.box = QComboBox()
        self.box.setObjectName(name)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(5)
        for text, data in choices:
            self.box.addItem(text, data)
        row.addWidget(self.box)
        self.box.activated.connect(lambda index: self.committed.emit(self.box.itemData(index)))

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        index = next((i for i in range(self.box.count()) if self.box.itemData(i) == value), -1)
        wrong = False
        if mixed:
            self.box.setPlaceholderText(SEVERAL)
            index = -1
        elif index < 0:
            self.box.setPlaceholderText(str(value))
            wrong = True
        self.box.setCurrentIndex(index)
        self.box.setProperty("wrong", wrong)
        restyle(self.box)

    def complain(self, reason: str) -> None:
        self.box.setProperty("wrong", bool(reason))
        restyle(self.box)
        self.complained.emit(reason)


class FlagEditor(Editor):
    """Yes or no."""

    def __init__(self, name: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.box = QCheckBox()
        self.box.setObjectName(name)
        row.addWidget(self.box)
        row.addStretch(1)
        self.box.clicked.connect(lambda on: self.committed.emit(bool(on)))

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self.box.setTristate(mixed)
        self.box.setCheckState(
            Qt.CheckState.PartiallyChecked
            if mixed
            else Qt.CheckState.Checked
            if value
            else Qt.CheckState.Unchecked
        )


class ColorEditor(_LineEditor):
    """A colour as #rrggbb, with a swatch that opens the colour dialog."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._swatch = QToolButton()
        self._swatch.setObjectName(f"{name}.swatch")
        self._swatch.setToolTip("Choose a colour")
        self._swatch.setFixedSize(QSize(24, 22))
        self._row.addWidget(self._swatch)
        line = self._add_line(self._read, name)
        line.finished.connect(self.committed)
        self._swatch.clicked.connect(self._choose)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        text = "" if mixed else str(value or "")
        self.lines[0].setPlaceholderText("several" if mixed else "theme")
        self.lines[0].show_text(text)
        self._swatch.setStyleSheet(f"background: {text}; border: 1px solid gray;" if text else "")

    def _read(self, text: str) -> str:
        text = text.strip()
        if text and (len(text) != 7 or not QColor(text).isValid()):
            raise UnitError("write #rrggbb, for instance #0072b2, or nothing for the theme's own")
        return text

    def _choose(self) -> None:
        color = QColorDialog.getColor(QColor(self.lines[0].text() or "#0072b2"), self)
        if color.isValid():
            self.committed.emit(color.name())


class PointEditor(Editor):
    """A point of a body: by name, or by coordinates."""

    def __init__(
        self, context: Context, name: str, count: int, points: Sequence[str], *, optional: bool
    ) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        own: Any = None if optional else (0.0,) * count
        choices: list[tuple[str, Any]] = [(f"point {point}", point) for point in points]
        choices.append(("coordinates", (0.0,) * count))
        if optional:
            choices.append(("automatic", own))
        self._choice = ChoiceEditor(name, choices)
        self._coordinates = VectorEditor(context, "m", f"{name}.xyz", count)
        column.addWidget(self._choice)
        column.addWidget(self._coordinates)
        self._choice.committed.connect(self.committed)
        self._coordinates.committed.connect(self.committed)
        self._coordinates.complained.connect(self.complained)
        self._count = count

    def busy(self) -> bool:
        return self._coordinates.busy()

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        given = isinstance(value, tuple) and not mixed
        self._choice.show_value((0.0,) * self._count if given else value, mixed=mixed)
        self._coordinates.setVisible(given)
        if given:
            self._coordinates.show_value(value)

    def complain(self, reason: str) -> None:
        self._coordinates.complain(reason)


class Preview(QWidget):
    """A small curve of a function of time."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._values: list[float] = []
        self.setFixedHeight(34)
        self.hide()

    def show_values(self, values: list[float]) -> None:
        self._values = values
        self.setVisible(len(values) > 1)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if len(self._values) < 2:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._look.theme.color("base"))
        low, high = min(self._values), max(self._values)
        span = (high - low) or 1.0
        width, height = self.width() - 4, self.height() - 6
        last = len(self._values) - 1
        points = [
            QPointF(2 + width * i / last, 3 + height * (1.0 - (value - low) / span))
            for i, value in enumerate(self._values)
        ]
        painter.setPen(QPen(self._look.theme.color("accent"), 1.4))
        painter.drawPolyline(QPolygonF(points))


class FunctionEditor(Editor):
    """A number, or an expression of time (and more), checked while typed, with its curve."""

    def __init__(self, context: Context, unit: str, name: str, of: Sequence[str], *, optional: bool) -> None:
        super().__init__()
        self._context, self._unit, self._of, self._optional = context, unit, tuple(of), optional
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self._line = LineEdit(self._read)
        self._line.setObjectName(name)
        self._preview = Preview(context.look)
        column.addWidget(self._line)
        column.addWidget(self._preview)
        self._line.finished.connect(self.committed)
        self._line.complained.connect(self.complained)
        self._line.textEdited.connect(self._draw)

    def busy(self) -> bool:
        return self._line.hasFocus() and self._line.dirty

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        table = not mixed and value is not None and not isinstance(value, str | float | int)
        self._line.setReadOnly(table)
        hint = (
            SEVERAL
            if mixed
            else "none"
            if self._optional
            else f"number or expression of {', '.join(self._of)}"
        )
        self._line.setPlaceholderText(hint)
        if mixed or value is None:
            self._line.show_text("")
        elif table:
            self._line.show_text(f"table of {len(value.points)} points", "edit the table in the scene file")
        elif isinstance(value, str):
            self._line.show_text(value, value)
        else:
            self._line.show_text(self._context.units.text(float(value), self._unit))
        self._draw()

    def complain(self, reason: str) -> None:
        self._line.complain(reason)

    def _read(self, text: str) -> Any:
        if self._optional and not text.strip():
            return None
        names = {**self._context.names, **{name: 0.5 for name in self._of}}
        return self._context.units.parse(text, self._unit, names)

    def _draw(self) -> None:
        values: list[float] = []
        try:
            read = parse(self._line.text())
            if "t" in read.names and not self._line.isReadOnly():
                duration = self._context.duration
                for i in range(PREVIEW):
                    names = {**self._context.names, **dict.fromkeys(self._of, 0.0)}
                    values.append(read.value({**names, "t": duration * i / (PREVIEW - 1)}))
        except (ExpressionError, ValueError):
            values = []
        self._preview.show_values(values)


class ExpressionsEditor(TextEditor):
    """Expressions in one line, apart by semicolons."""

    def __init__(self, name: str) -> None:
        def check(text: str) -> tuple[str, ...]:
            items = tuple(item.strip() for item in text.split(";") if item.strip())
            for item in items:
                parse(item)
            return items

        super().__init__(name, check)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        super().show_value(None if mixed else "; ".join(value), mixed=mixed)
        self.lines[0].setPlaceholderText("for instance: joint.A.angle - pi")


class ExpressionEditor(TextEditor):
    """An expression of channels: its writing is checked here, its names when the scene is compiled."""

    def __init__(self, name: str) -> None:
        def check(text: str) -> str:
            parse(text)
            return text

        super().__init__(name, check)
