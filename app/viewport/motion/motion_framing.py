"""The camera while a run is watched: it steps back when what was in the picture moves out of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from app.viewport.camera.reach import FREE
from app.viewport.canvas.surface import Array
from app.viewport.motion.ghost_framing import same_camera
from app.viewport.scene.scene_view import SceneView
from engine.model.scene import Scene

EVERY = 0.1  # s between two looks
EDGE = 1.04  # times the size of what is there: pins at its ends are seen, too
ROOM = 1.3  # likewise: room to go on moving before the next step back


class MotionView:
    """Keeps all bodies in the picture as long as the user has left the camera where they all were in it.

    Who has moved it to look at a part sees that part; a body that falls away for good is not followed.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._looked = -np.inf
        self._scene: Scene | None = None
        self._corners: dict[str, Array] = {}  # of boxes around the bodies of that scene, in their own axes
        self._begins: dict[str, Array] = {}  # where the bodies were at the first look [m, world]
        self._far = np.inf  # m: who has gone farther has left for good
        self._camera: dict[str, Any] | None = None  # from where all of it was seen

    def look(self, view: SceneView, *, ends: bool = False) -> None:
        """The bodies have moved; `ends` where they stay, so that nobody looks again soon."""
        if view.followed or (self._clock() - self._looked < EVERY and not ends):
            return
        self._looked = self._clock()
        if view.scene is not self._scene:
            self._scene, self._corners = view.scene, view.queries.body_corners()
            self._begins = {body: np.array(view.stage.poses[body][0]) for body in self._corners}
            self._far = np.inf
            self._far = FREE * _size(self._near_points(view))
        points = self._near_points(view)
        if view.framing.frames(_grown(points, EDGE)):
            self._camera = view.camera.state()
        elif self._camera is not None and same_camera(view.camera.state(), self._camera):
            view.framing.fit(points=_grown(points, ROOM))
            self._camera = view.camera.state()

    def _near_points(self, view: SceneView) -> Array:
        """Corners around the bodies that have not gone away for good [m, world], shape (n, 3)."""
        found = [np.zeros((0, 3))]
        for body, corners in self._corners.items():
            origin, R = view.stage.poses[body]
            if np.abs(origin - self._begins[body]).max() < self._far:
                found.append(origin + corners @ R.T)
        return np.concatenate(found)


def _grown(points: Array, times: float) -> Array:
    """Points farther from the middle of all."""
    if not len(points):
        return points
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return np.asarray(middle + times * (points - middle))


def _size(points: Array) -> float:
    """Longest edge of the box around points [m]."""
    return float(np.ptp(points, axis=0).max()) if len(points) else 0.0
