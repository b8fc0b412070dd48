"""Lines of equal value over a grid: every cell is two triangles, in each of which the value is linear."""

from __future__ import annotations

import numpy as np

from engine.maths.round_numbers import nice


def contour(x: np.ndarray, y: np.ndarray, z: np.ndarray, level: float) -> np.ndarray:
    """Pieces of the line z = level, shape (pieces, 2 ends, 2); none where a corner of a triangle is NaN."""
    grid = np.stack([*np.meshgrid(x, y, indexing="ij"), z], axis=-1)  # (n, m, 3)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    corners = np.stack([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 3)
    corners = corners[np.isfinite(corners[:, :, 2]).all(axis=1)]
    above = corners[:, :, 2] > level
    crossed = above.any(axis=1) & ~above.all(axis=1)
    corners, above = corners[crossed], above[crossed]
    # one corner lies alone on its side: the line crosses the two edges that meet there
    alone = np.where(above.sum(axis=1) == 1, above.argmax(axis=1), (~above).argmax(axis=1))
    rows = np.arange(len(corners))
    tip = corners[rows, alone]
    ends = []
    for k in (1, 2):
        other = corners[rows, (alone + k) % 3]
        share = (level - tip[:, 2]) / (other[:, 2] - tip[:, 2])
        ends.append(tip[:, :2] + share[:, None] * (other[:, :2] - tip[:, :2]))
    return np.stack(ends, axis=1)


def round_levels(low: float, high: float, count: int) -> list[float]:
    """About so many round numbers strictly between the two."""
    if not high > low:
        return []
    step = nice((high - low) / count)
    first, last = int(np.floor(low / step)) + 1, int(np.ceil(high / step))
    return [k * step for k in range(first, last)]
