"""Errors of channels against a reference, each relative to its size, and all as one number.

    e_j(t_i) = |x_j(t_i) − r_j(t_i)| / max(|r_j(t_i)|, threshold_j)
    e_total  = √( mean over instants and channels of e_j² )                    [UPV Newmark, eqs. 8.4 and 8.5]

The threshold keeps the error finite where the reference passes through zero. The source does not print its
own; ours is a thousandth of the largest value that the channel has in the reference, unless told, but not
less than what rounding leaves in channels of its unit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.compiled.layout import Array

THRESHOLD = 1e-3  # of the largest value of a channel
NOISE = 1e-9  # of the largest value with the same unit


def thresholds_of(reference: Array, units: Sequence[str], share: float = THRESHOLD) -> Array:
    """One per column; 1 where all channels of a unit are zero throughout."""
    largest = np.abs(reference).max(axis=0, initial=0.0)
    of_unit = {unit: max(largest[[k for k, u in enumerate(units) if u == unit]]) for unit in units}
    rounding = NOISE * np.array([of_unit[unit] for unit in units])
    found = np.maximum(share * largest, rounding)
    return np.where(found > 0.0, found, 1.0)


def relative_errors(found: Array, reference: Array, thresholds: Array) -> Array:
    """Of all instants (rows) and channels (columns)."""
    return np.abs(found - reference) / np.maximum(np.abs(reference), thresholds)


def total_error(errors: Array) -> float:
    """Root mean square over all; NaN where there is nothing to compare."""
    return float(np.sqrt(np.mean(errors**2))) if errors.size else float("nan")


def on_instants(t: Array, values: Array, instants: Array) -> Array:
    """Columns of `values` at other instants, by cubics, which add less than most methods do.

    Where two samples have one instant, at an event, a cubic ends and another begins.
    """
    if len(t) == len(instants) and np.array_equal(t, instants):
        return values
    found = np.empty((len(instants), values.shape[1]))
    begins = np.concatenate([[0], np.flatnonzero(np.diff(t) <= 0.0) + 1])
    piece = np.clip(np.searchsorted(t[begins], instants, "right") - 1, 0, None)
    for i, (begin, end) in enumerate(zip(begins, [*begins[1:], len(t)], strict=True)):
        here = piece == i
        if here.any():
            found[here] = _cubics(t[begin:end], values[begin:end], instants[here])
    return found


def _cubics(t: Array, values: Array, instants: Array) -> Array:
    from scipy.interpolate import CubicSpline  # late: a run need not load it

    if len(t) < 2:
        return np.repeat(values[:1], len(instants), axis=0)
    return np.asarray(CubicSpline(t, values, axis=0)(instants))
