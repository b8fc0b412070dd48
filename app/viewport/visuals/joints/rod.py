"""A massless rod between two points."""

from typing import Any

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Part, Visual, fixed_part


class RodVisual(Visual):
    """A unit rod that is stretched between the points by its matrix."""

    def __init__(self, spec: Any, stage: Stage) -> None:
        self.a, self.b = stage.pair(spec)
        size = stage.symbol_size(self.a, self.b)
        self._matrix = vtkMatrix4x4()
        self._lift = stage.on_top(self.a, self.b)
        unit = solids.cylinder(0.4 * size, 1.0, 16).moved([0, 0, 0.5])
        bar = Part(unit.painted(stage.color(spec, stage.look.spring), stage.look.edge), self._matrix)
        ends = [
            fixed_part(stage, m, [solids.sphere(0.75 * size).painted(stage.look.ink)], lift=self._lift)
            for m in (self.a, self.b)
        ]
        super().__init__(Ref("joints", spec.name), [bar, *ends])

    def update(self, stage: Stage) -> None:
        p, q = stage.world_point(self.a), stage.world_point(self.b)
        X = np.eye(4)
        X[:3, :3] = solids.along(q - p)
        X[:3, 2] *= max(float(np.linalg.norm(q - p)), solids.MIN_LENGTH)
        X[:3, 3] = p + np.array([0.0, 0.0, self._lift])
        self._matrix.DeepCopy(X.ravel().tolist())


def visual(spec: Any, stage: Stage) -> Visual:
    return RodVisual(spec, stage)
