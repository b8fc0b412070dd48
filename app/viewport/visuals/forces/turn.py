"""Applied torque: a turning arrow about its direction."""

from typing import Any

import numpy as np

from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array
from app.viewport.visuals.base import Visual
from app.viewport.visuals.forces.arrow import ArrowVisual


class TurnVisual(ArrowVisual):
    """It keeps its size; the torque gives the direction."""

    def _shape(self, size: float) -> Any:
        self._size = size
        return solids.round_arrow(2.7 * size, 0.26 * size)

    def _stretch(self, share: float) -> float:
        return 0.6 + 0.4 * share

    def _origin(self, stage: Stage) -> Array:
        return stage.world_point(self._frame)

    def _vector(self, stage: Stage, t: float) -> Array:
        values = [stage.value(function, t) for function in self._spec.components]
        if stage.planar and len(values) < 3:
            return np.array([0.0, 0.0, values[-1]])
        return np.array([*values, 0.0, 0.0][:3]) * ((0.0, 0.0, 1.0) if stage.planar else (1.0, 1.0, 1.0))


def visual(spec: Any, stage: Stage) -> Visual:
    return TurnVisual(spec, stage)
