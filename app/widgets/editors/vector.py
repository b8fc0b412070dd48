"""Some numbers side by side: a point, a velocity, a size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.widgets.editors.base import Change, Context, Editor
from app.widgets.editors.editor_kind import Ask, EditorKind
from app.widgets.editors.parts.numbers import check_limits, number_text
from app.widgets.editors.parts.text_line import LineEditor

AXES = "xyzw"
ABOUT_Z = ("angular_velocity", "rotational_stiffness", "rotational_damping")  # in the plane, z alone counts


class VectorEditor(LineEditor):
    """Of several elements, only the component that is typed becomes the same; the others stay."""

    def __init__(
        self,
        context: Context,
        unit: str,
        name: str,
        components: Sequence[int],
        *,
        limits: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__()
        self._context, self._unit, self._limits = context, unit, limits or {}
        self._components = tuple(components)
        self.wide = len(self._components) > 2  # beside their title, three numbers would be cut off
        for index in self._components:
            line = self._add_line(self._read, f"{name}.{index}")
            line.setAccessibleName(AXES[index] if index < len(AXES) else str(index + 1))
            line.finished.connect(lambda value, index=index: self._finish(index, value))

    def show_values(self, values: Sequence[Any]) -> None:
        for index, line in zip(self._components, self.lines, strict=True):
            items = [_component(value, index) for value in values]
            mixed = any(item != items[0] for item in items[1:])
            text, tip = ("", "") if mixed else number_text(items[0], self._unit, self._context)
            line.setPlaceholderText("…" if mixed else "auto" if values[0] is None else "")
            line.show_text(text, tip)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self.show_values([value])

    def _read(self, text: str) -> Any:
        value = self._context.units.parse(text, self._unit, self._context.names)
        return check_limits(value, self._limits, self._context)

    def _finish(self, index: int, value: Any) -> None:
        count = max(self._components) + 1

        def make(old: Any) -> tuple[Any, ...]:
            given = tuple(old) if isinstance(old, tuple | list) else ()
            new = [*given, *[0.0] * (count - len(given))]
            new[index] = value
            return tuple(new)

        self.committed.emit(Change(make))


def _component(value: Any, index: int) -> Any:
    if not isinstance(value, tuple | list):
        return None
    return value[index] if index < len(value) else 0.0


def width(ask: Ask) -> int:
    """How many components a vector has here."""
    if ask.planar and ask.field.extra.get("frame") == "plane":
        return 2
    return len(ask.value) if isinstance(ask.value, tuple) else 2 if ask.planar else 3


def components(ask: Ask) -> Sequence[int]:
    """The components that count here: what turns in a planar scene has one alone."""
    return (2,) if ask.planar and ask.field.name in ABOUT_Z else range(width(ask))


def _fits(ask: Ask) -> bool:
    return ask.field.role == "vec" or (ask.field.role == "number" and isinstance(ask.value, tuple))


def _make(ask: Ask) -> Editor:
    if ask.field.role == "vec":
        return VectorEditor(ask.context, ask.field.unit, ask.name, components(ask))
    return VectorEditor(ask.context, ask.field.unit, ask.name, range(len(ask.value)), limits=ask.field.limits)


KIND = EditorKind("vector", _fits, _make)
