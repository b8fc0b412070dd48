"""Measures as they are drawn: a dimension between two points, an arc between two directions. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.elements.base import WORLD
from engine.elements.measures.angle import AngleMeasure
from engine.elements.measures.distance import DistanceMeasure
from engine.model.poses import Poses
from engine.model.scene import Scene
from engine.system.compiling.frames import named_point

Array = NDArray[np.float64]

ARC = 44.0  # px: radius
ARC_STEP = np.pi / 60.0
ARM = 1.25  # radii: how far the legs of an angle go
APART = 1e-12  # m: closer points have no line between them


@dataclass(frozen=True)
class Mark:
    """A measure in the world: its line, shape (n, 3), the legs beside it, where its value stands [m]."""

    name: str
    line: Array
    legs: tuple[Array, ...]
    text_at: Array
    value: float
    unit: str


def marks(scene: Scene, poses: Poses, per_pixel: float) -> list[Mark]:
    """All measures that have a place; `scene` is resolved, bodies are where `poses` has them."""
    found = []
    for measure in scene.measures:
        draw = DRAWN.get(type(measure))
        mark = None if draw is None else draw(measure, _Placed(scene, poses), per_pixel)
        if mark is not None and np.isfinite(mark.line).all():
            found.append(mark)
    return found


@dataclass(frozen=True)
class _Placed:
    scene: Scene
    poses: Poses

    def pose(self, body: str) -> tuple[Array, Array] | None:
        return (np.zeros(3), np.eye(3)) if body == WORLD else self.poses.get(body)

    def point(self, body: str, point: Any) -> Array | None:
        pose = self.pose(body)
        owner = next((item for item in self.scene.bodies if item.name == body), None)
        if pose is None:
            return None
        try:
            return np.asarray(pose[0] + pose[1] @ named_point(owner, point))
        except (KeyError, ValueError):
            return None

    def direction(self, body: str, axis: Any) -> Array | None:
        pose = self.pose(body)
        size = float(np.linalg.norm(axis))
        return None if pose is None or not size > 0.0 else np.asarray(pose[1] @ np.array(axis, float) / size)

    def meeting(self, one: str, other: str) -> Array | None:
        """Where a joint holds two bodies together; else where the second one is."""
        for joint in self.scene.joints:
            a, b = getattr(joint, "a", None), getattr(joint, "b", None)
            if a is not None and b is not None and {a.body, b.body} == {one, other}:
                end = a if a.point is not None else b
                return self.point(end.body, end.point)
        pose = self.pose(other if other != WORLD else one)
        return None if pose is None else pose[0]


def _distance(measure: DistanceMeasure, placed: _Placed, per_pixel: float) -> Mark | None:
    ends = [placed.point(end.body, end.point) for end in (measure.a, measure.b)]
    if ends[0] is None or ends[1] is None:
        return None
    line = np.array(ends)
    value = float(np.linalg.norm(line[1] - line[0]))
    return Mark(measure.name, line, (), line.mean(axis=0), value, "m") if value > APART else None


def _angle(measure: AngleMeasure, placed: _Placed, per_pixel: float) -> Mark | None:
    u, v = (placed.direction(end.body, end.axis) for end in (measure.a, measure.b))
    apex = placed.meeting(measure.a.body, measure.b.body)
    if u is None or v is None or apex is None:
        return None
    across = v - (v @ u) * u
    value = float(np.arctan2(np.linalg.norm(across), v @ u))
    size = float(np.linalg.norm(across))
    w = across / size if size > 0.0 else np.zeros(3)
    turns = np.linspace(0.0, value, max(2, int(value / ARC_STEP) + 1))
    radius = ARC * per_pixel
    arc = apex + radius * (np.outer(np.cos(turns), u) + np.outer(np.sin(turns), w))
    legs = tuple(np.array([apex, apex + ARM * radius * way]) for way in (u, v))
    middle = apex + ARM * radius * (np.cos(0.5 * value) * u + np.sin(0.5 * value) * w)
    return Mark(measure.name, arc, legs, middle, value, "rad")


DRAWN: Mapping[type, Callable[..., Mark | None]] = {AngleMeasure: _angle, DistanceMeasure: _distance}
