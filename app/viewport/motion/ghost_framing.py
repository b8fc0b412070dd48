"""The camera while a ghost is shown: it steps back so that all of it is seen, and returns when it goes."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.viewport.scene.scene_view import SceneView

CAMERA_TOLERANCE = 1e-9  # of a length or a direction: the user has not moved the camera since


class GhostView:
    """Remembers where the viewer was before a ghost led him away."""

    def __init__(self) -> None:
        self._before: dict[str, Any] | None = None
        self._after: dict[str, Any] = {}
        self._number = 0

    def follow(self, view: SceneView, number: int, key: int | None, *, stay: bool = False) -> None:
        """`number` changes with what is shown, `key` is the ghost's, None when it went; `stay` then keeps
        the view as it is."""
        if number == self._number:
            return
        self._number = number
        if key is None:
            if self._before is not None and not stay and same_camera(view.camera.state(), self._after):
                view.camera.restore(self._before)
            self._before = None
            return
        points = view.ghost_points(key)
        if view.framing.frames(points):
            return
        if self._before is None or not same_camera(view.camera.state(), self._after):
            self._before = view.camera.state()
        view.framing.fit(points=points)
        self._after = view.camera.state()


def same_camera(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two states of a camera show the same."""
    return one.keys() == other.keys() and all(
        np.allclose(
            np.asarray(value, float),
            np.asarray(other[name], float),
            rtol=CAMERA_TOLERANCE,
            atol=CAMERA_TOLERANCE,
        )
        for name, value in one.items()
    )
