"""Poses in space for templates: rotations, quaternions, and loops of hinges by Denavit and Hartenberg."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.maths.rotations import Array, about, quaternion_of

Pose = tuple[Array, Array]  # origin p_WB and rotation matrix R_WB
STEP = 1e-3  # of the driving number, for the derivative


def rotation(axis: str, angle: float) -> Array:
    """Rotation matrix about a coordinate axis."""
    return about("xyz".index(axis), angle)


def frame(z: Sequence[float] | Array, x: Sequence[float] | Array) -> Array:
    """Rotation matrix whose z axis points along `z`, and whose x axis is as near to `x` as it can."""
    w = np.asarray(z, dtype=float) / np.linalg.norm(z)
    u = np.asarray(x, dtype=float) - np.dot(x, w) * w
    u = u / np.linalg.norm(u)
    return np.column_stack([u, np.cross(w, u), w])


def listed(vector: Array) -> list[float]:
    """Numbers for a scene; no negative zeros."""
    return [float(part) + 0.0 for part in vector]


def placed(pose: Pose) -> dict[str, Any]:
    """Fields of a body at rest."""
    turned = {} if np.array_equal(pose[1], np.eye(3)) else {"orientation": listed(quaternion_of(pose[1]))}
    return {"position": listed(pose[0]), **turned}


def moving(poses: Callable[[float], Sequence[Pose]], start: float, rate: float) -> list[dict[str, Any]]:
    """Fields of bodies whose poses are functions of one number, which runs at this rate."""
    at = poses(start)
    fields = [placed(pose) for pose in at]
    if rate == 0.0:
        return fields
    near, far = ((poses(start + k * STEP), poses(start - k * STEP)) for k in (1.0, 2.0))
    for i, (_, R) in enumerate(at):
        v, dR = (
            (8.0 * (near[0][i][n] - near[1][i][n]) - (far[0][i][n] - far[1][i][n])) * rate / (12.0 * STEP)
            for n in (0, 1)
        )
        spin = dR @ R.T  # the cross-product matrix of ω
        w = np.array([spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1]]) / 2.0
        fields[i] |= {"velocity": listed(v), "angular_velocity": listed(w)}
    return fields


def hinge_loop(angles: Sequence[float], lengths: Sequence[float], twists: Sequence[float]) -> list[Pose]:
    """Poses of the links of a closed chain; the last link lies still, with its frame in the world's.

    Link i has its hinge along z, x along the common normal to the next hinge, at distance `lengths[i]` and
    turned by `twists[i]` about x. `angles[i]` turns link i against the one before it.
    """
    poses: list[Pose] = []
    p, R = np.zeros(3), np.eye(3)  # of the last link
    p, R = p + R @ np.array([lengths[-1], 0.0, 0.0]), R @ rotation("x", twists[-1])
    for angle, reach, twist in zip(angles[:-1], lengths[:-1], twists[:-1], strict=True):
        R = R @ rotation("z", angle)
        poses.append((p, R))
        p, R = p + R @ np.array([reach, 0.0, 0.0]), R @ rotation("x", twist)
    poses.append((np.zeros(3), np.eye(3)))
    return poses
