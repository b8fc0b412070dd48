"""Rope: a line between its points that sags while it is slack; a strut is straight."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array, Surface
from app.viewport.visuals.base import LivePart, Visual, fixed_part

PIECES, SKIN, RADIUS = 24, 6, 0.3  # the radius in pin radii
DOWN = np.array([0.0, -1.0, 0.0])


class RopeVisual(Visual):
    """Its slack hangs along gravity as a parabola of about the right length."""

    def __init__(self, spec: Any, stage: Stage) -> None:
        self.a, self.b = stage.pair(spec)
        size = stage.symbol_size(self.a, self.b)
        self._lift = np.array([0.0, 0.0, stage.on_top(self.a, self.b)])
        self._longest = None if spec.longest is None else stage.value(spec.longest, 0.0)
        gravity = np.array([*(float(g) for g in stage.scene.gravity or ()), 0.0, 0.0, 0.0][:3])
        pull = float(np.linalg.norm(gravity))
        self._down = gravity / pull if pull > 0.0 else DOWN
        self._radius = RADIUS * size
        path = self._path(stage)
        normals, triangles = solids.tube_section(path, SKIN)
        skin = Surface(np.repeat(path, SKIN, axis=0) + self._radius * normals, normals, triangles)
        self._line = LivePart(skin.painted(stage.color(spec, stage.look.spring)))
        ends = [
            fixed_part(stage, m, [solids.sphere(0.55 * size, 16).painted(stage.look.ink)], lift=self._lift[2])
            for m in (self.a, self.b)
        ]
        super().__init__(Ref("forces", spec.name), [self._line, *ends])

    def update(self, stage: Stage) -> None:
        path = self._path(stage)
        normals, _ = solids.tube_section(path, SKIN)
        self._line.write(np.repeat(path, SKIN, axis=0) + self._radius * normals, normals)

    def _path(self, stage: Stage) -> Array:
        p, q = stage.world_point(self.a), stage.world_point(self.b)
        span = float(np.linalg.norm(q - p))
        slack = 0.0 if self._longest is None else max(self._longest - span, 0.0)
        # a shallow parabola over the span L with the sag f has the length L + 8 f²/(3 L)
        sag = np.sqrt(0.375 * slack * (span + slack))
        s = np.linspace(0.0, 1.0, PIECES + 1)[:, None]
        return np.asarray(p + s * (q - p) + 4.0 * sag * s * (1.0 - s) * self._down + self._lift)


def visual(spec: Any, stage: Stage) -> Visual:
    return RopeVisual(spec, stage)
