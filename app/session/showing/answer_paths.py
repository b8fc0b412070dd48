"""Lines in the world that an answer draws into the viewport, such as the edges of a tolerance band."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from engine.compiled.layout import Array


class AnswerPaths(QObject):
    """The lines of the answer that is on screen; none for another scene."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.paths: tuple[Array, ...] = ()

    def show(self, paths: Sequence[Array]) -> None:
        """These lines, (n, 3) each [m, world], in place of those before."""
        if paths or self.paths:
            self.paths = tuple(paths)
            self.changed.emit()
