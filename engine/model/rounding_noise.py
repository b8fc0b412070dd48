"""Rounding noise: how small a number of a mechanism must be to be as good as zero.

Every number is known to about the machine epsilon times the size of what it is made from. Rounding errors add
up over the operations behind a number, so what is below a thousand times that is shown as zero. Only what is
shown: files keep every digit.
"""

import math
import sys
from collections.abc import Iterable

import numpy as np

from engine.errors import SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene

FACTOR = 1000.0  # rounding errors in a number


def noise_floor(size: float) -> float:
    """Numbers made from ones of this size are noise below it, in the same unit."""
    return FACTOR * sys.float_info.epsilon * size if math.isfinite(size) else 0.0


def largest(values: Iterable[float]) -> float:
    """The largest absolute value of those that are numbers, 0 without any."""
    return max((abs(value) for value in values if math.isfinite(value)), default=0.0)


def length_of(scene: Scene) -> float:
    """How large a mechanism is [m]: how far its bodies lie apart, and their points from their origins."""
    try:
        solved = resolve(scene)
    except SceneError:
        return 1.0
    places = [np.asarray(body.position, dtype=float) for body in solved.bodies if body.position is not None]
    arms = [
        float(np.linalg.norm(np.asarray(point.position, dtype=float)))
        for body in solved.bodies
        for point in body.points
    ]
    apart = float(np.linalg.norm(np.ptp(np.array(places), axis=0))) if places else 0.0
    return apart + max(arms, default=0.0) or 1.0
