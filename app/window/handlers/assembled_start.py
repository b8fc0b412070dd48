"""The scene as it is seen at its start: bodies stand where closing the loops has put them."""

from __future__ import annotations

import numpy as np

from app.edits.fields import set_start
from app.session.session import Session
from engine.model.poses import Pose, given_poses
from engine.model.scene import Scene

MOVED = 1e-9  # m, and of the entries of a rotation matrix: what differs by less is as written


def as_assembled(session: Session) -> Scene:
    """The scene of the document with the poses that its run begins at; as written where there is no such run.

    Bodies that stand where they are written keep their expressions.
    """
    scene, run = session.document.scene, session.runs.current
    if run is None or run.empty or run.scene is not scene:
        return scene
    written = given_poses(scene)
    begins = run.poses_at(run.t_first)
    moved = {name: pose for name, pose in begins.items() if name in written and _differ(written[name], pose)}
    return set_start(scene, moved).after if moved else scene


def _differ(one: Pose, other: Pose) -> bool:
    return any(float(np.abs(np.subtract(a, b)).max()) > MOVED for a, b in zip(one, other, strict=True))
