"""Joints that are coupled: a thin wire from one to the other; also the default of what joins joints."""

from typing import Any

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Part, Visual
from engine.elements.coordinates.frames import Frame


class LinkVisual(Visual):
    """Wires between the points of the joints, in their order."""

    def __init__(self, spec: Any, stage: Stage, frames: list[Frame]) -> None:
        self._frames = frames
        size = stage.symbol_size(*frames)
        self._lift = np.array([0.0, 0.0, stage.on_top(*frames, above=0.2 * size)])
        self._matrices = [vtkMatrix4x4() for _ in frames[1:]]
        wire = solids.cylinder(0.18 * size, 1.0, 8).moved([0, 0, 0.5])
        painted = wire.painted(stage.color(spec, stage.look.motor))
        super().__init__(Ref("joints", spec.name), [Part(painted, matrix) for matrix in self._matrices])
        self.update(stage)

    def update(self, stage: Stage) -> None:
        points = [stage.world_point(frame) + self._lift for frame in self._frames]
        for matrix, p, q in zip(self._matrices, points, points[1:], strict=False):
            X = np.eye(4)
            X[:3, :3] = solids.along(q - p)
            X[:3, 2] *= max(float(np.linalg.norm(q - p)), solids.MIN_LENGTH)
            X[:3, 3] = p
            matrix.DeepCopy(X.ravel().tolist())


def visual(spec: Any, stage: Stage) -> Visual:
    names = [term.joint for term in getattr(spec, "terms", ())]
    names += [getattr(spec, key) for key in ("joint_a", "joint_b", "pinion", "rack") if hasattr(spec, key)]
    return LinkVisual(spec, stage, [stage.joint_pair(name)[0] for name in names])
