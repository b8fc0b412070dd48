"""The check of the scene (freedoms, redundancy), on a thread, after a pause in the edits."""

from __future__ import annotations

from collections.abc import Callable

from app.session.background.worker import Worker
from engine.analyses.check import Report, check_scene
from engine.errors import SceneError
from engine.model.scene import Scene

DELAY = 0.2  # s without another edit before the mobility is worked out


class Checker:
    """Tells `done` the report of the newest scene only; a scene that cannot be checked has none."""

    def __init__(self, fault: Callable[[str], object], done: Callable[[Report], object]) -> None:
        self.worker = Worker("trammel-checker", fault)
        self._done = done
        self._order = 0

    def forget(self) -> None:
        self._order += 1

    def check(self, scene: Scene) -> None:
        self.forget()
        order = self._order
        self.worker.post(lambda: self._check(order, scene))

    def _check(self, order: int, scene: Scene) -> None:
        if order != self._order or not self.worker.rest(DELAY) or order != self._order:
            return
        try:
            report = check_scene(scene)
        except SceneError:
            return
        self.worker.results.post(lambda: order == self._order and self._done(report))
