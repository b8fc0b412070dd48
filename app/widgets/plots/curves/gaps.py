"""Jumps at events (an impact, a stop that is touched): a curve ends and goes on, without a slanted line."""

import numpy as np

from app.widgets.plots.curves.pyramid import Array

JUMP = 3.0  # times the changes beside it: what a curve does across an event is a jump


def with_gaps(t: Array, y: Array, instants: Array) -> tuple[Array, Array]:
    """The curve with a gap between the two samples around each instant where it jumps."""
    if len(t) < 4 or not len(instants):
        return t, y
    after = np.searchsorted(t, instants, side="left")
    after = np.unique(after[(after > 0) & (after < len(t))])
    change = np.abs(np.diff(y))  # of the interval behind each sample
    here = change[after - 1]
    before = np.where(after >= 2, change[np.maximum(after - 2, 0)], 0.0)
    behind = np.where(after < len(change), change[np.minimum(after, len(change) - 1)], 0.0)
    jumps = after[here > JUMP * np.maximum(before, behind)]
    if not len(jumps):
        return t, y
    middle = 0.5 * (t[jumps - 1] + t[jumps])
    return np.insert(t, jumps, middle), np.insert(y, jumps, np.nan)
