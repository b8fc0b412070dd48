"""An edit that works out poses, such as lining up pins: made on a thread, when the code for it is there.

The window's own thread neither compiles for it nor waits for it. At most one waits at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.document.document import Document, Edit
from app.session.background.latest_only import LatestOnly, Order
from app.session.background.run_builder import Builder
from engine.errors import SceneError
from engine.model.scene import Scene

Make = Callable[[Scene], Edit]
# takes the edit, which raises SceneError where it cannot be made
Give = Callable[[Callable[[], Edit]], object]


@dataclass(frozen=True)
class Asked:
    """What is wanted of which scene, in words, and who takes it."""

    words: str
    scene: Scene
    make: Make
    give: Give


class ComputedEdits:
    """Waits for the compiler, then works on its thread; another edit of the scene takes the wish back."""

    def __init__(self, document: Document, builder: Builder, fault: Callable[[str], object]) -> None:
        self.worker = LatestOnly("trammel-edits", fault)
        self._document, self._builder = document, builder
        self._asked: Asked | None = None
        self._begun = False

    @property
    def words(self) -> str:
        """What is waited for; empty when nothing is."""
        return self._asked.words if self._asked is not None else ""

    def ask(self, words: str, make: Make, give: Give) -> None:
        """Have an edit of the present scene made; `give` is handed it, unless the scene changes before."""
        self.forget()
        self._asked = Asked(words, self._document.scene, make, give)
        self.follow()

    def forget(self) -> bool:
        """Nobody wants it any more; whether something was waited for."""
        waited, self._asked, self._begun = self._asked is not None, None, False
        self.worker.forget()
        return waited

    def follow(self) -> None:
        """Begin as soon as nothing has to be compiled; called in every frame."""
        asked = self._asked
        if asked is None or self._begun or self._builder.worker.busy:
            return
        if self._builder.lacks_kernels(asked.scene):  # and nobody has them compiled
            self._builder.have_kernels(asked.scene, lambda problems: None)
            return
        self._begun = True
        self.worker.order(lambda order: self._work(order, asked))

    def _work(self, order: Order, asked: Asked) -> None:
        try:
            edit = asked.make(asked.scene)
        except (SceneError, ValueError, KeyError) as error:
            refused = error
            order.tell(lambda: self._over(asked, _raising(refused)))
        else:
            order.tell(lambda: self._over(asked, lambda: edit))

    def _over(self, asked: Asked, made: Callable[[], Edit]) -> None:
        self._asked, self._begun = None, False
        asked.give(made)


def _raising(error: Exception) -> Callable[[], Edit]:
    def made() -> Edit:
        raise error

    return made
