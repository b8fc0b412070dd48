"""Jumps (an impact, an edit): a curve ends and goes on, with no line between two samples of one instant."""

import numpy as np

from app.widgets.plots.curves.pyramid import Array

SEEN = 1e-6  # of the extent of a curve: less is no jump


def with_gaps(t: Array, *values: Array) -> tuple[Array, ...]:
    """Instants and values with a gap wherever a value has two samples at one instant that differ."""
    twice = np.flatnonzero(np.diff(t) == 0.0) + 1
    jumps = np.zeros(len(twice), dtype=bool)
    for line in values:
        finite = line[np.isfinite(line)]
        if len(finite) and len(twice):
            seen = SEEN * float(finite.max()) - SEEN * float(finite.min())  # their difference may overflow
            with np.errstate(invalid="ignore", over="ignore"):  # infinite on both sides is no jump
                jumps |= np.abs(line[twice] - line[twice - 1]) > seen
    places = twice[jumps]
    if not len(places):
        return t, *values
    return np.insert(t, places, t[places]), *(np.insert(line, places, np.nan) for line in values)
