"""Lines that belong to no element of the scene: traces of other runs, families of curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vtkmodules.vtkRenderingCore import vtkRenderer

from app.document.element_ref import Ref
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.style import lively
from app.viewport.canvas.surface import Array
from app.viewport.visuals.marks.trace import TraceLine

THIN = 0.7  # of the width of a trace


@dataclass(frozen=True, eq=False)
class ColoredPath:
    """World points [m], shape (n, 3), and the colour of the line through them."""

    points: Array
    color: str


class PathLines:
    """As many lines as there are paths; they are made anew with the scene."""

    def __init__(self) -> None:
        self._lines: list[TraceLine] = []
        self.paths: tuple[ColoredPath, ...] = ()

    def build(self, stage: Stage, renderer: vtkRenderer, scale: float) -> None:
        """The renderer was emptied."""
        self._lines = []
        self.show(self.paths, stage, renderer, scale)

    def show(self, paths: Sequence[ColoredPath], stage: Stage, renderer: vtkRenderer, scale: float) -> None:
        """These paths and no others."""
        self.paths = tuple(paths)
        for line in self._lines[len(paths) :]:
            renderer.RemoveActor(line.actor)
        self._lines = self._lines[: len(paths)]
        while len(self._lines) < len(paths):
            line = TraceLine(Ref("", ""), "#000000", 0.95 * stage.behind, THIN * scale)
            self._lines.append(line)
            renderer.AddActor(line.actor)
        for line, path in zip(self._lines, paths, strict=True):
            line.set_color(lively(path.color, stage.style.dark))
            line.set_points(path.points)
