"""Yes or no."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout

from app.widgets.editors.base import Editor
from app.widgets.editors.editor_kind import EditorKind


class FlagEditor(Editor):
    """A box to tick; half ticked where elements differ."""

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
        states = Qt.CheckState
        self.box.setTristate(mixed)
        plain = states.Checked if value else states.Unchecked
        self.box.setCheckState(states.PartiallyChecked if mixed else plain)


KIND = EditorKind("flag", lambda ask: ask.bare is bool, lambda ask: FlagEditor(ask.name))
