"""Prescribed motion: as a motor's mark; of a body point, an arrow along the coordinate."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Part, Visual, fixed_part
from app.viewport.visuals.forces.motor import mark
from engine.elements.coordinates.frames import Frame


class PointMotionVisual(Visual):
    """The arrow keeps its direction in the world while the point moves."""

    def __init__(self, spec: Any, stage: Stage, frame: Frame) -> None:
        self._frame = frame
        size = stage.symbol_size(frame)
        direction = np.eye(3)[{"x": 0, "y": 1}.get(spec.coordinate, 2)]
        shape = solids.round_arrow(2.4 * size, 0.22 * size)
        if spec.coordinate != "angle":
            shape = solids.arrow(5.0 * size, 0.26 * size).moved(
                1.4 * size * direction, solids.along(direction)
            )
        self._lift = np.array([0.0, 0.0, stage.on_top(frame, above=0.3 * size)])
        part = Part(shape.painted(stage.color(spec, stage.look.motor)))
        super().__init__(Ref("motions", spec.name), [part])
        self.update(stage)

    def update(self, stage: Stage) -> None:
        self.parts[0].actor.SetPosition(*(stage.world_point(self._frame) + self._lift))


def visual(spec: Any, stage: Stage) -> Visual:
    if hasattr(spec, "body"):
        return PointMotionVisual(spec, stage, stage.frame(spec.body, spec.point))
    a, b = stage.joint_pair(spec.joint)
    size = stage.symbol_size(a, b)
    shape = mark(stage, spec.coordinate, size).painted(stage.color(spec, stage.look.motor))
    lift = stage.on_top(a, b, above=0.3 * size)
    return Visual(Ref("motions", spec.name), [fixed_part(stage, a, [shape], lift=lift)])
