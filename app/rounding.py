"""Round numbers for grids and default sizes."""

import math


def nice(value: float) -> float:
    """The next larger of 1, 2, 5 times a power of ten; 1 for what has none."""
    if not 0.0 < value < math.inf:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for factor in (1.0, 2.0, 5.0):
        if factor * power >= value * (1.0 - 1e-9):
            return float(factor * power)
    return float(10.0 * power)
