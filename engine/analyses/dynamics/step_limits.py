"""Which steps a method bears on a mechanism: the exponents of small motions, and what one step does to each.

A small motion e^{st} with s = −α ± i√(β² − α²) obeys x″ + 2αx′ + β²x = 0, and the linear stability of the
method says by how much one step lets it grow (`engine/maths/amplification.py`). A step is stable if nothing
grows by more than the motion itself does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.maths.amplification import Growth

TOLERANCE = 1e-6  # growth per step beyond that of the motion which still counts as none
LONGEST = 64.0  # over the largest exponent: steps up to which a limit is looked for
SCAN, BISECTIONS = 512, 40


@dataclass(frozen=True)
class StepLimits:
    """What is known of the steps of one method about one state."""

    stable: float  # s, largest stable step; inf where there is none, 0 where no step is stable
    accurate: float  # s: so many points in the shortest period; inf where nothing oscillates
    shortest_period: float  # s; inf where nothing oscillates

    @property
    def proposed(self) -> float:
        """A step that is stable with a margin, and accurate."""
        return min(MARGIN * self.stable, self.accurate)


MARGIN = 0.9  # of the stable step


def growth_per_step(growth: Growth, numbers: Array, exponents: Array, h: float) -> Array:
    """For each exponent: the factor by which the method lets its motion grow in one step."""
    if not len(exponents):
        return np.zeros(0)
    return growth(-exponents.real * h, np.abs(exponents) ** 2 * h * h, numbers)


def excess(growth: Growth, numbers: Array, exponents: Array, h: float) -> float:
    """Largest growth per step beyond that of the motions themselves; negative where all is stable."""
    if not len(exponents):
        return -1.0
    own = np.exp(np.minimum(exponents.real * h, 50.0))
    return float(np.max(growth_per_step(growth, numbers, exponents, h) - np.maximum(1.0, own)))


def largest_stable_step(growth: Growth, numbers: Array, exponents: Array) -> float:
    """The first loss of stability when the step grows from nothing; inf if there is none."""
    fastest = float(np.max(np.abs(exponents), initial=0.0))
    if fastest == 0.0:
        return math.inf
    steps = np.linspace(0.0, LONGEST / fastest, SCAN + 1)[1:]
    low = 0.0
    for high in steps:
        if excess(growth, numbers, exponents, float(high)) > TOLERANCE:
            break
        low = float(high)
    else:
        return math.inf
    upper = float(high)
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + upper)
        if excess(growth, numbers, exponents, middle) > TOLERANCE:
            upper = middle
        else:
            low = middle
    return low


def step_limits(growth: Growth | None, numbers: Array, exponents: Array, points: int) -> StepLimits:
    """Limits by stability (none is known without a growth) and by `points` per shortest period."""
    swings = np.abs(exponents.imag)
    fastest = float(np.max(swings, initial=0.0))
    period = 2.0 * math.pi / fastest if fastest > 0.0 else math.inf
    stable = math.inf if growth is None else largest_stable_step(growth, numbers, exponents)
    return StepLimits(stable, period / points, period)
