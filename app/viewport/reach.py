"""Where an open chain can swing, so that a fitted picture still holds it when it moves."""

import numpy as np

from app.viewport.stage import Stage
from app.viewport.surface import Array
from engine.elements.base import WORLD
from engine.elements.joints.base import AnchoredSpec

POINTS = 24  # on a circle


def reach_points(stage: Stage) -> Array:
    """Planar scenes: circles around the pivots of open chains that hang on the world, shape (n, 3)."""
    if not stage.planar:
        return np.zeros((0, 3))
    links: dict[str, list[tuple[str, Array, Array]]] = {}
    count = 0
    for joint in stage.scene.joints:
        if not isinstance(joint, AnchoredSpec):
            continue
        try:
            a, b = stage.pair(joint)
        except (KeyError, ValueError):
            continue
        count += 1
        for one, other in ((a, b), (b, a)):
            links.setdefault(one.body, []).append((other.body, one.point, other.point))
    moving = [body for body in stage.scene.bodies if not body.fixed]
    if count != len(moving) or not all(body.name in links for body in moving):
        return np.zeros((0, 3))  # loops, or loose bodies
    found = []
    for body, pivot, own in links.get(WORLD, []):
        radius = _length(stage, links, body, own, {WORLD})
        angle = np.linspace(0.0, 2.0 * np.pi, POINTS, endpoint=False)
        circle = radius * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(POINTS)])
        found.append(pivot + circle)
    return np.concatenate(found) if found else np.zeros((0, 3))


def _length(
    stage: Stage, links: dict[str, list[tuple[str, Array, Array]]], body: str, entry: Array, seen: set[str]
) -> float:
    """How far the chain that begins at this body reaches from where it hangs."""
    reach = [float(np.linalg.norm(p - entry)) for p in stage.anchors(body)]
    for other, own, its in links.get(body, []):
        if other not in seen and other != body:
            step = float(np.linalg.norm(own - entry))
            reach.append(step + _length(stage, links, other, its, {*seen, body}))
    return max(reach, default=0.0)
