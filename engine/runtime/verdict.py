"""Whether the energy of a run is to be believed: one measure and one limit, for messages and reports."""

import numpy as np

from engine.problems import Array

CHANNELS = ("energy.kinetic", "energy.error")
GOOD = 1e-3  # share of the largest kinetic energy by which the balance may be off


def energy_share(table: Array) -> tuple[float, float]:
    """Largest error of the balance of energy [J], and its share of the largest kinetic energy.

    The first columns of the table are CHANNELS.
    """
    scale, error = (float(np.nanmax(np.abs(table[:, i]), initial=0.0)) for i in range(2))
    return error, error / scale if scale > 0.0 else 0.0
