"""Expressions of channels: their writing is checked here, their names when the scene is compiled."""

from __future__ import annotations

from typing import Any

from app.widgets.editors.editor_kind import EditorKind
from app.widgets.editors.text import TextEditor
from engine.maths.expressions import parse


class ExpressionEditor(TextEditor):
    """One expression."""

    wide = True

    def __init__(self, name: str) -> None:
        def check(text: str) -> str:
            parse(text)
            return text

        super().__init__(name, check)


class ExpressionsEditor(TextEditor):
    """Expressions in one line, apart by semicolons."""

    wide = True

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


SEVERAL_EXPRESSIONS = EditorKind(
    "expressions",
    lambda ask: ask.field.role == "expression" and not isinstance(ask.value, str),
    lambda ask: ExpressionsEditor(ask.name),
)
KIND = EditorKind(
    "expression", lambda ask: ask.field.role == "expression", lambda ask: ExpressionEditor(ask.name)
)
