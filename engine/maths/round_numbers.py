"""Round numbers: for grids and default sizes, and what a computed number means.

Places that are picked on the screen or taken from a closed linkage carry what rounding and the tolerance of
closing left in them: 0.3250000000005 m, -3e-13 m. What is written into a scene is the number that is meant.
"""

import math

NOISE = 1e-11  # of the size of a scene: joints are closed to a tenth of it
GRAIN = 1e-9  # of the size: a number this near to a multiple, but for noise, means the multiple
LEAST, MOST = 1e-290, 1e290  # sizes beyond which powers of ten and what is rounded to them leave the range


def exact(value: float, size: float = 1.0) -> float:
    """The round number that a computed one means, or itself; `size` is that of the numbers around it."""
    if not (LEAST < size < MOST and abs(value) < MOST):
        return float(value)
    digits = -math.floor(math.log10(GRAIN * size))
    found = round(float(value), digits)
    return found + 0.0 if abs(found - value) <= NOISE * size else float(value)


def exact_angle(angle: float) -> float:
    """The same for an angle [rad]: round is what is round in degrees."""
    degrees = math.degrees(angle)
    found = exact(degrees, 180.0)
    return float(angle) if found == degrees else math.radians(found)


def tidy(value: float, size: float = 1.0) -> float:
    """As `exact`, and no more than twelve digits: for what was drawn, so that files and fields read well."""
    return float(f"{exact(value, size):.12g}") + 0.0


def nice(value: float) -> float:
    """The next larger of 1, 2, 5 times a power of ten; 1 for what has none."""
    if not LEAST < value < MOST:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for factor in (1.0, 2.0, 5.0):
        if factor * power >= value * (1.0 - 1e-9):
            return float(factor * power)
    return float(10.0 * power)
