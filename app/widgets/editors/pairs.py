"""A table of pairs: typed cell by cell, pasted from a spreadsheet, sorted, with a preview."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.platform.appearance import label, tool_button
from app.platform.units import UnitError
from app.widgets.editors.base import Context, Editor
from app.widgets.editors.editor_kind import Ask, EditorKind
from app.widgets.editors.parts.numbers import number_now, number_text
from app.widgets.editors.parts.small_curve import Points, Preview
from engine.maths.expressions import ExpressionError

Pair = tuple[Any, Any]
SHOWN_ROWS = 6  # before it scrolls
_COLUMNS = re.compile(r"\t|;|(?<=\d)\s+(?=[-+.\d])")


class PairsTable(QWidget):
    """The grid and its buttons. `changed` tells all pairs, once per finished edit."""

    changed = Signal(object)
    complained = Signal(str)

    def __init__(
        self,
        context: Context,
        name: str,
        columns: Sequence[tuple[str, str]],  # title and SI unit
        *,
        least: int,
        sort: bool,
        new_row: Callable[[Sequence[Pair]], Pair],
    ) -> None:
        super().__init__()
        self._context, self._least, self._new_row = context, least, new_row
        self._units = [unit for _, unit in columns]
        self._pairs: list[Pair] = []
        self.grid = _Grid(0, len(columns))
        self.grid.setObjectName(f"{name}.grid")
        titles = [f"{title} [{context.units.shown(unit)}]" if unit else title for title, unit in columns]
        self.grid.setHorizontalHeaderLabels(titles)
        self.grid.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.grid.verticalHeader().setDefaultSectionSize(self.grid.fontMetrics().lineSpacing() + 8)
        self.grid.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        look = context.look
        add = tool_button(look, f"{name}.add", "plus", "Add a row below the chosen one")
        remove = tool_button(look, f"{name}.remove", "minus", "Remove the chosen rows")
        order = tool_button(look, f"{name}.sort", "sort", "Sort the rows by their first column")
        copy = tool_button(look, f"{name}.copy", "copy", "Copy the rows for a spreadsheet")
        paste = tool_button(look, f"{name}.paste", "paste", "Paste rows from a spreadsheet in place of these")
        order.setVisible(sort)
        bar = QHBoxLayout()
        bar.setSpacing(2)
        for button, call in (
            (add, self.add_row),
            (remove, self.remove_rows),
            (order, self.sort_rows),
            (copy, self.copy_rows),
            (paste, self.paste_rows),
        ):
            button.clicked.connect(call)
            bar.addWidget(button)
        bar.addStretch(1)
        self._count = label("", "muted", f"{name}.count")
        bar.addWidget(self._count)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.grid)
        column.addLayout(bar)
        self.grid.itemChanged.connect(self._typed)
        self.grid.pasted.connect(self.paste_rows)
        self.grid.copied.connect(self.copy_rows)
        self.grid.deleted.connect(self.remove_rows)

    def busy(self) -> bool:
        return self.grid.state() == QAbstractItemView.State.EditingState

    def show_pairs(self, pairs: Sequence[Pair]) -> None:
        self._pairs = [(pair[0], pair[1]) for pair in pairs]
        with QSignalBlocker(self.grid):
            self.grid.setRowCount(len(self._pairs))
            for row, pair in enumerate(self._pairs):
                for column, value in enumerate(pair):
                    text, tip = number_text(value, self._units[column], self._context)
                    item = QTableWidgetItem(text)
                    item.setToolTip(tip)
                    self.grid.setItem(row, column, item)
        rows = max(2, min(len(self._pairs), SHOWN_ROWS))
        height = self.grid.verticalHeader().defaultSectionSize()
        self.grid.setFixedHeight(rows * height + self.grid.horizontalHeader().sizeHint().height() + 4)
        self._count.setText(f"{len(self._pairs)} rows")

    # edits, each one step

    def add_row(self) -> None:
        row = self.grid.currentRow()
        at = row + 1 if 0 <= row < len(self._pairs) else len(self._pairs)
        new = self._new_row(self._pairs[:at] if at == len(self._pairs) else self._pairs[at - 1 : at + 1])
        self._tell([*self._pairs[:at], new, *self._pairs[at:]])

    def remove_rows(self) -> None:
        chosen = {index.row() for index in self.grid.selectedIndexes()}
        left = [pair for row, pair in enumerate(self._pairs) if row not in chosen]
        if len(left) < self._least:
            self.complained.emit(f"at least {self._least} rows are needed")
            return
        if chosen:
            self._tell(left)

    def sort_rows(self) -> None:
        try:
            order = sorted(self._pairs, key=lambda pair: number_now(pair[0], self._context))
        except ExpressionError as error:
            self.complained.emit(str(error))
            return
        self._tell(order)

    def copy_rows(self) -> None:
        """The chosen rows, or all of them, apart by tabs."""
        chosen = sorted({index.row() for index in self.grid.selectedIndexes()}) or range(len(self._pairs))
        texts = [[number_text(v, u, self._context)[0] for v, u in self._row(row)] for row in chosen]
        QGuiApplication.clipboard().setText("\n".join("\t".join(row) for row in texts))

    def paste_rows(self) -> None:
        """Take all rows from the clipboard; what is wrong is told, and nothing changes."""
        try:
            pairs = self.read(QGuiApplication.clipboard().text())
        except (UnitError, ExpressionError, ValueError) as error:
            self.complained.emit(str(error))
            return
        self._tell(pairs)

    def read(self, text: str) -> list[Pair]:
        """Rows of text as pairs: columns apart by tabs, semicolons or blanks; headings are left out."""
        rows = [line.strip() for line in text.splitlines() if line.strip()]
        pairs: list[Pair] = []
        for number, line in enumerate(rows, 1):
            cells = [cell.strip() for cell in _COLUMNS.split(line)]
            if len(cells) == 1:
                cells = [cell.strip() for cell in line.split(",")]
            try:
                if len(cells) < 2:
                    raise UnitError("two columns are needed")
                pairs.append((self._value(cells[0], 0), self._value(cells[1], 1)))
            except (UnitError, ExpressionError) as error:
                if number == 1 and len(rows) > 1:
                    continue  # headings
                raise UnitError(f"row {number} ({line}): {error}") from None
        if len(pairs) < self._least:
            raise UnitError(f"at least {self._least} rows of two numbers are needed in the clipboard")
        return pairs

    def _typed(self, item: QTableWidgetItem) -> None:
        row, column = item.row(), item.column()
        try:
            value = self._value(item.text(), column)
        except (UnitError, ExpressionError) as error:
            item.setForeground(self._context.look.theme.color("danger"))
            item.setToolTip(str(error))
            self.complained.emit(f"row {row + 1}: {error}")
            return
        pair = list(self._pairs[row])
        if pair[column] == value:
            self.show_pairs(self._pairs)
            self.complained.emit("")
            return
        pair[column] = value
        self._tell([*self._pairs[:row], (pair[0], pair[1]), *self._pairs[row + 1 :]])

    def _value(self, text: str, column: int) -> Any:
        return self._context.units.parse(text, self._units[column], self._context.names)

    def _row(self, row: int) -> list[tuple[Any, str]]:
        return list(zip(self._pairs[row], self._units, strict=True))

    def _tell(self, pairs: Sequence[Pair]) -> None:
        self.complained.emit("")
        self.changed.emit(tuple(pairs))


class _Grid(QTableWidget):
    """Takes the clipboard and the delete key as a spreadsheet does."""

    pasted = Signal()
    copied = Signal()
    deleted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.deleted.emit()
        else:
            super().keyPressEvent(event)


class OutlineEditor(Editor):
    """The corners of an outline, in order, and its picture."""

    wide = True

    def __init__(self, context: Context, unit: str, name: str) -> None:
        super().__init__()
        self._context = context
        columns = (("x", unit), ("y", unit))
        self.table = PairsTable(context, name, columns, least=3, sort=False, new_row=between)
        self._preview = Preview(context.look, f"{name}.preview", height=80, closed=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.table)
        column.addWidget(self._preview)
        self.table.changed.connect(self.committed)
        self.table.complained.connect(self.complained)

    def busy(self) -> bool:
        return self.table.busy()

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self.setEnabled(not mixed)
        self.table.show_pairs(() if mixed else value)
        points: Points = []
        try:
            points = [(number_now(x, self._context), number_now(y, self._context)) for x, y in value]
        except ExpressionError:
            points = []
        self._preview.show_points([] if mixed else points)


def between(pairs: Sequence[Pair]) -> Pair:
    """A new corner, half way between its neighbours."""
    numbers = [pair for pair in pairs[-2:] if all(isinstance(x, int | float) for x in pair)]
    if len(numbers) < 2:
        return pairs[-1] if pairs else (0.0, 0.0)
    (ax, ay), (bx, by) = numbers
    return (0.5 * (ax + bx), 0.5 * (ay + by))


def _holds_pairs(ask: Ask) -> bool:
    value = ask.value
    return ask.field.role == "number" and isinstance(value, tuple) and isinstance((*value, 0)[0], tuple)


KIND = EditorKind("outline", _holds_pairs, lambda ask: OutlineEditor(ask.context, ask.field.unit, ask.name))
