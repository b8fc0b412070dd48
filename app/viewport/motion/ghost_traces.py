"""The traces of other runs, up to the instant that is shown."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.session.recorded.run import Run
from app.viewport.canvas.surface import Array
from app.viewport.motion.trace_paths import TraceHistory
from app.viewport.scene.path_lines import ColoredPath

SAMPLES = 3000  # of a path: fifty turns stay round


class GhostTraces:
    """What a run has recorded of its traced points is read once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, Array, Array]] = {}  # run → its end, times, places

    def paths(self, runs: Mapping[int, Run], t: float) -> list[ColoredPath]:
        self._known = {key: known for key, known in self._known.items() if key in runs}
        found = []
        for key, run in runs.items():
            if key not in self._known or self._known[key][0] != run.t_last:
                tracked = TraceHistory(run.scene_at(run.t_last)).tracked
                self._known[key] = (run.t_last, *run.track(tracked, run.t_first, run.t_last, SAMPLES))
            _, times, places = self._known[key]
            end = int(np.searchsorted(times, t, side="right"))
            for i in range(places.shape[1]):
                path = places[:end, i]
                found.append(ColoredPath(path[np.isfinite(path).all(axis=1)], run.color))
        return found
