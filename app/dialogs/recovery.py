"""Unsaved work that a crash has left: opened, deleted, or kept for the next start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.widgets.show_once import show_once


class Answer(Enum):
    """What shall become of the copies."""

    OPEN = "open the newest one"
    DELETE = "delete them"
    LATER = "keep them"


def ask_recovery(parent: QWidget, copies: Sequence[Path]) -> Answer:
    """Esc keeps them: only a click on Delete loses anything."""
    box = QMessageBox(parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setObjectName("recovery")
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Recover unsaved work?")
    box.setText("Trammel ended unexpectedly, with work that was not saved.")
    one = len(copies) == 1
    kept = "A copy of it was" if one else f"{len(copies)} copies of it were"
    box.setInformativeText(f"{kept} kept{_when(copies)}.")
    roles = QMessageBox.ButtonRole
    choices = {
        box.addButton("Open it" if one else "Open the newest", roles.AcceptRole): Answer.OPEN,
        box.addButton("Delete it" if one else "Delete all", roles.DestructiveRole): Answer.DELETE,
        box.addButton("Later", roles.RejectRole): Answer.LATER,
    }
    for button, answer in choices.items():
        button.setObjectName(f"recovery.{answer.name.lower()}")
        if answer is Answer.OPEN:
            box.setDefaultButton(button)
    show_once(box)
    return next((answer for button, answer in choices.items() if button is box.clickedButton()), Answer.LATER)


def _when(copies: Sequence[Path]) -> str:
    """When the newest one was written, if that can be told."""
    try:
        written = datetime.fromtimestamp(copies[0].stat().st_mtime)
    except OSError:
        return ""
    day, clock = f"{written.day} {written:%B}", f"{written:%H:%M}"
    return f" on {day} at {clock}" if len(copies) == 1 else f"; the newest is of {day}, {clock}"
