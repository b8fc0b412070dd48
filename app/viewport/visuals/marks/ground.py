"""The mark of the world under a joint: a foot with a hatched base."""

from functools import lru_cache

import numpy as np

from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array, Surface, merged
from engine.elements.base import WORLD
from engine.elements.coordinates.frames import Frame

HATCHES = 5


def foot(stage: Stage, frame: Frame, size: float) -> list[Surface]:
    """In the world frame, the tip at the frame; nothing where the joint does not stand on the world."""
    if frame.name != WORLD or _stands_on_a_fixed_body(stage, frame.p_B):
        return []
    if stage.planar:
        return [_flat(stage, frame.p_B, size)]
    return [_solid(size, stage.look.ground, stage.look.edge).moved(frame.p_B, solids.along(stage.up))]


def _flat(stage: Stage, point: Array, size: float) -> Surface:
    down = -stage.up
    side = np.array([-down[1], down[0], 0.0])
    width, height, line = 2.1 * size, 2.9 * size, 0.22 * size
    tip = point * (1.0, 1.0, 0.0)
    base = tip + height * down
    R = np.column_stack([side, -down, [0.0, 0.0, 1.0]])
    color = stage.look.ground
    triangle = solids.plate([[0, 0], [-0.62 * width, -height], [0.62 * width, -height]], 0.02 * size)
    bar = solids.box(2.2 * width, line, 0.02 * size)
    parts = [triangle.moved(tip, R), bar.moved(base, R)]
    lean = 0.55 * size
    for x in np.linspace(-0.85 * width, 1.05 * width, HATCHES):
        start = base + x * side
        end = start + lean * (down - side)
        parts.append(_stroke(start, end, 0.13 * size))
    depth = stage.behind
    return merged(parts).moved([0.0, 0.0, depth]).painted(color, 0.8)


def _stroke(a: Array, b: Array, width: float) -> Surface:
    step = b - a
    across = np.array([-step[1], step[0], 0.0]) * (0.5 * width / np.linalg.norm(step))
    corners = np.array([a - across, b - across, b + across, a + across])
    return Surface(corners, np.tile([0.0, 0.0, 1.0], (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]))


@lru_cache(maxsize=16)  # most feet of a scene have one size
def _solid(size: float, color: str, edge: float) -> Surface:
    """Along z, the tip at the origin."""
    height, width = 3.0 * size, 3.6 * size
    pillar = solids.cylinder(1.25 * size, height, 24, top=0.6 * size).moved([0, 0, -0.5 * height])
    base = solids.box(width, width, 0.5 * size).moved([0, 0, -height - 0.25 * size])
    return merged([pillar, base]).painted(color, edge)


def _stands_on_a_fixed_body(stage: Stage, point: Array) -> bool:
    for body in stage.scene.bodies:
        if body.fixed and (body.shapes or len(body.points) > 1):
            origin, R = stage.poses[body.name]
            reach = 0.15 * stage.extent
            near = [np.linalg.norm(origin + R @ p - point) < reach for p in stage.anchors(body.name)]
            if any(near) or _inside(body, R.T @ (point - origin), 0.02 * stage.extent):
                return True
    return False


def _inside(body: object, p: Array, margin: float) -> bool:
    for shape in body.shapes:  # type: ignore[attr-defined]
        q = p - np.array(shape.position, float)
        if hasattr(shape, "size"):
            half = 0.5 * np.array(shape.size, float) + margin
        elif hasattr(shape, "length"):
            half = np.array([shape.radius, shape.radius, 0.5 * float(shape.length)], float) + margin
        else:
            continue
        if (np.abs(q) <= half).all():
            return True
    return False
