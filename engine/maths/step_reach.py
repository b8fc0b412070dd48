"""How far one step may go: the largest |s|h of a motion e^{st} that a method does not make grow.

Along the ray of arg s, from pure oscillation (π/2) to pure damping (π); between rays it is interpolated. A
step is stable for a mechanism when no exponent s of its small motions lies beyond:

    h ≤ min over s of reach(arg s)/|s|

Schemes such as Heun's let every oscillation grow, by very little: growth that is below TOLERANCE per step
counts as none, so that they have a reach, too.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from engine.compiled.layout import Array
from engine.maths.amplification import Growth

TOLERANCE = 1e-6  # growth per step beyond that of the motion which still counts as none
MAX_REACH = 64.0  # |s|h up to which a limit is looked for
SCAN, RAYS, BISECTIONS = 256, 17, 30
_ANGLES = np.linspace(0.5 * math.pi, math.pi, RAYS)


class StepReach:
    """Of a method with the numbers of its options; found when it is asked for."""

    def __init__(self, growth: Growth, numbers: Array) -> None:
        self._growth, self._numbers = growth, numbers.tobytes()

    def limit(self, exponents: Array) -> float:
        """Largest stable step [s] for motions with these exponents [1/s]; inf where there is none.

        Motions that grow by themselves count as if they swung: a step must not jump over them either.
        """
        own = exponents[np.abs(exponents) > 0.0]
        if not len(own):
            return math.inf
        angles = np.maximum(np.abs(np.angle(own)), 0.5 * math.pi)
        return float(np.min(np.interp(angles, _ANGLES, self._reaches) / np.abs(own)))

    @property
    def of_oscillation(self) -> float:
        """Largest ωh of a motion without damping; inf where there is none."""
        return float(self._reaches[0])

    def excess(self, exponents: Array, h: float) -> float:
        """By how much a step of h lets motions grow at most, beyond what they grow by themselves."""
        if not len(exponents):
            return -1.0
        with np.errstate(all="ignore"):  # what grows beyond all numbers is infinite
            return self._excess(exponents, h)

    def _excess(self, exponents: Array, h: float) -> float:
        numbers, own = np.frombuffer(self._numbers), np.exp(np.minimum(exponents.real * h, 50.0))
        found = self._growth(-exponents.real * h, np.abs(exponents) ** 2 * h * h, numbers)
        return float(np.max(found - np.maximum(1.0, own)))

    @property
    def _reaches(self) -> Array:
        return _reaches(self._growth, self._numbers)


@lru_cache(maxsize=64)
def _reaches(growth: Growth, packed: bytes) -> Array:
    """The reach along each ray."""
    numbers = np.frombuffer(packed)

    def grows(angles: Array, radii: Array) -> Array:
        with np.errstate(all="ignore"):
            found = growth(-radii * np.cos(angles), radii**2, numbers)
        return np.asarray(~(found <= 1.0 + TOLERANCE))

    # even steps up to 8, where explicit methods end, then ever longer ones
    radii = np.concatenate([np.geomspace(1e-4, 0.05, 24), np.linspace(0.05, 8.0, SCAN)[1:]])
    radii = np.concatenate([radii, np.geomspace(8.0, MAX_REACH, 32)[1:]])
    angles, places = np.meshgrid(_ANGLES, radii, indexing="ij")
    lost = grows(angles, places)
    first = np.argmax(lost, axis=1)
    low = np.where(first > 0, radii[np.maximum(first - 1, 0)], 0.0)
    high = radii[first]
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        over = grows(_ANGLES, middle)
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    found = np.where(lost.any(axis=1), low, math.inf)
    found.setflags(write=False)
    return found
