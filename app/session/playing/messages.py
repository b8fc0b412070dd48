"""How the parts of the session tell the user something."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.document.document import Document, Ref
from app.document.known_problems import Faults
from app.document.problem_elements import ref_of
from engine.errors import Problem

SHOWN = 5  # problems that are told one by one; the panel lists all


class Messages(QObject):
    told = Signal(str, str, object)  # level (info, warning, error), text, Ref or None

    def __init__(self, document: Document, faults: Faults, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._faults = faults

    def tell(self, level: str, text: str, ref: Ref | None = None) -> None:
        self.told.emit(level, text, ref)

    def tell_problems(self, problems: Sequence[Problem]) -> None:
        """Keep what is wrong with the scene as it is now, and say it."""
        self._faults.set_problems(tuple(problems))
        for problem in problems[:SHOWN]:
            self.tell("error", f"{problem.message}; {problem.remedy}", ref_of(self._document.scene, problem))

    def tell_fault(self, text: str) -> None:
        """A job on another thread has raised."""
        self.tell("error", f"a background job met a fault of the program:\n{text}")
