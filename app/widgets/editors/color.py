"""A colour as #rrggbb, with a swatch that opens the colour dialog."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QColorDialog, QToolButton

from app.platform.units import UnitError
from app.widgets.editors.editor_kind import EditorKind
from app.widgets.editors.parts.text_line import LineEditor


class ColorEditor(LineEditor):
    """Empty means the theme's own colour."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._swatch = QToolButton()
        self._swatch.setObjectName(f"{name}.swatch")
        self._swatch.setToolTip("Choose a colour")
        self._swatch.setAccessibleName("Choose a colour")
        self._swatch.setFixedSize(QSize(24, 22))
        self._row.addWidget(self._swatch)
        line = self._add_line(self._read, name)
        line.finished.connect(self.committed)
        self._swatch.clicked.connect(self._choose)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        text = "" if mixed else str(value or "")
        self.lines[0].setPlaceholderText("several" if mixed else "theme")
        self.lines[0].show_text(text)
        self._swatch.setStyleSheet(f"background: {text or 'transparent'}; border: 1px solid gray;")

    def _read(self, text: str) -> str:
        text = text.strip()
        if text and (len(text) != 7 or not QColor(text).isValid()):
            raise UnitError("write #rrggbb, for instance #0072b2, or nothing for the theme's own")
        return text

    def _choose(self) -> None:
        color = QColorDialog.getColor(QColor(self.lines[0].text() or "#0072b2"), self)
        if color.isValid():
            self.committed.emit(color.name())


KIND = EditorKind("color", lambda ask: ask.field.name == "color", lambda ask: ColorEditor(ask.name))
