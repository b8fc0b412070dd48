"""Rotation matrices in Python: of angles, of quaternions, and back. Kernels have their own in `vectors`.

All take any number of angles, axes or quaternions at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]  # `layout` has it too, but whoever only reads scenes does not wait for Numba

X, Y, Z = 0, 1, 2


def about(axis: int, angle: ArrayLike) -> Array:
    """About a coordinate axis, shape (…, 3, 3) for angles of shape (…)."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.zeros((*np.shape(c), 3, 3))
    R[..., i, i], R[..., i, j], R[..., j, i], R[..., j, j], R[..., axis, axis] = c, -s, s, c, 1.0
    return R


def about_axis(axis: ArrayLike, angle: ArrayLike) -> Array:
    """About unit vectors, shape (…, 3), by angles of shape (…)."""
    # R = 1 + sin θ K + (1 − cos θ) K²,  K the cross product with the axis                     (Rodrigues)
    K, angles = cross_matrix(axis), np.asarray(angle, float)[..., None, None]
    return np.asarray(np.eye(3) + np.sin(angles) * K + (1.0 - np.cos(angles)) * (K @ K))


def cross_matrix(v: ArrayLike) -> Array:
    """v× as a matrix, shape (…, 3, 3)."""
    x, y, z = np.moveaxis(np.asarray(v, float), -1, 0)
    K = np.zeros((*np.shape(x), 3, 3))
    K[..., 0, 1], K[..., 0, 2], K[..., 1, 2] = -z, y, -x
    K[..., 1, 0], K[..., 2, 0], K[..., 2, 1] = z, -y, x
    return K


def of_quaternion(quaternion: ArrayLike) -> Array:
    """Of quaternions (w, u) of any length but zero, scalar first, shape (…, 4)."""
    # R = 1 + 2 (w u× + u× u×) / |q|²
    q = np.asarray(quaternion, float)
    w, x, y, z = np.moveaxis(q / np.sqrt(np.sum(q * q, axis=-1, keepdims=True)), -1, 0)
    R = np.empty((*np.shape(w), 3, 3))
    R[..., 0, 0], R[..., 0, 1], R[..., 0, 2] = (
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
    )
    R[..., 1, 0], R[..., 1, 1], R[..., 1, 2] = (
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
    )
    R[..., 2, 0], R[..., 2, 1], R[..., 2, 2] = (
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    )
    return R


def quaternion_of(R: Array) -> Array:
    """Unit quaternion of one rotation matrix, scalar first and not negative, by its largest component."""
    w, (x, y, z) = 1.0 + np.trace(R), 1.0 - np.trace(R) + 2.0 * np.diag(R)
    a, b, c = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    d, e, f = R[1, 0] + R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2]
    products = np.array([[w, a, b, c], [a, x, d, e], [b, d, y, f], [c, e, f, z]])  # 4 q qᵀ
    found = products[int(np.argmax([w, x, y, z]))]
    return np.asarray(found * (np.sign(found[0]) or 1.0) / np.linalg.norm(found) + 0.0)  # no negative zeros
