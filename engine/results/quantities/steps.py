"""How the method fares: its steps, its iterations, and how long a step could be.

The largest natural frequency is that of the motion linearised at the sample; methods that watch it themselves
have it in their samples. `method.step_limit` is the longest step at which nothing grows that the motion does
not let grow; methods whose steps are chosen on the way, or never too long, have no such channel.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.layout import Array
from engine.results.output_evaluation import OutputEvaluation
from engine.results.quantities.base import Channel
from engine.results.small_motions import MAX_VELOCITIES, SmallMotions
from engine.results.stepping import stepping_of
from engine.system.compiling.mechanism import Mechanism

LOOKED_AT = 24  # samples of a slice that are linearised; between them values are interpolated in time
UNLIMITED = 1e6  # s, stands for no limit where nothing moves of its own accord


def channels(mechanism: Mechanism) -> Iterator[Channel]:
    yield Channel(
        "method.step",
        "s",
        lambda evaluation: evaluation.samples[:, evaluation.layout.step],
        "length of the last step",
    )
    yield Channel(
        "method.iterations",
        "",
        lambda evaluation: evaluation.samples[:, evaluation.layout.iterations],
        "iterations of the last step",
    )
    yield Channel(
        "method.pivot",
        "",
        lambda evaluation: evaluation.samples[:, evaluation.layout.pivot],
        "smallest pivot of the constraints over its diagonal: near 0 near singular configurations",
    )
    yield Channel("method.frequency", "rad/s", _frequency, "largest natural frequency of small motions")
    reach = stepping_of(mechanism).reach
    if reach is not None and np.isfinite(reach.of_oscillation) and mechanism.nv <= MAX_VELOCITIES:
        yield Channel("method.step_limit", "s", _limit, "longest step at which the method is stable")


def _frequency(evaluation: OutputEvaluation) -> Array:
    """What the method has found, else what is found now; 0 for mechanisms that are too large for it."""
    recorded = evaluation.samples[:, evaluation.layout.frequency]
    if recorded.any() or evaluation.mechanism.nv > MAX_VELOCITIES:
        return recorded
    return _spread(evaluation)[1]


def _limit(evaluation: OutputEvaluation) -> Array:
    return _spread(evaluation)[0]


def _spread(evaluation: OutputEvaluation) -> tuple[Array, Array]:
    """Step limit and frequency of all samples, from some of them."""
    n, reach = len(evaluation), stepping_of(evaluation.mechanism).reach
    if not n:
        return np.zeros(0), np.zeros(0)
    motions = SmallMotions(evaluation.mechanism)
    some = np.unique(np.linspace(0, n - 1, min(n, LOOKED_AT)).round().astype(int))
    limits, frequencies = [], []
    for i in some:
        exponents = motions.exponents(evaluation.samples[i])
        limits.append(UNLIMITED if reach is None else min(reach.limit(exponents), UNLIMITED))
        frequencies.append(float(np.max(np.abs(exponents.imag), initial=0.0)))
    # over time, not over the number of the sample: states of one instant have one limit
    t = evaluation.samples[:, evaluation.layout.t]
    return np.interp(t, t[some], limits), np.interp(t, t[some], frequencies)
