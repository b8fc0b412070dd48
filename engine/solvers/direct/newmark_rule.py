"""Newmark's rule [Newmark 1959] in the numbers β and γ_N: presets, stability limit, amplification matrix.

x₁ = x₀ + h ẋ₀ + h²[(½ − β) ẍ₀ + β ẍ₁],   ẋ₁ = ẋ₀ + h[(1 − γ_N) ẍ₀ + γ_N ẍ₁]
"""

import math
from typing import Final

import numpy as np

from engine.compiled.columns import options as SLOT
from engine.compiled.layout import Array, Option

BETA, GAMMA = SLOT.DIRECT, SLOT.DIRECT + 1  # places in Work.options
OPTIONS: Final = (
    Option("beta", BETA, 0.25, "β: share of the new acceleration in positions, times two", maximum=1.0),
    Option("gamma", GAMMA, 0.5, "γ: share of the new acceleration in velocities", maximum=1.0),
)
TRAPEZOIDAL: Final = {"beta": 1.0 / 4.0, "gamma": 0.5}
LINEAR_ACCELERATION: Final = {"beta": 1.0 / 6.0, "gamma": 0.5}
FOX_GOODWIN: Final = {"beta": 1.0 / 12.0, "gamma": 0.5}


def stability_limit(frequency: float, beta: float, gamma: float) -> float:
    """Largest stable step for a natural frequency [rad/s] without damping; infinite where there is none.

    h ω ≤ 1/√(γ_N/2 − β): 2.449 for Fox and Goodwin, 3.464 for linear acceleration, 2 for central differences.
    """
    if gamma < 0.5:
        return 0.0
    share = 0.5 * gamma - beta
    return math.inf if share <= 0.0 or frequency <= 0.0 else 1.0 / (frequency * math.sqrt(share))


def amplification(h: float, beta: float, gamma: float, damping: float = 0.0) -> Array:
    """What a step does to (h²ẍ, h ẋ, x) of an oscillator; `h` is ω times the step [UPV Newmark, eq. 6.15]."""
    b, g, x = beta, gamma, damping * h
    k = h * h
    rows = [
        [4 * (g - 1) * x + (2 * b - 1) * k, -2 * k - 4 * x, -2 * k],
        [2 * (1 - g) + (2 * b - g) * k, 2 + 2 * (b - g) * k, -2 * g * k],
        [(1 - 2 * b) + 2 * (g - 2 * b) * x, 2 + 4 * (g - b) * x, 2 + 4 * g * x],
    ]
    return np.array(rows) / (2.0 * (1.0 + 2.0 * g * x + b * k))
