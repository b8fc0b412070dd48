"""Colours of a family of curves: cold for small values, warm for large ones."""

from collections.abc import Sequence

import numpy as np

STOPS = ("#0072B2", "#009E73", "#E69F00", "#D55E00")  # also told apart by the colour-blind


def family_color(value: float, values: Sequence[float]) -> str:
    """Between the stops, by where the value lies in the range of all."""
    low, high = min(values, default=value), max(values, default=value)
    share = (value - low) / (high - low) if high > low else 0.5
    table = np.array([[int(stop[i : i + 2], 16) for i in (1, 3, 5)] for stop in STOPS], float)
    at = np.linspace(0.0, 1.0, len(STOPS))
    return "#" + "".join(f"{round(float(np.interp(share, at, table[:, i]))):02X}" for i in range(3))
