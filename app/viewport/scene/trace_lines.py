"""The lines of all traces; their points outlive the lines, which are made anew with the scene."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.document.element_ref import Ref
from app.platform.element_colors import PALETTE
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.style import lively
from app.viewport.canvas.surface import Array
from app.viewport.visuals.marks.trace import TraceLine

FIRST_COLOR = 5  # of the palette: other than those of the first bodies


class TraceLines:
    """By list and name of the trace."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], TraceLine] = {}
        self._points: dict[tuple[str, str], Array] = {}

    def build(self, stage: Stage, renderer: vtkRenderer, scale: float) -> None:
        self._lines = {}
        for number, trace in enumerate(stage.scene.traces):
            color = lively(trace.color or PALETTE[(number + FIRST_COLOR) % len(PALETTE)], stage.style.dark)
            top = 1.1 * stage.top if stage.planar else 0.0
            line = TraceLine(Ref("traces", trace.name), color, 0.9 * stage.behind, scale, top)
            key = ("traces", trace.name)
            self._lines[key] = line
            if key in self._points:
                line.set_points(self._points[key])
            renderer.AddActor(line.actor)
            renderer.AddActor(line.dot)

    def set(self, ref: Any, points: ArrayLike) -> bool:
        """World points of one trace, shape (n, 3); False when it is not drawn."""
        key = (ref.where, ref.name)
        self._points[key] = path = np.asarray(points, float).reshape(-1, 3)
        if key in self._lines:
            self._lines[key].set_points(path)
        return key in self._lines

    def show(self, stage: Stage) -> None:
        for (_, name), line in self._lines.items():
            line.show(stage.style.traces and stage.scene.trace(name).visible)

    def paths(self) -> list[Array]:
        found = (path[np.isfinite(path).all(axis=1)] for path in self._points.values())
        return [path for path in found if len(path)]

    def clear(self) -> None:
        """Forget the points."""
        self._points = {}

    def forget(self) -> None:
        self._lines, self._points = {}, {}
