"""Applied force: an arrow as long as the force is large, measured by its peak over the run."""

from typing import Any

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array
from app.viewport.visuals.base import Part, Visual

MAX_LENGTH = 0.22  # of the scene's extent
SAMPLES = 64
VISIBLE = 0.02  # of the peak; below, the arrow is hidden


class ArrowVisual(Visual):
    """A unit arrow that its matrix stretches and turns."""

    def __init__(self, spec: Any, stage: Stage) -> None:
        self._spec = spec
        self._frame = stage.frame(spec.body, getattr(spec, "point", None))
        size = stage.symbol_size(self._frame)
        self._matrix = vtkMatrix4x4()
        self._length = MAX_LENGTH * stage.extent * stage.style.arrow_scale
        part = Part(self._shape(size).painted(stage.color(spec, stage.look.force)), self._matrix)
        super().__init__(Ref("forces", spec.name), [part])
        times = np.linspace(0.0, float(stage.scene.simulation.duration), SAMPLES)
        self._peak = max((float(np.linalg.norm(self._vector(stage, t))) for t in times), default=0.0)
        self._lift = np.array([0.0, 0.0, stage.on_top(self._frame, above=0.5 * size)])
        self.update(stage)

    def update(self, stage: Stage) -> None:
        vector = self._vector(stage, stage.t)
        share = float(np.linalg.norm(vector)) / self._peak if self._peak > 0.0 else 0.0
        self.parts[0].present(share > VISIBLE)
        if share <= VISIBLE:
            return
        if self._spec.frame == "body":
            vector = stage.poses[self._spec.body][1] @ vector
        X = np.eye(4)
        X[:3, :3] = solids.along(vector) * self._stretch(share)
        X[:3, 3] = self._origin(stage) + self._lift
        self._matrix.DeepCopy(X.ravel().tolist())

    def _shape(self, size: float) -> Any:
        return solids.arrow(1.0, 0.3 * size / self._length)

    def _stretch(self, share: float) -> float:
        return self._length * share

    def _origin(self, stage: Stage) -> Array:
        application = getattr(self._spec, "application", None)
        if application is None:
            return stage.world_point(self._frame)
        values = [stage.value(function, stage.t) for function in application]
        return np.array([*values, 0.0, 0.0][:3])

    def _vector(self, stage: Stage, t: float) -> Array:
        values = [stage.value(function, t) for function in self._spec.components]
        return np.array([*values, 0.0, 0.0][:3])


def visual(spec: Any, stage: Stage) -> Visual:
    return ArrowVisual(spec, stage)
