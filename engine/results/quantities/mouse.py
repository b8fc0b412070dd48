"""The mouse: the force it pulls with and its power, in runs that a person watches.

Computed from the recorded states and the remembered pulls, so a replay shows them too. Zero while nothing is
pulled; the work is `energy.work.mouse`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.layout import Array
from engine.results.output_evaluation import OutputEvaluation
from engine.results.quantities.base import Channel, Read
from engine.system.compiling.mechanism import Mechanism
from engine.system.mouse_pulls import PullLog, has_mouse


def channels(mechanism: Mechanism, log: PullLog) -> Iterator[Channel]:
    if not has_mouse(mechanism):
        return
    for axis, name in enumerate("xy" if mechanism.planar else "xyz"):
        yield Channel(f"mouse.f{name}", "N", _component(log, axis), "pull of the mouse, world axes")
    yield Channel(
        "mouse.force",
        "N",
        lambda evaluation: np.linalg.norm(pulled(evaluation, log)[0], axis=1),
        "size of the pull of the mouse",
    )
    yield Channel(
        "mouse.power",
        "W",
        lambda evaluation: np.sum(np.prod(pulled(evaluation, log), axis=0), axis=1),
        "power that the mouse puts in",
    )


def pulled(evaluation: OutputEvaluation, log: PullLog) -> Array:
    """Force on the body and velocity of its point, world axes, shape (2, n, 3)."""
    found = np.zeros((2, len(evaluation), 3))
    mechanism = evaluation.mechanism
    for span, pull in log.spans(evaluation.t):
        if pull.body not in mechanism.bodies:
            continue
        b = mechanism.bodies.index(pull.body)
        p_B = np.array(pull.point) - mechanism.com[b]
        velocity = evaluation.velocity(b, p_B)[span]
        away = np.array(pull.target) - evaluation.position(b, p_B)[span]
        found[0, span], found[1, span] = pull.stiffness * away - pull.damping * velocity, velocity
    return found


def _component(log: PullLog, axis: int) -> Read:
    return lambda evaluation: pulled(evaluation, log)[0][:, axis]
