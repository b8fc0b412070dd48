"""Mode shapes as motions: one period of a small oscillation about the pose, to be watched."""

from __future__ import annotations

import math

import numpy as np

from engine.analyses.answers.result import ModeShapes, Motion
from engine.compiled.layout import Array
from engine.system.assembly.scaling import scales_of
from engine.system.equations.evaluator import Evaluator

FRAMES = 48  # of a period
SHOWN_PERIOD = 1.0  # s; how long a period lasts on the screen when the true one is not asked for
REACH = 0.15  # rad, or of the mechanism's length: the largest displacement that is shown


def animate(
    shapes: ModeShapes,
    index: int,
    *,
    reach: float = REACH,
    period: float = SHOWN_PERIOD,
    frames: int = FRAMES,
) -> Motion:
    """One period of a mode, without its decay: q(t) = q ⊕ Re(c e^{iωt}), the largest part of c being `reach`.

    Displacements follow the linear motion, so constraints hold to second order in the reach only.
    """
    mechanism = shapes.mechanism
    evaluator = Evaluator(mechanism)
    shape = _scaled(np.asarray(shapes.modes[index].shape, dtype=complex), scales_of(mechanism).column, reach)
    t = np.linspace(0.0, period, frames + 1)
    omega = 2.0 * math.pi / period
    turning = np.exp(1j * omega * t)
    q = np.array([evaluator.retract(shapes.q, (shape * e).real) for e in turning])
    v = np.array([(1j * omega * shape * e).real for e in turning])
    a = np.array([(-(omega**2) * shape * e).real for e in turning])
    return Motion(shapes.name(index), mechanism, t, q, v, a, loop=True)


def _scaled(shape: Array, column: Array, reach: float) -> Array:
    """The shape with its largest dimensionless part equal to the reach, and that part real at t = 0."""
    relative = shape / column
    k = int(np.argmax(np.abs(relative)))
    largest = relative[k]
    return shape * (reach / largest) if abs(largest) > 0.0 else shape
