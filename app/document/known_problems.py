"""What is known to be wrong with the scene of a document, by element. No widgets."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.document.document import Document, Ref
from app.document.problem_elements import problems_by_element
from engine.errors import Problem
from engine.model.scene import Scene


class Faults(QObject):
    """Two sources: the checks of the scene as it is written, and compiling or assembly of it."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._unsound: dict[Ref | None, list[Problem]] = {}  # what the checks found
        self.problems: tuple[Problem, ...] = ()  # what compiling or assembly found

    def forget(self) -> None:
        """Another scene: what was wrong with the old one is of no use."""
        self._unsound = {}
        self.set_problems(())

    def set_problems(self, problems: tuple[Problem, ...]) -> None:
        """What compiling or assembly found in the scene as it is now."""
        if problems != self.problems:
            self.problems = problems
            self.changed.emit()

    def set_unsound(self, scene: Scene, problems: tuple[Problem, ...]) -> None:
        """What the checks found in a scene."""
        found = problems_by_element(scene, problems)
        if found != self._unsound:
            self._unsound = found
            self.changed.emit()

    def by_element(self) -> dict[Ref | None, list[Problem]]:
        """All of them; None: what is wrong with the scene itself."""
        found = {ref: list(problems) for ref, problems in self._unsound.items()}
        for ref, problems in problems_by_element(self._document.scene, self.problems).items():
            known = found.setdefault(ref, [])
            known += [problem for problem in problems if problem not in known]
        return {
            ref: problems for ref, problems in found.items() if ref is None or self._document.element(ref)
        }
