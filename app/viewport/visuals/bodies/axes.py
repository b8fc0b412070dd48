"""Frames of bodies, and the mark of the centre of mass."""

import numpy as np

from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Surface
from app.viewport.visuals.base import Part, fixed_part
from engine.elements.bodies.body import Body

COLORS = ("#D9363E", "#2E9E4F", "#2F6FDE")  # x, y, z
LENGTH = 0.075  # of the extent
BALL = 0.011


def body_axes(body: Body, stage: Stage) -> Part:
    """Arrows along x, y and z of the body frame."""
    length = LENGTH * stage.extent
    arrows = []
    for axis, color in enumerate(COLORS[: 2 if stage.planar else 3]):
        arrow = solids.arrow(length, 0.045 * length).moved([0, 0, 0], solids.along(np.eye(3)[axis]))
        arrows.append(arrow.painted(color))
    return fixed_part(stage, stage.frame(body.name, np.zeros(3)), arrows, lift=_above(stage))


def mass_centre(body: Body, stage: Stage) -> Part:
    """A ball in four quarters, black and white."""
    ball = solids.sphere(BALL * stage.extent, 24)
    x, y = ball.points[:, 0], ball.points[:, 1]
    size = 1e-9 * stage.extent
    dark = (x * y > size * size)[:, None]
    colors = np.where(dark, np.array([27, 31, 35]), np.array([255, 255, 255])).astype(np.uint8)
    quartered = Surface(ball.points, ball.normals, ball.triangles, colors=colors)
    return fixed_part(stage, stage.frame(body.name, stage.com(body)), [quartered], lift=_above(stage))


def _above(stage: Stage) -> float:
    return stage.top + 0.03 * stage.extent if stage.planar else 0.0
