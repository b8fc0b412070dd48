"""Where the bodies of a run have been: a fitted picture holds all of it."""

from __future__ import annotations

import numpy as np

from app.session.recorded.run import Run
from app.viewport.camera.reach import FREE
from app.viewport.canvas.surface import Array
from app.viewport.scene.scene_view import SceneView

LOOKED = 60  # instants


def recorded_points(view: SceneView, run: Run | None) -> Array:
    """Corners of boxes around the bodies at instants of the run [m, world], shape (n, 3).

    A body that went far away, by falling or because the run failed, is fitted where it is.
    """
    none = np.zeros((0, 3))
    if run is None or run.empty:
        return none
    corners = view.queries.body_corners()
    passed: dict[str, list[Array]] = {}
    for t in np.linspace(run.t_first, run.t_last, LOOKED):
        for body, (origin, R) in run.poses_at(float(t)).items():
            if body in corners:
                passed.setdefault(body, []).append(origin + corners[body] @ R.T)
    found = [np.concatenate(clouds) for clouds in passed.values()]
    near = [cloud for cloud in found if np.ptp(cloud, axis=0).max() < FREE * view.stage.extent]
    return np.concatenate([none, *near])
