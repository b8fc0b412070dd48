"""Quaternions for poses that have no simple axis."""

import numpy as np


def quaternion(R_WB: np.ndarray) -> list[float]:
    """Unit quaternion [w, x, y, z] of a rotation matrix, by its largest component."""
    w = 1.0 + np.trace(R_WB)
    x, y, z = 1.0 - np.trace(R_WB) + 2.0 * np.diag(R_WB)
    largest = int(np.argmax([w, x, y, z]))
    a, b, c = R_WB[2, 1] - R_WB[1, 2], R_WB[0, 2] - R_WB[2, 0], R_WB[1, 0] - R_WB[0, 1]
    d, e, f = R_WB[1, 0] + R_WB[0, 1], R_WB[0, 2] + R_WB[2, 0], R_WB[2, 1] + R_WB[1, 2]
    rows = [[w, a, b, c], [a, x, d, e], [b, d, y, f], [c, e, f, z]]
    found = np.array(rows[largest])
    return [float(component) for component in found / np.linalg.norm(found)]
