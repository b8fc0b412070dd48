"""Numbers in one line, apart by semicolons: `0.1; 0.2; L1/3`."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from app.widgets.editors.base import SEVERAL, Context
from app.widgets.editors.editor_kind import Ask, EditorKind
from app.widgets.editors.parts.numbers import number_text
from app.widgets.editors.parts.text_line import LineEditor


class ListEditor(LineEditor):
    """As many numbers as one likes."""

    wide = True

    def __init__(self, context: Context, unit: str, name: str, *, optional: bool) -> None:
        super().__init__()
        self._context, self._unit, self._optional = context, unit, optional
        line = self._add_line(self._read, name)
        line.finished.connect(self.committed)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        hint = SEVERAL if mixed else "automatic" if self._optional else "numbers apart by ;"
        self.lines[0].setPlaceholderText(hint)
        items = [] if mixed or value is None else list(value)
        text = "; ".join(number_text(item, self._unit, self._context)[0] for item in items)
        self.lines[0].show_text(text, text)

    def _read(self, text: str) -> Any:
        if self._optional and not text.strip():
            return None
        cells = [cell for cell in text.split(";") if cell.strip()]
        return tuple(self._context.units.parse(cell, self._unit, self._context.names) for cell in cells)


def _fits(ask: Ask) -> bool:
    """A list whose length is free, of plain numbers."""
    if ask.field.role != "number" or get_origin(ask.bare) is not tuple:
        return False
    inner = get_args(ask.bare)
    return len(inner) == 2 and inner[1] is Ellipsis and get_origin(inner[0]) is not tuple


KIND = EditorKind(
    "list",
    _fits,
    lambda ask: ListEditor(ask.context, ask.field.unit, ask.name, optional=ask.optional),
)
