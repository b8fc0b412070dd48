"""A min–max pyramid: a growing curve that is drawn from few points, however many samples it has."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FACTOR = 4  # samples that become one bucket of the next level
FIRST = 4096  # samples of room at the beginning


class _Column:
    """A growing array."""

    def __init__(self) -> None:
        self._room = np.empty(FIRST)
        self.count = 0

    @property
    def values(self) -> Array:
        return self._room[: self.count]

    def append(self, values: Array) -> None:
        need = self.count + len(values)
        if need > len(self._room):
            room = np.empty(max(need, 2 * len(self._room)))
            room[: self.count] = self.values
            self._room = room
        self._room[self.count : need] = values
        self.count = need


class _Level:
    """Buckets of FACTOR^k samples: where they begin, smallest and largest value."""

    def __init__(self) -> None:
        self.t, self.low, self.high = _Column(), _Column(), _Column()


class Pyramid:
    """Samples (t, y) with t increasing. Appending costs as much as the new samples, drawing as the pixels."""

    def __init__(self) -> None:
        self._t, self._y = _Column(), _Column()
        self._levels: list[_Level] = []

    def __len__(self) -> int:
        return self._t.count

    @property
    def t(self) -> Array:
        return self._t.values

    @property
    def y(self) -> Array:
        return self._y.values

    def append(self, t: Array, y: Array) -> None:
        """More samples; those not later than the last one are left out."""
        if len(self) and len(t):
            keep = np.searchsorted(t, self.t[-1], side="right")
            t, y = t[keep:], y[keep:]
        if not len(t):
            return
        self._t.append(t)
        self._y.append(y)
        self._raise_level(0, self.t, self.y, self.y)

    def _raise_level(self, k: int, t: Array, low: Array, high: Array) -> None:
        """Fill level k with the buckets that are complete now."""
        if len(t) < FACTOR:
            return
        if k == len(self._levels):
            self._levels.append(_Level())
        level = self._levels[k]
        done, whole = level.t.count, len(t) // FACTOR
        if whole == done:
            return
        begin, end = done * FACTOR, whole * FACTOR
        level.t.append(t[begin:end:FACTOR])
        level.low.append(np.fmin.reduce(low[begin:end].reshape(-1, FACTOR), axis=1))
        level.high.append(np.fmax.reduce(high[begin:end].reshape(-1, FACTOR), axis=1))
        self._raise_level(k + 1, level.t.values, level.low.values, level.high.values)

    def drawn(self, begin: float, end: float, pixels: int) -> tuple[Array, Array]:
        """Points that look like the curve between two instants on so many pixels."""
        t = self.t
        first = max(int(np.searchsorted(t, begin)) - 1, 0)
        last = min(int(np.searchsorted(t, end, side="right")) + 1, len(t))
        room = max(pixels, 64)
        k, size = 0, 1
        while (last - first) // size > room and k < len(self._levels):
            k, size = k + 1, size * FACTOR
        if k == 0:
            return t[first:last], self.y[first:last]
        at, x, y = first - first % size, [], []
        for level in reversed(self._levels[:k]):  # what does not fill a bucket is drawn from smaller ones
            a, b = at // size, max(at // size, min(last // size, level.t.count))
            x.append(np.repeat(level.t.values[a:b], 2))
            y.append(np.column_stack([level.low.values[a:b], level.high.values[a:b]]).ravel())
            at, size = b * size, size // FACTOR
        return np.concatenate([*x, t[at:last]]), np.concatenate([*y, self.y[at:last]])

    def at(self, t: float) -> float:
        """The value at an instant, between two samples on a line; NaN without samples or outside."""
        if not len(self) or not self.t[0] <= t <= self.t[-1]:
            return float("nan")
        i = int(np.searchsorted(self.t, t))
        a, b = max(i - 1, 0), min(i + 1, len(self))
        return float(np.interp(t, self.t[a:b], self.y[a:b]))

    def between(self, begin: float, end: float) -> tuple[Array, Array]:
        """All samples of a range."""
        a, b = np.searchsorted(self.t, [begin, np.nextafter(end, np.inf)])
        return self.t[a:b], self.y[a:b]
