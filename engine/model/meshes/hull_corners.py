"""Corners of the convex hull of points."""

from __future__ import annotations

import numpy as np

from engine.model.meshes.faces import Array, MeshError

MAX_CORNERS = 32  # of a hull that touches: each is a gap against every other shape
THINNEST = 1e-3  # of its length: what is thinner has no inside to speak of


def hull_corners(points: Array, most: int = MAX_CORNERS) -> Array:
    """Corners of the convex hull, at most so many: those that lie farthest out in directions all around.

    Raises MeshError for points that are flat or needle-shaped.
    """
    from scipy.spatial import ConvexHull, QhullError  # slow to import, and most scenes have no contact

    centred = points - points.mean(axis=0)
    spans = np.linalg.svd(centred, compute_uv=False) if len(points) >= 4 else np.zeros(3)
    if not spans[-1] > THINNEST * spans[0]:
        kind = "needle-shaped" if len(points) >= 4 and spans[1] <= THINNEST * spans[0] else "flat"
        raise MeshError(f"it is {kind}: a hull needs an inside, a thousandth of its length thick at least")
    try:
        corners = points[ConvexHull(points).vertices]
    except QhullError:
        raise MeshError("it has no convex hull; give the body a shape of its own to touch with") from None
    if len(corners) <= most:
        return np.asarray(corners)
    # directions all around, by the golden angle; the extremes along the axes of the mesh first
    k = np.arange(most - 6) + 0.5
    z, turn = 1.0 - 2.0 * k / len(k), np.pi * (1.0 + 5.0**0.5) * k
    around = np.column_stack([np.sqrt(1.0 - z * z) * np.cos(turn), np.sqrt(1.0 - z * z) * np.sin(turn), z])
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    directions = np.concatenate([axes, -axes, around])
    return np.asarray(corners[np.unique(np.argmax(corners @ directions.T, axis=0))])
