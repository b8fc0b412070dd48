"""One of some words, or the name of another element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin

from PySide6.QtWidgets import QComboBox, QHBoxLayout

from app.platform.appearance import restyle
from app.widgets.editors.base import SEVERAL, Editor
from app.widgets.editors.editor_kind import Ask, EditorKind
from app.widgets.mouse_wheel import pass_wheel
from engine.elements.base import WORLD

ARROW = 36  # px that a drop-down takes beside its text


class ChoiceEditor(Editor):
    """A drop-down; a value that is no choice any more is shown and marked."""

    def __init__(self, name: str, options: Sequence[tuple[str, Any]]) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.box = QComboBox()
        self.box.setObjectName(name)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(5)
        self._data = [data for _, data in options]  # Qt would turn tuples into lists
        for text, _ in options:
            self.box.addItem(text)
        pass_wheel(self.box)
        row.addWidget(self.box)
        self.box.activated.connect(lambda index: self.committed.emit(self._data[index]))

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        index = next((i for i, data in enumerate(self._data) if data == value), -1)
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

    def needed(self) -> int:
        shown = self.box.currentText() or self.box.placeholderText()
        return self.fontMetrics().horizontalAdvance(shown) + ARROW

    def complain(self, reason: str) -> None:
        self.box.setProperty("wrong", bool(reason))
        restyle(self.box)
        self.complained.emit(reason)


def _names(ask: Ask) -> list[tuple[str, Any]]:
    names = [item.name for item in getattr(ask.scene, str(ask.field.extra.get("to")))]
    if ask.field.extra.get("ground"):
        names.insert(0, WORLD)
    none = ask.field.extra.get("optional")
    return [*([(str(none), "")] if none else []), *((name, name) for name in names)]


def _shown(ask: Ask, word: Any) -> str:
    """A choice as people write it: `hunt_crossley` is Hunt–Crossley."""
    return str(ask.field.extra.get("words", {}).get(word, word)) or "automatic"


REFERENCE = EditorKind(
    "reference",
    lambda ask: ask.field.role == "reference",
    lambda ask: ChoiceEditor(ask.name, _names(ask)),
)
NUMBERED = EditorKind(  # numbers of which each has a meaning
    "numbered choice",
    lambda ask: bool(ask.field.extra.get("choices")),
    lambda ask: ChoiceEditor(
        ask.name, [(text, float(k)) for k, text in enumerate(ask.field.extra["choices"])]
    ),
)
KIND = EditorKind(
    "choice",
    lambda ask: get_origin(ask.bare) is Literal,
    lambda ask: ChoiceEditor(ask.name, [(_shown(ask, word), word) for word in get_args(ask.bare)]),
)
