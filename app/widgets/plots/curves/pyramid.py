"""A pyramid of extremes: a growing curve that is drawn from few of its samples, however many it has."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[Any]  # whole numbers of any size

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
    """Samples (t, y) in order. Appending costs next to nothing, drawing as much as pixels and new samples.

    What is drawn are samples: the smallest and the largest of every bucket, where they are. Buckets are about
    as wide as a column of pixels, so a smooth curve runs through its own points, and noise fills its band.
    """

    def __init__(self) -> None:
        self._t, self._y = _Column(), _Column()
        self._levels: dict[int, _Level] = {}  # by size: those that were drawn
        self.low, self.high = math.inf, -math.inf  # the smallest and the largest value
        self._whole = True  # all values are numbers

    def __len__(self) -> int:
        return self._t.count

    @property
    def t(self) -> Array:
        return self._t.values

    @property
    def y(self) -> Array:
        return self._y.values

    @property
    def size(self) -> float:
        """The largest absolute value."""
        return max(-self.low, self.high, 0.0)

    def append(self, t: Array, y: Array) -> None:
        """More samples; those before the last one are left out."""
        if len(self) and len(t):
            keep = np.searchsorted(t, self.t[-1])
            t, y = t[keep:], y[keep:]
        if not len(t):
            return
        self._t.append(t)
        self._y.append(y)
        good = np.isfinite(y)
        if not good.all():
            self._whole, y = False, y[good]
        self.low = min(self.low, float(y.min(initial=math.inf)))
        self.high = max(self.high, float(y.max(initial=-math.inf)))

    def _level(self, samples: int, enough: float) -> _Level | None:
        """The coarsest one of which so many samples fill enough buckets, with all that are full by now."""
        size = 2 ** math.floor(math.log2(max(samples / enough, 1.0)))
        if size == 1:
            return None
        level = self._levels.setdefault(size, _Level(size))
        begin, end = level.low.count, len(self) // size
        if begin < end:
            rows, starts = self.y[begin * size : end * size].reshape(-1, size), np.arange(begin, end) * size
            level.low.append(starts + self._instead(rows, np.inf).argmin(axis=1))
            level.high.append(starts + self._instead(rows, -np.inf).argmax(axis=1))
        return level

    def _instead(self, values: Array, number: float) -> Array:
        """With that number in place of what is none: it is taken only where all are none."""
        return values if self._whole else np.where(np.isfinite(values), values, number)

    def drawn(self, begin: float, end: float, pixels: float) -> tuple[Array, Array]:
        """Samples that look like the curve between two instants on so many columns of pixels."""
        t, y = self.t, self.y
        first = max(int(np.searchsorted(t, begin)) - 1, 0)
        last = min(int(np.searchsorted(t, end, side="right")) + 1, len(t))
        level = self._level(last - first, FINEST * max(pixels, 64.0))
        if level is None:
            return t[first:last], y[first:last]
        a, b = first // level.size, min(last // level.size, level.low.count)
        low, high = level.low.values[a:b], level.high.values[a:b]
        indices = np.empty(2 * len(low), dtype=np.intp)
        indices[::2], indices[1::2] = np.minimum(low, high), np.maximum(low, high)  # in the order of time
        if b * level.size < last:  # what fills no bucket
            rest = y[b * level.size : last]
            one, other = self._instead(rest, np.inf).argmin(), self._instead(rest, -np.inf).argmax()
            ends = np.array(sorted((int(one), int(other), len(rest) - 1)))
            indices = np.append(indices, b * level.size + ends)
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
