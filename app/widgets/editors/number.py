"""A number with its unit, or an expression of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from app.platform.appearance import label
from app.platform.units import UnitError
from app.widgets.editors.base import SEVERAL, Context
from app.widgets.editors.editor_kind import EditorKind
from app.widgets.editors.parts.numbers import check_limits, number_text
from app.widgets.editors.parts.text_line import LineEditor

ROOM = 24  # letters that an empty line has room for


def words_of(value: str, description: str) -> str:
    """What a value stands for, as its field describes it: "0: that of the scene", "null: none"."""
    parts = (part.partition(": ") for part in description.split("; "))
    return next((words for name, _, words in parts if name == value and words), "")


class NumberEditor(LineEditor):
    """One line, and below it the result when an expression stands there.

    Where 0 stands for something else, `zero` says for what, and so does the empty line; `none` what it
    means that nothing is written.
    """

    def __init__(
        self,
        context: Context,
        unit: str,
        name: str,
        *,
        limits: Mapping[str, float] | None = None,
        optional: bool = False,
        integer: bool = False,
        zero: str = "",
        none: str = "",
    ) -> None:
        super().__init__()
        self._context, self._unit, self._limits = context, unit, limits or {}
        self._optional, self._integer, self._zero = optional, integer, zero
        self._none = none if 0 < len(none) <= ROOM else "automatic"
        line = self._add_line(self._read, name)
        line.finished.connect(self.committed)
        self._row.setDirection(QHBoxLayout.Direction.TopToBottom)
        self._row.setSpacing(0)
        self._result = label("", "muted", f"{name}.result")
        self._result.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row.addWidget(self._result)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        text, tip = ("", "") if mixed else number_text(value, self._unit, self._context)
        if self._zero and value == 0:
            text = ""
        blank = self._zero or (self._none if self._optional else "")
        self.lines[0].setPlaceholderText(SEVERAL if mixed else blank)
        self.lines[0].show_text(text, tip)
        result = tip if isinstance(value, str) and not mixed and tip.startswith("=") else ""
        self._result.setText(result)
        self._result.setVisible(bool(result))

    def needed(self) -> int:
        return max(super().needed(), self._result.sizeHint().width() if self._result.text() else 0)

    def _read(self, text: str) -> Any:
        if not text.strip() and (self._optional or self._zero):
            return None if self._optional else 0 if self._integer else 0.0
        value = self._context.units.parse(text, self._unit, self._context.names)
        if self._integer and (isinstance(value, str) or not float(value).is_integer()):
            raise UnitError("a whole number is needed")
        value = check_limits(value, self._limits, self._context)
        return int(value) if self._integer else value


KIND = EditorKind(
    "number",
    lambda ask: (ask.field.role == "number" and not isinstance(ask.value, dict)) or ask.bare is int,
    lambda ask: NumberEditor(
        ask.context,
        ask.field.unit,
        ask.name,
        limits=ask.field.limits,
        optional=ask.optional,
        integer=ask.bare is int,
        zero=words_of("0", ask.field.description),
        none=words_of("null", ask.field.description),
    ),
)
