"""Prismatic joint: rails along which the body slides, or a collar and arrows."""

from typing import Any

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Surface, merged
from app.viewport.visuals.base import Part, Visual, fixed_part
from app.viewport.visuals.bodies.body import surfaces
from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.elements.coordinates.frames import Frame

RAIL = 0.13  # half length, of the extent, of rails whose travel is not known
WIDEST = 0.12  # of the extent, that rails heed of a body
END = 0.5  # of a pin's radius, that rails go on behind the travel
ARROW = 1.6  # length in pin radii


class RailsVisual(Visual):
    """Planar: rails on body A, as long as the travel of body B; where that is not known, they stay beside B.

    The axis is x of the joint frame, which may lie away from B: the rails are where B is.
    """

    def __init__(self, spec: Any, stage: Stage) -> None:
        self._a, self._b = stage.pair(spec)
        size = stage.symbol_size(self._a, self._b)
        world = self._a.name == WORLD
        self._lift = stage.behind if world else stage.on_top(self._a, above=0.05 * size)
        self._matrix = vtkMatrix4x4()
        travel, self._middle = stage.travel(spec.name), None
        half = RAIL * stage.extent
        self._beside, half_body = _along_x(stage, self._b)
        if travel is not None:
            self._middle = 0.5 * (travel[0] + travel[1])
            half = 0.5 * (travel[1] - travel[0]) + half_body + END * size
        rails = _rails(stage, self._b, size, half, hatched=world)
        color = stage.color(spec, stage.look.ground)
        super().__init__(Ref("joints", spec.name), [Part(rails.painted(color, 0.8), self._matrix)])
        self.update(stage)

    def update(self, stage: Stage) -> None:
        axes, p = stage.world_axes(self._a), stage.world_point(self._a)
        along = self._middle
        if along is None:
            along = float(axes[:, 0] @ (stage.world_point(self._b) - p))
        X = np.eye(4)
        X[:3, :3] = axes
        X[:3, 3] = p + along * axes[:, 0] + self._beside * stage.world_axes(self._b)[:, 0]
        X[2, 3] += self._lift
        self._matrix.DeepCopy(X.ravel().tolist())


def visual(spec: Any, stage: Stage) -> Visual:
    if stage.planar:
        return RailsVisual(spec, stage)
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    if a.name == WORLD:
        parts = [fixed_part(stage, b, _arrows(stage, spec, b, size))]
    else:
        collar = solids.washer(1.05 * size, 1.5 * size, 2.2 * size, 24)
        parts = [fixed_part(stage, a, [collar.painted(stage.color(spec, stage.look.metal), 0.5)])]
    return Visual(Ref("joints", spec.name), parts)


def _arrows(stage: Stage, spec: Any, b: Frame, size: float) -> list[Surface]:
    """To both sides of the body, along z of the joint frame."""
    reach = _half_sizes(stage, b)[2] + 0.6 * size
    color = stage.color(spec, stage.look.ink)
    found = []
    for sign in (-1.0, 1.0):
        head = solids.cone(0.8 * size, ARROW * size, 20).moved([0, 0, 0], solids.along([0, 0, sign]))
        found.append(head.moved([0, 0, sign * reach]).painted(color))
    return found


def _rails(stage: Stage, b: Frame, size: float, half: float, *, hatched: bool) -> Surface:
    """Two lines along x, hatched where they belong to the world."""
    gap = _half_sizes(stage, b)[1] + 0.25 * size
    strips = []
    for side in (-1.0, 1.0):
        strips.append(solids.box(2.0 * half, 0.2 * size, 0.02 * size).moved([0, side * gap, 0]))
        if not hatched:
            continue
        turn = np.array([[0.8, 0.6 * side, 0.0], [-0.6 * side, 0.8, 0.0], [0.0, 0.0, 1.0]])
        for x in np.arange(-half + 0.6 * size, half - 0.1 * size, 0.8 * size):
            hatch = solids.box(0.11 * size, 0.8 * size, 0.02 * size)
            strips.append(hatch.moved([x, side * (gap + 0.4 * size), 0], turn))
    return merged(strips)


def _half_sizes(stage: Stage, frame: Frame) -> Any:
    """How far the body goes from the joint along x, y, z of the joint frame."""
    local = _points(stage, frame)
    if local is None:
        return np.full(3, 1.5 * stage.symbol_size(frame))
    return np.minimum(np.abs(local).max(axis=0), WIDEST * stage.extent)


def _along_x(stage: Stage, frame: Frame) -> tuple[float, float]:
    """Where the body is along x of the joint frame, 0 where it reaches over it, and its half length."""
    local = _points(stage, frame)
    if local is None:
        return 0.0, 1.5 * stage.symbol_size(frame)
    low, high = float(local[:, 0].min()), float(local[:, 0].max())
    middle = 0.0 if low <= 0.0 <= high else 0.5 * (low + high)
    return middle, min(max(high - middle, middle - low), WIDEST * stage.extent)


def _points(stage: Stage, frame: Frame) -> Array | None:
    """The surface of the body in the joint frame, shape (n, 3); None where it has none."""
    body = stage.body(frame.name)
    pieces = [p for group in surfaces(body, stage).values() for p in group] if body else []
    return (merged(pieces).points - frame.p_B) @ frame.axes_B if pieces else None
