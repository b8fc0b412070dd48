"""A scene made ready once: checked and compiled for everybody who asks, on whatever thread.

Loading, building a run, the check, a drag and the edit that ends it are about the same frozen scene, each on
a thread of its own. Scenes are told apart by identity, which costs nothing; the few that were asked about
last are kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable

from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism
from engine.system.mouse_pulls import with_mouse

MAX_KEPT = 4  # scenes: the present one, those before and after an edit, one that is tried out


class Prepared:
    """What is known of a scene. Each part is worked out when first asked for; who comes second waits."""

    def __init__(self, scene: Scene, problems: Iterable[Problem] | None = None) -> None:
        """`problems`: what the checks have found, where they have been made already."""
        self.scene = scene
        self._problems = None if problems is None else tuple(problems)
        self._mechanism: Mechanism | None = None
        self._watched: Mechanism | None = None
        self._lock = threading.RLock()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the checks find in the scene; nothing when it is sound."""
        with self._lock:
            if self._problems is None:
                self._problems = tuple(validate(self.scene))
            return self._problems

    @property
    def mechanism(self) -> Mechanism:
        """The compiled scene, sound or not; raises SceneError when it is no mechanism."""
        with self._lock:
            if self._mechanism is None:
                self._mechanism = compile_scene(self.scene)
            return self._mechanism

    @property
    def watched(self) -> Mechanism:
        """The same for a run that a person watches: its bodies can be pulled."""
        with self._lock:
            if self._watched is None:
                self._watched = with_mouse(self.mechanism)
            return self._watched

    def refuse_problems(self) -> Prepared:
        """Itself; raises SceneError with all that the checks find."""
        if self.problems:
            raise SceneError(self.problems)
        return self


# by identity; each holds its scene, so no number is used twice
_kept: OrderedDict[int, Prepared] = OrderedDict()
_kept_lock = threading.Lock()


def prepare(scene: Scene, problems: Iterable[Problem] | None = None) -> Prepared:
    """The one object of this scene. `problems` is told by whoever has made the checks, such as a loader."""
    with _kept_lock:
        found = _kept.get(id(scene))
        if found is None:
            found = _kept[id(scene)] = Prepared(scene, problems)
        _kept.move_to_end(id(scene))
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)
        return found
