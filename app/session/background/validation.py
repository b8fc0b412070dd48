"""What is wrong with the scene, found on a thread: no edit waits for it, and only the newest scene counts."""

from __future__ import annotations

from collections.abc import Callable

from app.session.background.worker import Worker
from engine.errors import Problem
from engine.model.scene import Scene
from engine.system.prepared import prepare


class Validator:
    """Tells `done` each scene with its problems, unless a newer one has come."""

    def __init__(
        self, fault: Callable[[str], object], done: Callable[[Scene, tuple[Problem, ...]], object]
    ) -> None:
        self.worker = Worker("trammel-validator", fault)
        self._done = done
        self._newest: Scene | None = None

    def check(self, scene: Scene) -> None:
        self._newest = scene
        self.worker.post(lambda: self._check(scene))

    def forget(self) -> None:
        self._newest = None

    def _check(self, scene: Scene) -> None:
        if scene is not self._newest:
            return
        problems = prepare(scene).problems
        self.worker.results.post(lambda: scene is self._newest and self._done(scene, problems))
