"""Bodies so far from the origin that small motions are lost among the digits of their places."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.layout import Array
from engine.system.compiling.mechanism import Mechanism

FAR = 1e10  # m: places are two micrometres apart
AXES = ((0, 1), (0, 1, 2))  # of a place among the coordinates of a body, in the plane and in space
NUMBERS = (3, 7)  # coordinates of a body


def far_away(mechanism: Mechanism, q: Array) -> Iterator[str]:
    """A warning of the body that is farthest from the origin at the start, if it is very far."""
    if not len(mechanism.bodies):
        return
    spatial = int(not mechanism.planar)
    places = np.asarray(q).reshape(len(mechanism.bodies), NUMBERS[spatial])[:, AXES[spatial]]
    far = np.linalg.norm(places, axis=1)
    i = int(np.argmax(far))
    if far[i] > FAR:
        yield (
            f"body {mechanism.bodies[i]!r} is {far[i]:.3g} m from the origin, where numbers are "
            f"{np.spacing(np.abs(places[i]).max()):.2g} m apart: a motion below half of that in a step is "
            "lost; put the origin near the mechanism."
        )
