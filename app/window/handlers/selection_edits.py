"""Edits of what is selected: made, told when they cannot be, their results selected."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.document.document import Edit, Ref
from app.document.element_words import reason, shown_refs
from app.session.session import Session
from engine.errors import SceneError
from engine.model.scene import Scene


class SelectionEdits:
    """Handlers of several menus edit through it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def selected(self) -> tuple[Ref, ...]:
        """What is selected of the scene that is shown."""
        return tuple(shown_refs(self._session.document.scene, self._session.selection.refs))

    def apply(self, make: Callable[[Scene], Edit]) -> None:
        """Make an edit; what is new in the scene is selected."""
        self._take(lambda: make(self._session.document.scene))

    def compute(self, words: str, make: Callable[[Scene], Edit]) -> None:
        """The same for an edit that works out poses, named by words: on a thread, after the compiler."""
        self._session.computed.ask(words, make, self._take)

    def _take(self, made: Callable[[], Edit]) -> None:
        with self.told():
            edit = made()
            self._session.document.apply(edit)
            if edit.made:
                self._session.selection.set(edit.made)
            for note in edit.notes:
                self._session.message.emit("info", note, None)

    @contextmanager
    def told(self) -> Iterator[None]:
        """What cannot be done is said in the messages."""
        try:
            yield
        except (SceneError, ValueError, KeyError) as error:
            self._session.message.emit("warning", reason(error), None)
