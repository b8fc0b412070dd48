"""The check of the scene (degrees of freedom, redundancy), on a thread, after a pause in the edits."""

from __future__ import annotations

from collections.abc import Callable

from app.session.background.latest_only import LatestOnly, Order
from app.session.background.picture_first import pause_before
from engine.analyses.check import Report, check_scene
from engine.errors import SceneError
from engine.model.scene import Scene

DELAY = 0.2  # s without another edit before the mobility is worked out


class Checker:
    """Tells `done` the report of the newest scene only; a scene that cannot be checked has none."""

    def __init__(self, fault: Callable[[str], object], done: Callable[[Report], object]) -> None:
        self.worker = LatestOnly("trammel-checker", fault)
        self._done = done

    def forget(self) -> None:
        self.worker.forget()

    def check(self, scene: Scene) -> None:
        self.worker.order(lambda order: self._check(order, scene), delay=DELAY + pause_before(scene))

    def _check(self, order: Order, scene: Scene) -> None:
        try:
            report = check_scene(scene)
        except SceneError:
            return
        order.tell(lambda: self._done(report))
