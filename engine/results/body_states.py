"""Where bodies are in samples."""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array
from engine.maths.rotations import Z, about, of_quaternion
from engine.results.sample_layout import SampleLayout
from engine.system.compiling.mechanism import Mechanism


def body_states(
    mechanism: Mechanism, samples: Array, layout: SampleLayout | None = None
) -> tuple[Array, Array]:
    """Centres of mass and rotations of all bodies that move, shapes (…, n, 3) and (…, n, 3, 3).

    `samples` is one sample or rows of them; `layout` is theirs, for those who ask often.
    """
    n, before = len(mechanism.bodies), samples.shape[:-1]
    q = samples[..., (layout or SampleLayout(mechanism)).q].reshape(*before, n, -1)
    if not mechanism.planar:
        return q[..., :3].copy(), of_quaternion(q[..., 3:])
    centres = np.zeros((*before, n, 3))
    centres[..., :2] = q[..., :2]
    return centres, about(Z, q[..., 2])
