"""What is wrong with the scene, found on a thread: no edit waits for it, and only the newest scene counts."""

from __future__ import annotations

from collections.abc import Callable

from app.session.background.latest_only import LatestOnly, Order
from app.session.background.picture_first import pause_before
from engine.errors import Problem
from engine.model.scene import Scene
from engine.system.prepared import prepare


class Validator:
    """Tells `done` each scene with its problems, unless a newer one has come."""

    def __init__(
        self, fault: Callable[[str], object], done: Callable[[Scene, tuple[Problem, ...]], object]
    ) -> None:
        self.worker = LatestOnly("trammel-validator", fault)
        self._done = done

    def check(self, scene: Scene) -> None:
        self.worker.order(lambda order: self._check(order, scene), delay=pause_before(scene))

    def _check(self, order: Order, scene: Scene) -> None:
        problems = prepare(scene).problems
        order.tell(lambda: self._done(scene, problems))
