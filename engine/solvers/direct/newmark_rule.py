"""Newmark's rule [Newmark 1959] in the numbers β and γ_N: presets, stability limit, amplification matrix.

x₁ = x₀ + h ẋ₀ + h²[(½ − β) ẍ₀ + β ẍ₁],   ẋ₁ = ẋ₀ + h[(1 − γ_N) ẍ₀ + γ_N ẍ₁]
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from engine.compiled.columns import options as SLOT
from engine.compiled.layout import Array, Option
from engine.maths.amplification import Growth, of_second_order

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


# numbers of Work.options → α_m, α_f, β, γ_N
Parameters = Callable[[Array], tuple[float, float, float, float]]


def growth_of(parameters: Parameters) -> Growth:
    """Linear stability of the α family, Newmark's rule being the one with α_m = α_f = 0:

    (1 − α_m) ẍ₁ + α_m ẍ₀ = −(1 − α_f) (β² x₁ + 2α ẋ₁) − α_f (β² x₀ + 2α ẋ₀)
    """

    def step(alpha_h: Array, beta2_h2: Array, state: Array, numbers: Array) -> Array:
        am, af, b, g = parameters(numbers)
        x, v, a = np.moveaxis(state, -1, 0)
        known_x, known_v = x + v + (0.5 - b) * a, v + (1.0 - g) * a  # without the share of the new ẍ
        pull = (1.0 - af) * (beta2_h2 * known_x + 2.0 * alpha_h * known_v)
        pull = pull + af * (beta2_h2 * x + 2.0 * alpha_h * v) + am * a
        new = -pull / (1.0 - am + (1.0 - af) * (beta2_h2 * b + 2.0 * alpha_h * g))
        return np.stack([known_x + b * new, known_v + g * new, new], axis=-1)

    return of_second_order(3, step)


GROWTH: Final = growth_of(lambda numbers: (0.0, 0.0, float(numbers[BETA]), float(numbers[GAMMA])))
