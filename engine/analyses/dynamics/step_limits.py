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
from engine.maths.step_reach import MAX_REACH, TOLERANCE, StepReach
from engine.results.sample_layout import SampleLayout
from engine.results.small_motions import MAX_VELOCITIES, SmallMotions
from engine.solvers.catalogue import Method
from engine.system.compiling.mechanism import Mechanism

SCAN, BISECTIONS = 512, 40


@dataclass(frozen=True)
class StepLimits:
    """What is known of the steps of one method about one state."""

    stable: float  # s, largest stable step; inf where there is none, 0 where no step is stable
    accurate: float  # s: so many points in the shortest period
    shortest_period: float  # s, of an oscillation, a turn, or 2π/s of a growth; inf where there is none

    @property
    def stable_with_margin(self) -> float:
        return MARGIN * self.stable

    @property
    def proposed(self) -> float:
        """A step that is stable with a margin, and accurate."""
        return min(self.stable_with_margin, self.accurate)


MARGIN = 0.9  # of the stable step


def growth_per_step(growth: Growth, numbers: Array, exponents: Array, h: float) -> Array:
    """For each exponent: the factor by which the method lets its motion grow in one step."""
    if not len(exponents):
        return np.zeros(0)
    return growth(-exponents.real * h, np.abs(exponents) ** 2 * h * h, numbers)


def largest_stable_step(growth: Growth, numbers: Array, exponents: Array) -> float:
    """The first loss of stability when the step grows from nothing; inf if there is none."""
    fastest = float(np.max(np.abs(exponents), initial=0.0))
    if fastest == 0.0:
        return math.inf
    reach = StepReach(growth, numbers)
    steps = np.linspace(0.0, MAX_REACH / fastest, SCAN + 1)[1:]
    low = 0.0
    for high in steps:
        if reach.excess(exponents, float(high)) > TOLERANCE:
            break
        low = float(high)
    else:
        return math.inf
    upper = float(high)
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + upper)
        if reach.excess(exponents, middle) > TOLERANCE:
            upper = middle
        else:
            low = middle
    return low


def fastest_turn(mechanism: Mechanism, v: Array) -> float:
    """Angular velocity of the body that turns fastest [rad/s]."""
    of_bodies = v.reshape(len(mechanism.bodies), -1)
    spins = of_bodies[:, 2:] if mechanism.planar else of_bodies[:, 3:]
    return float(np.max(np.linalg.norm(spins, axis=1), initial=0.0))


def step_limits(
    growth: Growth | None, numbers: Array, exponents: Array, turning: float, points: int
) -> StepLimits:
    """Limits by stability (none is known without a growth) and by `points` per shortest period.

    What grows must be followed as what oscillates is, and bodies as they turn [rad/s]; what decays need not.
    """
    swings = np.hypot(exponents.imag, np.maximum(exponents.real, 0.0))
    fastest = float(np.max(swings, initial=turning))
    period = 2.0 * math.pi / fastest if fastest > 0.0 else math.inf
    stable = math.inf if growth is None else largest_stable_step(growth, numbers, exponents)
    return StepLimits(stable, period / points, period)


def limits_of_run(
    mechanism: Mechanism, sample: Array, method: Method, numbers: Array, points: int
) -> StepLimits:
    """About a recorded state; only accuracy counts where the method chooses its steps.

    Raises ValueError for a mechanism that is too large to be linearised while one waits.
    """
    if mechanism.nv > MAX_VELOCITIES:
        raise ValueError(f"{mechanism.nv} velocities are too many to look at while you wait")
    exponents = SmallMotions(mechanism).exponents(sample)
    turning = fastest_turn(mechanism, SampleLayout(mechanism).state(sample)[2])
    return step_limits(None if method.adaptive else method.growth, numbers, exponents, turning, points)


def rounded_down(step: float) -> float:
    """To two digits."""
    if not 0.0 < step < math.inf:
        return step
    digit = 10.0 ** (math.floor(math.log10(step)) - 1)
    return float(f"{math.floor(step / digit * (1.0 + 1e-12)) * digit:.2g}")
