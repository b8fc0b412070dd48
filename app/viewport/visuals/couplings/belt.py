"""Belt: two pulleys and the belt around them."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array
from app.viewport.visuals.base import LivePart, Visual, fixed_part
from app.viewport.visuals.couplings.gear import turning
from engine.elements.coordinates.frames import Frame

ARC = 24  # points on each pulley


class BeltVisual(Visual):
    """The belt is laid anew every frame, since the pulleys may move."""

    def __init__(self, spec: Any, stage: Stage) -> None:
        self._a, self._b = turning(stage, spec.joint_a), turning(stage, spec.joint_b)
        self._radii = (float(spec.radius_a), float(spec.radius_b))
        self._crossed = bool(spec.crossed)
        self._thickness = 0.3 * stage.symbol_size(self._a, self._b)
        color = stage.color(spec, stage.look.spring)
        self._belt = LivePart(solids.tube(self._path(stage), self._thickness, 6, closed=True).painted(color))
        pulleys = [
            fixed_part(
                stage,
                frame,
                [solids.washer(0.8 * r, r, 2 * self._thickness).painted(stage.look.ground)],
                lift=stage.on_top(frame),
            )
            for frame, r in zip((self._a, self._b), self._radii, strict=True)
        ]
        super().__init__(Ref("joints", spec.name), [self._belt, *pulleys])

    def update(self, stage: Stage) -> None:
        tube = solids.tube(self._path(stage), self._thickness, 6, closed=True)
        self._belt.write(tube.points, tube.normals)

    def _path(self, stage: Stage) -> Array:
        # tangent points of two circles: cos β = (r_a ∓ r_b) / d, β from the line of centres
        p, q = _lifted(stage, self._a), _lifted(stage, self._b)
        axis = stage.world_axes(self._a)[:, 2]
        u = (q - p) - axis * (axis @ (q - p))
        d = max(float(np.linalg.norm(u)), solids.MIN_LENGTH)
        u, w = u / d, np.cross(axis, u / d)
        r_a, r_b = self._radii
        beta = float(np.arccos(np.clip((r_a + r_b if self._crossed else r_a - r_b) / d, -1.0, 1.0)))
        on_a = np.linspace(beta, 2.0 * np.pi - beta, ARC)
        on_b = (
            np.linspace(np.pi - beta, beta - np.pi, ARC) if self._crossed else np.linspace(-beta, beta, ARC)
        )
        around_a = p + r_a * (np.cos(on_a)[:, None] * u + np.sin(on_a)[:, None] * w)
        around_b = q + r_b * (np.cos(on_b)[:, None] * u + np.sin(on_b)[:, None] * w)
        return np.concatenate([around_a, around_b])


def _lifted(stage: Stage, frame: Frame) -> Array:
    return np.asarray(stage.world_point(frame) + np.array([0.0, 0.0, stage.on_top(frame)]))


def visual(spec: Any, stage: Stage) -> Visual:
    return BeltVisual(spec, stage)
