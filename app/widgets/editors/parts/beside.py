"""A small title and what it names, in one row."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.platform.appearance import label


def beside(title: str, editor: QWidget, name: str) -> QWidget:
    """The row; `name` is that of the title."""
    made = QWidget()
    made.setObjectName(f"{name}.row")
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(label(title, "muted", name))
    row.addWidget(editor, 1)
    return made
