"""The lines of a page: paths of traced points in the world, and channels over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.document.channels.usual_channels import ENERGY
from app.platform.element_colors import PALETTE
from app.session.recorded.run import Run
from app.viewport.canvas.style import lively
from app.viewport.canvas.surface import Array
from app.viewport.scene.trace_lines import FIRST_COLOR
from engine.model.resolve import resolve_leniently
from engine.system.compiling.frames import named_point

MAX_POINTS = 3000  # of a path
MAX_SAMPLES = 2000  # of a channel


@dataclass(frozen=True)
class Path:
    """A traced point; `length`: how long its path stays [s], 0 for ever."""

    name: str
    color: str
    length: float
    t: Array
    points: Array  # (n, 3)


@dataclass(frozen=True)
class Curve:
    """A channel over time."""

    name: str
    meaning: str
    color: str
    t: Array
    values: Array


@dataclass(frozen=True)
class Plot:
    """Curves on the same axes."""

    title: str
    unit: str
    curves: tuple[Curve, ...]


def paths_of(run: Run, begin: float, end: float, *, dark: bool) -> list[Path]:
    """The visible traces of the scene at the end."""
    scene, _ = resolve_leniently(run.scene_at(end))
    bodies = {body.name: body for body in scene.bodies}
    found = []
    for number, trace in enumerate(scene.traces):
        if not trace.visible or trace.body not in bodies:
            continue
        try:
            point = named_point(bodies[trace.body], trace.point)
        except ValueError:  # a point that is not there
            continue
        t, places = run.track([(trace.body, point)], begin, end, MAX_POINTS)
        good = np.isfinite(places[:, 0]).all(axis=1)
        color = lively(trace.color or PALETTE[(number + FIRST_COLOR) % len(PALETTE)], dark)
        found.append(Path(trace.name, color, float(trace.length), t[good], places[good, 0]))
    return found


def plots_of(run: Run, channels: Sequence[str], begin: float, end: float, *, dark: bool) -> list[Plot]:
    """The energies, then each of the channels; raises KeyError for one that does not exist."""
    known = set(run.names())
    wanted = [("Energy", tuple(name for name in ENERGY if name in known))]
    wanted += [(name, (name,)) for name in channels]
    found = []
    for title, names in wanted:
        curves = tuple(
            _curve(run, name, begin, end, lively(PALETTE[i % len(PALETTE)], dark))
            for i, name in enumerate(names)
        )
        if any(len(curve.t) for curve in curves):
            found.append(Plot(title, run.unit(names[0]), curves))
    return found


def _curve(run: Run, name: str, begin: float, end: float, color: str) -> Curve:
    t, values = run.channel(name, begin, end)
    some = np.unique(np.linspace(0, len(t) - 1, min(len(t), MAX_SAMPLES)).round().astype(int))
    return Curve(name, run.meaning(name), color, t[some], values[some])
