"""What is selected: an ordered set of references, one and the same for all views."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from app.document.document import Ref, SceneChange
from app.document.element_ref import Piece


class Selection(QObject):
    """Selected elements in the order in which they were chosen, and the one under the mouse."""

    changed = Signal()
    hover_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._refs: tuple[Ref, ...] = ()
        self._hovers: tuple[Ref, ...] = ()
        self._piece: Piece | None = None
        self._added: tuple[Ref, ...] = ()  # by the last edit

    @property
    def refs(self) -> tuple[Ref, ...]:
        return self._refs

    @property
    def is_new(self) -> bool:
        """Whether it is what the last edit made: selected by the program, not chosen by the user."""
        return any(ref.element in self._added for ref in self._refs)

    @property
    def hover(self) -> Ref | None:
        """The first of them that are pointed at."""
        return self._hovers[0] if self._hovers else None

    @property
    def hovers(self) -> tuple[Ref, ...]:
        """What is pointed at: one element, or all that a cell of a matrix belongs to."""
        return self._hovers

    def __contains__(self, ref: object) -> bool:
        return ref in self._refs

    def set(self, refs: Iterable[Ref]) -> None:
        new = tuple(dict.fromkeys(refs))
        if new != self._refs:
            self._refs, self._piece = new, None
            self.changed.emit()

    @property
    def piece(self) -> Piece | None:
        """The point or shape of the selected body that handles take hold of; gone with the selection."""
        return self._piece

    def set_piece(self, piece: Piece | None) -> None:
        self._piece = piece

    def toggle(self, ref: Ref) -> None:
        self.set(r for r in self._refs if r != ref) if ref in self._refs else self.set((*self._refs, ref))

    def clear(self) -> None:
        self.set(())

    def set_hover(self, *refs: Ref | None) -> None:
        new = tuple(dict.fromkeys(ref for ref in refs if ref is not None))
        if new != self._hovers:
            self._hovers = new
            self.hover_changed.emit()

    def follow(self, change: SceneChange) -> None:
        """Keep the same elements selected after an edit: renamed ones by their new name, removed ones not."""
        self._added = () if change.reset else change.added
        kept = (change.follow(ref) for ref in self._refs)
        self.set(ref for ref in kept if ref is not None)
        self.set_hover(*(change.follow(ref) for ref in self._hovers))
