"""What is drawn to see how fast it is, without a document: six long curves, a hundred bodies."""

import json
import math
import time
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPoint

from app.cli.driving.figures import Figures, spread
from app.panels.plots import whole_span
from app.platform.appearance import Look
from app.viewport.scene.scene_view import SceneView
from app.widgets.plots.box import PlotBox
from engine.compiled.layout import Array
from engine.model.files.scene_file import loads

SIZE = (800, 600)  # px of the viewport
CURVES, SAMPLES = 6, 1_000_000
REFRESHES = 40
BODIES = 100


def six_curves(look: Look, growth: int, pump: Callable[[], object]) -> Figures:
    """Six long curves that grow by so many samples: work and painting of one refresh."""
    run = _LongRun(growth)
    box = PlotBox(look, "bench", title="Six curves")
    for i in range(CURVES):
        box.add_channel(f"curve{i}")
    box.resize(SIZE[0], 300)
    box.move(QPoint(0, 0))
    box.show()
    times, shown = [], None
    for _ in range(REFRESHES + 3):
        run.grow()
        begin = time.perf_counter()
        span = whole_span(run.t_first, run.t_last)
        if span != shown:
            shown = span
            box.plot.getViewBox().setXRange(*span, padding=0.0)
        box.refresh([run], run, run.t_last, span)
        box.plot.viewport().repaint()
        times.append(1e3 * (time.perf_counter() - begin))
        pump()
    box.close()
    box.deleteLater()
    return spread(times[3:])  # the first ones read the past


def hundred_bodies() -> Figures:
    """A picture of a moving chain of 100 bars with a symbol at every joint, without the window."""
    bars = [
        {
            "name": f"bar{i}",
            "mass": 1,
            "inertia": [0.1],
            "position": [i % 10, i // 10],
            "points": [{"name": "a", "position": [0, 0]}, {"name": "b", "position": [0.9, 0]}],
            "shapes": [{"kind": "rod", "start": [0, 0], "end": [0.9, 0], "radius": 0.05}],
        }
        for i in range(BODIES)
    ]
    joints = [
        {
            "name": f"joint{i}",
            "kind": "revolute",
            "a": {"body": f"bar{i - 1}" if i else "world", "point": "b" if i else [0, 0]},
            "b": {"body": f"bar{i}", "point": "a"},
        }
        for i in range(BODIES)
    ]
    facts = {"format": "trammel-scene", "version": 1, "space": "planar", "bodies": bars, "joints": joints}
    view = SceneView(SIZE)
    view.set_scene(loads(json.dumps(facts)))
    view.framing.fit()
    times = []
    for k in range(REFRESHES + 3):
        c, s = math.cos(0.05 * k), math.sin(0.05 * k)
        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        poses = {f"bar{i}": (np.array([i % 10, i // 10, 0.0]), R) for i in range(BODIES)}
        begin = time.perf_counter()
        view.set_poses(poses, 0.02 * k)
        view.render()
        times.append(1e3 * (time.perf_counter() - begin))
    view.close()
    return spread(times[3:])


class _LongRun:
    """A run of a million samples with more to come; looks like a Run to a plot."""

    id = 1
    name, color = "Run 1", "#888888"
    t_first = 0.0

    def __init__(self, growth: int) -> None:
        self.count, self._growth = SAMPLES, growth
        self._t: Array = 1e-3 * np.arange(SAMPLES + growth * (REFRESHES + 10), dtype=np.float64)
        noise = np.random.default_rng(1).normal(size=len(self._t))
        self._values: list[Array] = [np.sin((i + 1) * 0.01 * self._t) + 0.1 * noise for i in range(CURVES)]

    def grow(self) -> None:
        self.count += self._growth

    @property
    def t_last(self) -> float:
        return float(self._t[self.count - 1])

    def unit(self, name: str) -> str:
        return "m"

    def is_unique(self, name: str) -> bool:
        return True

    def channel(self, name: str, begin: float | None = None, end: float | None = None) -> tuple[Array, Array]:
        first = 0 if begin is None else int(np.searchsorted(self._t, begin))
        values = self._values[int(name.removeprefix("curve"))]
        return self._t[first : self.count], values[first : self.count]
