"""Observed orders of direct methods in q, v, λ and Jᵀλ against an adaptive run near rounding.

The error is the root mean square over instants of the run: at a single one its leading term may pass zero.
"""

from functools import cache

import numpy as np

from engine import Trajectory
from engine.compiled.layout import Array
from engine.system.equations.evaluator import Evaluator
from tests.verification.runs import finished, shipped, tight

DURATION, INSTANTS = 0.4, 10  # s; instants that are compared


def states(run: Trajectory) -> tuple[Array, Array, Array, Array]:
    """q, v, λ and the reactions Jᵀλ at equal distances, without the start."""
    segment = run.segments[-1]
    layout, evaluator = segment.channels.layout, Evaluator(segment.mechanism)
    rows = run.samples[np.rint(np.linspace(0, len(run) - 1, INSTANTS + 1)).astype(int)[1:]]
    reactions = []
    for row in rows:
        evaluator.at(row[layout.t], row[layout.q], row[layout.v], row[layout.angles])
        reactions.append(row[layout.multipliers] @ evaluator.jacobian)
    return rows[:, layout.q], rows[:, layout.v], rows[:, layout.multipliers], np.array(reactions)


@cache
def exact(name: str) -> tuple[Array, Array, Array, Array]:
    return states(tight(shipped(name), DURATION, dt=DURATION / INSTANTS, tolerance=2e-14))


def errors(name: str, method: str, rates: tuple[int, ...], **options: float) -> Array:
    """One line per number of steps per second, one column for each of q, v, λ, Jᵀλ."""
    return np.array(
        [
            [
                np.sqrt(np.mean((found - wanted) ** 2))
                for found, wanted in zip(
                    states(finished(shipped(name), method, 1 / rate, DURATION, **options)),
                    exact(name),
                    strict=True,
                )
            ]
            for rate in rates
        ]
    )


def slopes(found: Array) -> Array:
    """Order seen in the last halving of the step."""
    return np.asarray(np.log2(found[-2] / found[-1]))
