"""Linear actuator: a barrel from its first point, and a rod that goes out to the second one.

The rod is red where the actuator is shorter or longer than its stroke allows.
"""

from typing import Any

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Part, Visual, fixed_part
from engine.elements.drivers.stroke import limits
from engine.model.scene import list_of

BARREL, ROD, EYE = 1.5, 0.62, 0.9  # radii, in radii of a pin
SEAL = 0.12  # of the closed length: what of it is rod at least
WRONG = "#D55E00"
OUTSIDE = 1e-6  # of the closed length


class CylinderRodVisual(Visual):
    """The barrel has its length, the rod is stretched from inside of it to the second point."""

    def __init__(self, spec: Any, stage: Stage) -> None:
        self.a, self.b = stage.pair(spec)
        size = stage.symbol_size(self.a, self.b)
        self._lift = stage.on_top(self.a, self.b)
        self._low, self._high = limits(spec, float(np.linalg.norm(self.b.p_W - self.a.p_W)))
        self._barrel = (1.0 - SEAL) * self._low
        self._matrices = vtkMatrix4x4(), vtkMatrix4x4()
        color = stage.color(spec, stage.look.spring)
        barrel = solids.cylinder(BARREL * size, self._barrel, 28).moved([0, 0, 0.5 * self._barrel])
        rod = solids.cylinder(ROD * size, 1.0, 20).moved([0, 0, 0.5])
        self._rod = Part(rod.painted(stage.look.metal, stage.look.edge), self._matrices[1])
        eyes = [
            fixed_part(stage, m, [solids.sphere(EYE * size).painted(stage.look.ink)], lift=self._lift)
            for m in (self.a, self.b)
        ]
        body = Part(barrel.painted(color, stage.look.edge), self._matrices[0])
        super().__init__(Ref(list_of(spec), spec.name), [body, self._rod, *eyes])
        self._wrong = False
        self.update(stage)

    def update(self, stage: Stage) -> None:
        p, q = stage.world_point(self.a), stage.world_point(self.b)
        length = max(float(np.linalg.norm(q - p)), solids.MIN_LENGTH)
        R = solids.along(q - p)
        out = min(0.5 * self._barrel, 0.5 * length)  # where the rod begins, inside of the barrel
        for matrix, begin, scale in zip(self._matrices, (0.0, out), (1.0, length - out), strict=True):
            X = np.eye(4)
            X[:3, :3] = R
            X[:3, 2] *= scale
            X[:3, 3] = p + begin * R[:, 2] + np.array([0.0, 0.0, self._lift])
            matrix.DeepCopy(X.ravel().tolist())
        slack = OUTSIDE * self._low
        wrong = not self._low - slack <= length <= self._high + slack
        if wrong != self._wrong:
            self._wrong = wrong
            self._rod.warn(WRONG if wrong else None)


def visual(spec: Any, stage: Stage) -> Visual:
    return CylinderRodVisual(spec, stage)
