"""Numbers over a range of a curve, and its spectrum."""

from dataclasses import dataclass

import numpy as np

from app.widgets.plots.curves.pyramid import Array

MAX_SAMPLES = 65536  # samples of a spectrum


@dataclass(frozen=True)
class Statistics:
    """Over time, not over samples: a method with varying steps must not shift the mean."""

    low: float
    high: float
    mean: float
    rms: float


def statistics(t: Array, y: Array) -> Statistics | None:
    """Smallest, largest, mean and root mean square value; None without samples."""
    good = np.isfinite(y)
    t, y = t[good], y[good]
    if not len(y):
        return None
    size = _size(y)  # neither squares nor sums of a run that blew up may overflow
    parts, span = y / size, t[-1] - t[0]
    if span <= 0.0:
        mean, square = parts.mean(), np.mean(parts * parts)
    else:
        mean, square = np.trapezoid(parts, t) / span, np.trapezoid(parts * parts, t) / span
    return Statistics(float(y.min()), float(y.max()), size * float(mean), size * float(np.sqrt(square)))


def _size(y: Array) -> float:
    """The largest absolute value, 1 for zeros and numbers so small that they are as good as none."""
    largest = float(np.abs(y).max())
    return largest if largest > np.finfo(float).tiny else 1.0


def spectrum(t: Array, y: Array) -> tuple[Array, Array]:
    """Frequencies [Hz] and amplitudes of a curve, resampled evenly and under a Hann window."""
    good = np.isfinite(y)
    t, y = t[good], y[good]
    if len(t) < 8 or t[-1] <= t[0]:
        return np.zeros(0), np.zeros(0)
    n = min(len(t), MAX_SAMPLES)
    even = np.linspace(t[0], t[-1], n)
    size = _size(y)
    values = np.interp(even, t, y / size)
    window = np.hanning(n)
    amplitude = np.abs(np.fft.rfft((values - values.mean()) * window)) * 2.0 / window.sum()
    amplitude *= min(size, np.finfo(float).max / (1.0 + amplitude.max()))  # none overflows
    return np.fft.rfftfreq(n, (t[-1] - t[0]) / (n - 1)), amplitude
