"""A pyramid of extremes: a growing curve that is drawn from few of its samples, however many it has."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[Any]  # whole numbers of any size

FACTOR = 4  # samples in a bucket of the lowest level, and buckets in one of the next
FINEST = 1.0  # buckets per column of pixels that are drawn, at least; fewer than twice as many
ROOM = 4096  # numbers that a column begins with


class _Column:
    """A growing array."""

    def __init__(self, kind: type = np.float64) -> None:
        self._room: NDArray[Any] = np.empty(ROOM, kind)
        self.count = 0

    @property
    def values(self) -> NDArray[Any]:
        return self._room[: self.count]

    def append(self, values: NDArray[Any]) -> None:
        need = self.count + len(values)
        if need > len(self._room):
            room = np.empty(max(need, 2 * len(self._room)), self._room.dtype)
            room[: self.count] = self.values
            self._room = room
        self._room[self.count : need] = values
        self.count = need


class _Level:
    """Buckets of so many samples: which of them is the smallest and which the largest."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.low, self.high = _Column(np.int32), _Column(np.int32)


class Pyramid:
    """Samples (t, y) in order. Appending costs as much as the new samples, drawing as the pixels.

    What is drawn are samples: the smallest and the largest of every bucket, where they are. Buckets are about
    as wide as a column of pixels, so a smooth curve runs through its own points, and noise fills its band.
    """

    def __init__(self) -> None:
        self._t, self._y = _Column(), _Column()
        self._levels: list[_Level] = []
        self.size = 0.0  # the largest absolute value

    def __len__(self) -> int:
        return self._t.count

    @property
    def t(self) -> Array:
        return self._t.values

    @property
    def y(self) -> Array:
        return self._y.values

    def append(self, t: Array, y: Array) -> None:
        """More samples; those before the last one are left out."""
        if len(self) and len(t):
            keep = np.searchsorted(t, self.t[-1])
            t, y = t[keep:], y[keep:]
        if not len(t):
            return
        self._t.append(t)
        self._y.append(y)
        self.size = max(self.size, float(np.abs(y[np.isfinite(y)]).max(initial=0.0)))
        self._raise()

    def _raise(self) -> None:
        """Fill all levels with the buckets that are complete now."""
        size, below = FACTOR, _Level(1)
        while len(self) >= size:
            level = next((level for level in self._levels if level.size == size), None)
            if level is None:
                level = _Level(size)
                self._levels.append(level)
            begin, end = FACTOR * level.low.count, FACTOR * (len(self) // size)
            if begin == end:
                return
            if below.size == 1:
                low = high = np.arange(begin, end).reshape(-1, FACTOR)
            else:
                low = below.low.values[begin:end].reshape(-1, FACTOR)
                high = below.high.values[begin:end].reshape(-1, FACTOR)
            level.low.append(_smallest(low, self.y))
            level.high.append(_largest(high, self.y))
            size, below = size * FACTOR, level

    def drawn(self, begin: float, end: float, pixels: float) -> tuple[Array, Array]:
        """Samples that look like the curve between two instants on so many columns of pixels."""
        t, y = self.t, self.y
        first = max(int(np.searchsorted(t, begin)) - 1, 0)
        last = min(int(np.searchsorted(t, end, side="right")) + 1, len(t))
        enough = FINEST * max(pixels, 64.0)
        fitting = [level for level in self._levels if (last - first) // level.size >= enough]
        if not fitting:
            return t[first:last], y[first:last]
        level = fitting[-1]
        a, b = first // level.size, min(last // level.size, level.low.count)
        low, high = level.low.values[a:b], level.high.values[a:b]
        if b - a >= 2.0 * enough:  # buckets of two
            b -= (b - a) % 2
            low = _smallest(low[: b - a].reshape(-1, 2), y)
            high = _largest(high[: b - a].reshape(-1, 2), y)
        pairs = np.column_stack([low, high])
        pairs.sort(axis=1)  # in the order of time
        rest = np.arange(b * level.size, last)[None, :]  # fills no bucket
        ends = [_smallest(rest, y), _largest(rest, y), rest[:, -1]] if rest.size else []
        indices = np.concatenate([pairs.ravel(), np.sort(np.concatenate(ends))] if ends else [pairs.ravel()])
        return t[indices], y[indices]

    def at(self, t: float) -> float:
        """The value at an instant, between two samples on a line, at a jump the later one; else NaN."""
        if not len(self) or not self.t[0] <= t <= self.t[-1]:
            return float("nan")
        i = int(np.searchsorted(self.t, t, side="right"))
        if self.t[i - 1] == t:  # where a value jumps, the one after the jump
            return float(self.y[i - 1])
        a, b = max(i - 1, 0), min(i + 1, len(self))
        return float(np.interp(t, self.t[a:b], self.y[a:b]))

    def between(self, begin: float, end: float) -> tuple[Array, Array]:
        """All samples of a range."""
        a, b = np.searchsorted(self.t, [begin, np.nextafter(end, np.inf)])
        return self.t[a:b], self.y[a:b]


def _smallest(rows: Indices, y: Array) -> Indices:
    """Of each row of samples the smallest; one that is no number only where all are none."""
    return _each(rows, _numbers(y[rows], np.inf).argmin(axis=1))


def _largest(rows: Indices, y: Array) -> Indices:
    """Likewise."""
    return _each(rows, _numbers(y[rows], -np.inf).argmax(axis=1))


def _each(rows: Indices, columns: Indices) -> Indices:
    """Of each row the sample in its column."""
    return rows[np.arange(len(rows)), columns]


def _numbers(values: Array, instead: float) -> Array:
    """The same with another number in place of what is none."""
    good = np.isfinite(values)
    return values if good.all() else np.where(good, values, instead)
