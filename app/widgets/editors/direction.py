"""A direction: one of the axes, or any vector, turned round or brought to length one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from app.platform.appearance import tool_button
from app.widgets.editors.base import SEVERAL, Change, Context, Editor
from app.widgets.editors.choice import ChoiceEditor
from app.widgets.editors.editor_kind import EditorKind
from app.widgets.editors.parts.numbers import number_now
from app.widgets.editors.vector import VectorEditor, width
from engine.maths.expressions import ExpressionError

FREE = "free"
_WORDS = {0: "x", 1: "y", 2: "z"}


def presets(count: int) -> list[tuple[str, tuple[float, ...]]]:
    """x, y, z, −x, −y, −z, as far as the space has them."""
    return [
        (mark + _WORDS[axis], tuple(sign if i == axis else 0.0 for i in range(count)))
        for sign, mark in ((1.0, ""), (-1.0, "−"))
        for axis in range(count)
    ]


class DirectionEditor(Editor):
    """Above: which axis, and two buttons. Below: the components."""

    wide = True

    def __init__(self, context: Context, name: str, count: int, *, optional: bool) -> None:
        super().__init__()
        self._context, self._count = context, count
        self._presets = presets(count)
        options: list[tuple[str, Any]] = [*self._presets, (FREE, FREE)]
        if optional:
            options.append(("automatic", None))
        self._choice = ChoiceEditor(f"{name}.axis", options)
        self._vector = VectorEditor(context, "", name, range(count))
        self._flip = tool_button(context.look, f"{name}.flip", "flip", "Turn the direction round")
        self._normalise = tool_button(
            context.look, f"{name}.normalise", "normalise", "Make the direction one unit long"
        )
        top = QHBoxLayout()
        top.setSpacing(2)
        top.addWidget(self._choice, 1)
        top.addWidget(self._flip)
        top.addWidget(self._normalise)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self._vector)
        self._choice.committed.connect(self._chosen)
        self._vector.committed.connect(self.committed)
        self._vector.complained.connect(self.complained)
        self._flip.clicked.connect(lambda: self.committed.emit(Change(flipped)))
        self._normalise.clicked.connect(lambda: self.committed.emit(Change(self._unit_long)))

    def busy(self) -> bool:
        return self._vector.busy()

    def complain(self, reason: str) -> None:
        self._vector.complain(reason)

    def show_values(self, values: Sequence[Any]) -> None:
        found = [self._preset(value) for value in values]
        mixed = any(item != found[0] for item in found[1:])
        if mixed:
            self._choice.show_value(None, mixed=True)
        else:
            self._choice.show_value(found[0])
        given = all(isinstance(value, tuple) for value in values)
        self._vector.setVisible(given and (mixed or found[0] == FREE))
        self._vector.show_values(values)
        for button in (self._flip, self._normalise):
            button.setEnabled(given)
        self._choice.setToolTip(SEVERAL if mixed else "")

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self.show_values([value])

    def _preset(self, value: Any) -> Any:
        if value is None:
            return None
        numbers = tuple(value)
        padded = numbers[: self._count]
        known = [axis for _, axis in self._presets]
        plain = all(isinstance(item, int | float) for item in numbers)
        return padded if plain and padded in known and not any(numbers[self._count :]) else FREE

    def _chosen(self, value: Any) -> None:
        if value == FREE:  # the components come up; nothing has changed yet
            self._vector.show()
            self._vector.lines[0].setFocus()
        else:
            self.committed.emit(value)

    def _unit_long(self, value: Any) -> Any:
        try:
            numbers = [number_now(item, self._context) for item in value]
        except (ExpressionError, TypeError):
            return value
        length = math.sqrt(sum(x * x for x in numbers))
        if not length or math.isclose(length, 1.0, rel_tol=1e-15):
            return value
        return tuple(x / length for x in numbers)


def flipped(value: Any) -> Any:
    """The opposite direction; expressions stay expressions."""
    return tuple(negative(item) for item in value) if isinstance(value, tuple) else value


def negative(item: Any) -> Any:
    if not isinstance(item, str):
        return -item if item else 0.0
    inner = item[2:-1]
    if item.startswith("-(") and item.endswith(")") and "(" not in inner and ")" not in inner:
        return inner
    return f"-({item})"


KIND = EditorKind(
    "direction",
    lambda ask: ask.field.role == "vec" and bool(ask.field.extra.get("direction")),
    lambda ask: DirectionEditor(ask.context, ask.name, width(ask), optional=ask.optional),
)
