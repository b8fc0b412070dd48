"""Where a scene puts its bodies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.elements.bodies.body import Body
from engine.model.mass import Array, rotation
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

Pose = tuple[Array, Array]  # origin [m], shape (3,), and R_WB, shape (3, 3)
Poses = dict[str, Pose]  # by name of the body


def given_poses(scene: Scene) -> Poses:
    """The poses that a scene gives, before assembly; bodies whose numbers cannot be computed are left out."""
    return resolved_poses(resolve_leniently(scene)[0])


def resolved_poses(scene: Scene) -> Poses:
    """The same of a scene that has numbers in place of expressions."""
    return dict(_poses(scene))


def given_pose(body: Body) -> Pose:
    """Of a resolved body."""
    return np.array(body.position, dtype=float), rotation(body.orientation, float(body.angle))


def _poses(scene: Scene) -> Iterator[tuple[str, Pose]]:
    for body in scene.bodies:
        try:
            origin, R = given_pose(body)
        except (TypeError, ValueError):
            continue
        if origin.shape == (3,) and np.isfinite(origin).all() and np.isfinite(R).all():
            yield body.name, (origin, R)
