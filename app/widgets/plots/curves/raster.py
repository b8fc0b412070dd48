"""A curve on the pixels of a plot: how long its way is there, and which points are needed to draw it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.widgets.plots.curves.pyramid import Array, Indices

Span = tuple[float, float]

PASSES = 5  # each leaves at most half of the points
CELL = 0.25  # px; samples of a long curve that follow each other inside such a square are drawn as one
MIN_SAMPLES_TO_MERGE = 20_000  # samples from which on that is worth while


@dataclass(frozen=True)
class Raster:
    """What a plot shows across and up (powers of ten where `log`), and on how many pixels of the device."""

    across: Span
    up: Span
    width: float
    height: float
    log: bool = False

    @property
    def key(self) -> tuple[Any, ...]:
        """Changes with all that can be seen in a curve; a range may move by less than an eighth."""
        return (round(self.width), round(self.height), self.log, _coarse(self.across), _coarse(self.up))

    def places(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Pixels from the left and from below; NaN for what cannot be drawn."""
        if self.log:
            y = np.log10(np.where(y > 0.0, y, np.nan))
        return _pixels(x, self.across, self.width), _pixels(y, self.up, self.height)

    def way(self, px: Array, py: Array) -> float:
        """How far a pen travels inside the plot [px]."""
        across = np.minimum(np.maximum(px, 0.0), self.width)
        up = np.minimum(np.maximum(py, 0.0), self.height)
        return float(np.nansum(np.hypot(across[1:] - across[:-1], up[1:] - up[:-1])))

    def strokes(self, px: Array, y: Array) -> tuple[Array, Array]:
        """A band: one stroke from the smallest to the largest value in the middle of every column of pixels.

        They go up and down in turn; `px` increases.
        """
        columns = np.arange(np.floor(px[0]), np.floor(px[-1]) + 1.0)
        # extremes lie anywhere in their column: half a pixel of both neighbours leaves none without a stroke
        windows = np.searchsorted(px, np.column_stack([columns - 0.5, columns + 1.5])).ravel()
        values = np.append(y, np.nan)
        low, high = (extreme.reduceat(values, windows)[::2] for extreme in (np.fmin, np.fmax))
        pairs = np.column_stack([low, high])
        pairs[1::2] = pairs[1::2, ::-1]
        middles = self.across[0] + (columns + 0.5) * (self.across[1] - self.across[0]) / self.width
        return np.repeat(middles, 2), pairs.ravel()


def needed(px: Array, py: Array, tolerance: float) -> Indices:
    """Points from which the line through all of them can be drawn with an error of at most so many pixels.

    In turn every second point is left out if it lies on the way between its neighbours; the errors of the
    passes add up.
    """
    allowed = tolerance / PASSES
    if _straight(px, py, allowed):
        return np.array([0, len(px) - 1])
    keep = _apart(px, py) if len(px) > MIN_SAMPLES_TO_MERGE else np.arange(len(px))
    for _ in range(PASSES):
        half = (len(keep) - 1) // 2
        a, b, c = keep[0 : 2 * half : 2], keep[1 : 2 * half : 2], keep[2 : 2 * half + 1 : 2]
        ux, uy, vx, vy = px[c] - px[a], py[c] - py[a], px[b] - px[a], py[b] - py[a]
        length, along = np.hypot(ux, uy), ux * vx + uy * vy
        beside = np.abs(ux * vy - uy * vx) <= allowed * length
        between = (along >= 0.0) & (along <= length * length) & (length > 0.0)
        spare = (beside & between) | (np.hypot(vx, vy) <= allowed)
        if not spare.any():
            break
        stay = np.ones(len(keep), dtype=bool)
        stay[1 : 2 * half : 2] = ~spare
        keep = keep[stay]
    return keep


def _straight(px: Array, py: Array, allowed: float) -> bool:
    """Whether all points lie on the way from the first to the last, forwards."""
    if len(px) < 3:
        return False
    ux, uy = px[-1] - px[0], py[-1] - py[0]
    length = float(np.hypot(ux, uy))
    beside = np.abs(ux * (py - py[0]) - uy * (px - px[0])) <= allowed * length
    return length > 0.0 and bool(beside.all()) and bool((np.diff(px) * ux + np.diff(py) * uy >= 0.0).all())


def _apart(px: Array, py: Array) -> Indices:
    """The first sample in each small square that the curve goes through, and the last of all."""
    column, row = np.floor(px / CELL), np.floor(py / CELL)
    moved = np.ones(len(px), dtype=bool)
    moved[1:-1] = (column[1:-1] != column[:-2]) | (row[1:-1] != row[:-2])  # NaN differs from all
    return np.flatnonzero(moved)


def _pixels(values: Array, span: Span, pixels: float) -> Array:
    extent = span[1] - span[0]
    if not extent > 0.0:
        return np.zeros_like(values)
    found: Array = (values - span[0]) * (pixels / extent)
    finite = np.isfinite(found)
    return found if finite.all() else np.where(finite, found, np.nan)


def _coarse(span: Span) -> tuple[float, ...]:
    extent = span[1] - span[0]
    if not 0.0 < extent < np.inf:
        return span
    step = 2.0 ** (np.floor(np.log2(extent)) - 3.0)
    return (step, round(span[0] / step), round(span[1] / step))
