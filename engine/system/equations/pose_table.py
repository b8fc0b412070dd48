"""The table of poses that `kinematics.poses` fills, read as points and matrices."""

import numpy as np

from engine.compiled.columns import poses as POSE
from engine.compiled.layout import Array


def centre(pose: Array, body: int) -> Array:
    """Its centre of mass in the world, shape (3,)."""
    return pose[body, POSE.P : POSE.P + 3]


def rotation(pose: Array, body: int) -> Array:
    """R_WB, shape (3, 3)."""
    return pose[body, POSE.R : POSE.R + 9].reshape(3, 3)


def rotations(pose: Array) -> Array:
    """R_WB of all bodies, the world last, shape (n + 1, 3, 3)."""
    return pose[:, POSE.R : POSE.R + 9].reshape(-1, 3, 3)


def point(pose: Array, body: int, p_B: Array) -> Array:
    """World point of one that is given from the centre of mass, shape (3,)."""
    return np.asarray(centre(pose, body) + rotation(pose, body) @ p_B)
