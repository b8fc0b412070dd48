"""Recorded states of a run: one writer (the engine thread), any readers, no lock.

Rows lie in chunks that are filled from the front; a reader sees `count` rows, and those never change. When
memory runs short, full chunks move to a temporary file, the oldest first, and are read from there.
"""

from __future__ import annotations

import math
import mmap
import sys
import tempfile
import weakref
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from engine.compiled.layout import Array

CHUNK_BYTES = 1 << 20
MEMORY = 1 << 30  # bytes that recorders which share a budget keep in memory
PARALLEL = 1.0 - 1e-9  # cosine between two unit quaternions above which the arc is a straight line


class Budget:
    """Memory that several recorders share."""

    def __init__(self, limit: int = MEMORY) -> None:
        self.limit = limit
        self.used = 0


class Recorder:
    """Samples in the order of time; columns as in `SampleLayout`, the time first."""

    def __init__(
        self,
        width: int,
        *,
        quaternions: Sequence[int] = (),
        budget: Budget | None = None,
        chunk_bytes: int = CHUNK_BYTES,
    ) -> None:
        self.width = width
        self._quaternions = tuple(quaternions)  # first columns of those among the coordinates
        self._budget = budget or Budget()
        self._rows = max(16, chunk_bytes // (8 * width))  # of a chunk
        self._chunks: list[Array] = []
        self._starts: list[float] = []  # time of the first row of each chunk
        self._count = 0
        self._spilled = 0  # chunks in the file
        self._file: tempfile.SpooledTemporaryFile[bytes] | None = None
        self._held = [0]  # bytes booked on the budget
        weakref.finalize(self, _give_back, self._budget, self._held)

    # writing, by the engine thread

    def append(self, block: Array) -> None:
        """Add rows, shape (n, width); their times do not decrease."""
        done = 0
        while done < len(block):
            at = self._count % self._rows
            if at == 0:
                self._begin_chunk(float(block[done, 0]))
            part = block[done : done + self._rows - at]
            self._chunks[-1][at : at + len(part)] = part
            self._count += len(part)  # only now can they be seen
            done += len(part)

    def _begin_chunk(self, t: float) -> None:
        size = self._rows * self.width * 8
        while self._budget.used + size > self._budget.limit and self._spilled < len(self._chunks):
            try:
                self._spill()
            except OSError:  # no room there either: better much memory than a lost run
                self._budget.limit = sys.maxsize
        self._starts.append(t)
        self._chunks.append(_zeros(self._rows, self.width))
        self._held[0] += size
        self._budget.used += size

    def _spill(self) -> None:
        """Move the oldest chunk in memory to the file."""
        if self._file is None:
            self._file = tempfile.SpooledTemporaryFile(max_size=0)  # noqa: SIM115 (lives as long as the recorder)
            self._file.rollover()
            weakref.finalize(self, self._file.close)
        i, size = self._spilled, self._rows * self.width * 8
        self._file.seek(i * size)
        self._file.write(self._chunks[i].tobytes())
        self._file.flush()
        shape = (self._rows, self.width)
        view = np.memmap(self._file, dtype=np.float64, mode="r", offset=i * size, shape=shape)
        self._chunks[i] = view
        self._spilled += 1
        self._held[0] -= size
        self._budget.used -= size

    # reading, by anyone

    @property
    def count(self) -> int:
        return self._count

    def __len__(self) -> int:
        return self._count

    @property
    def spilled(self) -> int:
        """Rows that have moved to disk."""
        return self._spilled * self._rows

    @property
    def t_first(self) -> float:
        return self._starts[0] if self._count else math.nan

    @property
    def t_last(self) -> float:
        count = self._count
        return float(self.row(count - 1)[0]) if count else math.nan

    def row(self, index: int) -> Array:
        """One row as it was recorded."""
        return np.asarray(self._chunks[index // self._rows][index % self._rows])

    def row_before(self, t: float) -> int:
        """Index of the last row at or before t; the first row when t is earlier, -1 when there is none."""
        count = self._count
        if not count:
            return -1
        chunks = -(-count // self._rows)
        i = max(0, bisect_right(self._starts, t, 0, chunks) - 1)
        size = min(self._rows, count - i * self._rows)
        return max(0, i * self._rows + int(np.searchsorted(self._chunks[i][:size, 0], t, "right")) - 1)

    def rows(self, begin: int, end: int, every: int = 1) -> Array:
        """Every n-th of the rows [begin, end), read-only; a view where they lie in one chunk."""
        begin, end = max(0, begin), min(end, self._count)
        if end <= begin:
            return np.zeros((0, self.width))
        first, last = begin // self._rows, (end - 1) // self._rows
        parts = []
        for i in range(first, last + 1):
            at = i * self._rows
            start = begin - at if begin >= at else -(at - begin) % every
            parts.append(self._chunks[i][start : end - at : every])
        found = parts[0][:] if len(parts) == 1 else np.concatenate(parts)
        found.flags.writeable = False
        return found

    def whole(self) -> Array:
        """All rows as one table, without a second copy of them: full chunks become parts of it.

        When rows lie on disk, the rest joins them there and the table is a map of the file.
        """
        count, size = self._count, self._rows * self.width * 8
        if self._spilled:
            assert self._file is not None
            for i in range(self._spilled, len(self._chunks)):
                self._file.seek(i * size)
                self._file.write(self._chunks[i].tobytes())
            self._file.flush()
            # whoever writes to it changes a copy of the page
            shape = (count, self.width)
            return np.asarray(np.memmap(self._file, dtype=np.float64, mode="c", shape=shape))
        table = np.empty((count, self.width))
        for i, chunk in enumerate(self._chunks):
            part = table[i * self._rows : (i + 1) * self._rows]
            part[:] = chunk[: len(part)]
            if len(part) == self._rows:
                self._chunks[i] = part
        return table

    def span(self, begin: float | None = None, end: float | None = None) -> tuple[int, int]:
        """Row numbers [first, last) of the samples with begin ≤ t ≤ end."""
        count = self._count
        if not count:
            return 0, 0
        last = count if end is None else self.row_before(end) + 1
        if end is not None and last == 1 and self.t_first > end:
            last = 0
        if begin is None:
            return 0, last
        first = self.row_before(begin)
        while first > 0 and self.row(first - 1)[0] >= begin:  # rows of the same instant
            first -= 1
        if self.row(first)[0] < begin:
            first += 1
        return first, max(first, last)

    def samples(self, begin: float | None = None, end: float | None = None) -> Array:
        """Rows with begin ≤ t ≤ end; everything when nothing is given."""
        return self.rows(*self.span(begin, end))

    def at(self, t: float) -> Array:
        """The state at an instant: between two rows it is interpolated, outside them it is the nearest."""
        i = self.row_before(t)
        if i < 0:
            raise ValueError("nothing is recorded yet")
        before = self.row(i)
        if t <= before[0] or i + 1 >= self._count:
            return before.copy()
        after = self.row(i + 1)
        share = (t - before[0]) / (after[0] - before[0])
        mixed: Array = before + share * (after - before)
        mixed[0] = t
        for at in self._quaternions:
            mixed[at : at + 4] = slerp(before[at : at + 4], after[at : at + 4], float(share))
        return mixed


def slerp(a: Array, b: Array, share: float) -> Array:
    """The rotation on the way from a to b, along the shorter arc."""
    cosine = float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))
    if cosine < 0.0:
        b, cosine = -b, -cosine
    if cosine > PARALLEL:
        mixed = a + share * (b - a)
    else:
        angle = math.acos(min(1.0, cosine))
        mixed = math.sin((1.0 - share) * angle) * a + math.sin(share * angle) * b
    return np.asarray(mixed / np.linalg.norm(mixed))


def _zeros(rows: int, width: int) -> Array:
    """A chunk that goes back to the system as soon as it is freed; the heap would keep it as a gap."""
    memory = mmap.mmap(-1, rows * width * 8, access=mmap.ACCESS_COPY)
    return np.frombuffer(memory).reshape(rows, width)


def _give_back(budget: Budget, held: list[int]) -> None:
    budget.used -= held[0]
