"""A point of a body: by name, or by coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QVBoxLayout

from app.widgets.editors.base import Context, Editor
from app.widgets.editors.choice import ChoiceEditor
from app.widgets.editors.editor_kind import Ask, EditorKind, choices
from app.widgets.editors.vector import VectorEditor, width


class PointEditor(Editor):
    """A drop-down of the body's points, and below it coordinates where no point is named."""

    def __init__(
        self, context: Context, name: str, count: int, points: Sequence[str], *, optional: bool
    ) -> None:
        super().__init__()
        self._zero = (0.0,) * count
        self.wide = count > 2
        options: list[tuple[str, Any]] = [(f"point {point}", point) for point in points]
        options.append(("coordinates", self._zero))
        if optional:
            options.append(("automatic", None))
        self._choice = ChoiceEditor(name, options)
        self._coordinates = VectorEditor(context, "m", f"{name}.xyz", range(count))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._choice)
        column.addWidget(self._coordinates)
        self._choice.committed.connect(self.committed)
        self._coordinates.committed.connect(self.committed)
        self._coordinates.complained.connect(self.complained)

    def needed(self) -> int:
        given = 0 if self._coordinates.isHidden() else self._coordinates.needed()
        return max(self._choice.needed(), given)

    def fit(self, room: int) -> None:
        self._coordinates.fit(room)

    def busy(self) -> bool:
        return self._coordinates.busy()

    def show_values(self, values: Sequence[Any]) -> None:
        kinds = [self._zero if isinstance(value, tuple) else value for value in values]
        mixed = any(kind != kinds[0] for kind in kinds[1:])
        self._choice.show_value(kinds[0], mixed=mixed)
        given = all(isinstance(value, tuple) for value in values)
        self._coordinates.setVisible(given)
        if given:
            self._coordinates.show_values(values)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self.show_values([value])

    def complain(self, reason: str) -> None:
        self._coordinates.complain(reason)


def _points(ask: Ask) -> list[str]:
    """Names of points that all bodies in question have."""
    wanted = {getattr(owner, "body", None) for owner in ask.owners}
    named = [[point.name for point in body.points] for body in ask.scene.bodies if body.name in wanted]
    return [name for name in named[0] if all(name in others for others in named[1:])] if named else []


KIND = EditorKind(
    "point",
    lambda ask: ask.field.role == "vec" and str in choices(ask.field.type),
    lambda ask: PointEditor(ask.context, ask.name, width(ask), _points(ask), optional=ask.optional),
)
