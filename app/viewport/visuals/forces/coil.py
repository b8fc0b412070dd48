"""Spring: a coil that stretches between its points."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Surface
from app.viewport.visuals.base import LivePart, Visual, fixed_part

TURNS, PER_TURN, SKIN = 9, 14, 6
STRAIGHT = 0.12  # share of the length that is straight, at each end
RADIUS, WIRE = 1.35, 0.24  # in pin radii


class CoilVisual(Visual):
    """The skin of the wire is the wire plus fixed offsets, so the wire keeps its thickness."""

    def __init__(self, spec: Any, stage: Stage) -> None:
        self.a, self.b = stage.pair(spec)
        size = stage.symbol_size(self.a, self.b)
        self._lift = np.array([0.0, 0.0, stage.on_top(self.a, self.b)])
        length = float(np.linalg.norm(stage.world_point(self.b) - stage.world_point(self.a))) or size
        radius = min(RADIUS * size, 0.2 * length)
        self._wire = _wire(radius)
        stretched = self._wire * (1.0, 1.0, length)
        offsets, triangles = solids.tube_section(stretched, SKIN)
        self._normals = offsets
        self._offsets = WIRE * size * offsets
        skin = Surface(np.repeat(stretched, SKIN, axis=0) + self._offsets, offsets, triangles)
        self._coil = LivePart(skin.painted(stage.color(spec, stage.look.spring)))
        ends = [
            fixed_part(stage, m, [solids.sphere(0.55 * size, 16).painted(stage.look.ink)], lift=self._lift[2])
            for m in (self.a, self.b)
        ]
        super().__init__(Ref("forces", spec.name), [self._coil, *ends])
        self.update(stage)

    def update(self, stage: Stage) -> None:
        p, q = stage.world_point(self.a), stage.world_point(self.b)
        R = solids.along(q - p)
        length = float(np.linalg.norm(q - p))
        points = np.repeat(self._wire * (1.0, 1.0, length), SKIN, axis=0) + self._offsets
        self._coil.write(points @ R.T + (p + self._lift), self._normals @ R.T)


def _wire(radius: float) -> Any:
    """A helix from z = 0 to z = 1 with straight ends."""
    angle = np.linspace(0.0, 2.0 * np.pi * TURNS, TURNS * PER_TURN + 1)
    height = np.linspace(STRAIGHT, 1.0 - STRAIGHT, len(angle))
    swell = np.minimum(1.0, np.minimum(angle, angle[-1] - angle) / np.pi)
    helix = np.column_stack([radius * swell * np.cos(angle), radius * swell * np.sin(angle), height])
    return np.concatenate([[[0, 0, 0]], helix, [[0, 0, 1]]])


def visual(spec: Any, stage: Stage) -> Visual:
    return CoilVisual(spec, stage)
