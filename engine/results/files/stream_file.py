"""An HDF5 file that grows while a run goes on, and that opens at every moment, after a kill too.

Its data sets have a fixed place and spare room, which costs nothing in a sparse file; rows are written there
without the HDF5 library, their count last. So the structure of the file is never touched while rows come in:
whatever happens `h5py.File(path)` opens it, and `/segments/N/count` tells how many rows of the last segment
are there. A new segment, more room and the end write the file anew beside itself and replace it in one go.
A lock beside it keeps every other writer away, and what was written is read back from the own descriptor,
whatever others have put under the name meanwhile.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from engine.compiled.layout import Array
from engine.model.files.scene_file import dumps
from engine.model.scene import Scene
from engine.results.files.extract import ExtractedSegment
from engine.results.files.file_lock import FileLock
from engine.results.files.formats.as_hdf5 import Sink, attributes
from engine.results.files.formats.base import FORMAT, TIME, VERSION, program
from engine.results.files.whole_file import part_name
from engine.results.output_evaluation import OutputEvaluation

PERIOD = 0.5  # s of the wall clock between two writes
MAX_ROWS = 4096  # between two writes
COPIED = 65_536  # rows at a time when the file is written anew
KEPT = "what was written until then is kept"


class StreamFile:
    """`begin` a segment, `append` rows, `finish`. An OSError names the file and says that it is kept."""

    def __init__(
        self,
        path: Path,
        scene: Scene,
        names: Sequence[str],
        look: Callable[[OutputEvaluation], object] | None = None,
    ) -> None:
        self.path, self.scene, self._names = path, scene, tuple(names)
        self._look = look  # is shown what is written
        self.count = 0  # rows in the file, of all segments
        self._segments: list[tuple[ExtractedSegment, int]] = []  # with the rows of each
        self._room = 0  # rows that the last segment can have
        self._pending: list[Array] = []
        self._waiting = 0
        self._start_energy: float | None = None
        self._raw: int | None = None
        self._lock: FileLock | None = None
        self._last = time.monotonic()

    def begin(self, segment: ExtractedSegment, room: int) -> None:
        """Rows that come now belong to this segment; its own samples are not written."""
        if self._lock is None:
            self._lock = FileLock(self.path)
        if self._segments:
            self.write()
        self._segments.append((segment, 0))
        try:
            self._rebuild(max(1, room))
        except BaseException:
            if self._raw is None:  # there is no file yet
                self.release()
            raise

    def append(self, rows: Array) -> None:
        self._pending.append(rows.copy())
        self._waiting += len(rows)
        first = self.count == 0  # the start stands in the file before anything can go wrong
        if first or self._waiting >= MAX_ROWS or time.monotonic() - self._last > PERIOD:
            self.write()

    def write(self) -> None:
        """Rows first, then how many there are."""
        self._last = time.monotonic()
        if not self._pending:
            return
        rows = np.concatenate(self._pending)
        self._pending, self._waiting = [], 0
        segment, at = self._segments[-1]
        if at + len(rows) > self._room:
            self._rebuild(2 * (at + len(rows)))
        if self._start_energy is None:
            self._start_energy = segment.channels.energy_before(rows[0].copy())
        width = segment.channels.layout.width
        try:
            self._put(rows, self._states_at + at * width * 8)
            self._put(rows[:, 0], self._t_at + 8 * self.count)
            evaluation = segment.channels.evaluation(
                rows, start_energy=self._start_energy, edits=segment.edits
            )
            if self._look is not None:
                self._look(evaluation)
            for name, place in zip(self._names, self._sets_at, strict=True):
                self._put(segment.read(evaluation, name), place + 8 * self.count)
            self.count += len(rows)
            self._segments[-1] = (segment, at + len(rows))
            self._put(np.array([at + len(rows)], dtype=np.int64), self._count_at)
        except OSError as error:
            raise OSError(error.errno, f"{error.strerror}; {KEPT}", str(self.path)) from None

    def finish(self, facts: Callable[[], Mapping[str, Any]]) -> None:
        """Write what is left, and the file anew without spare room; without space for that it stays.

        `facts` is called when all rows are written.
        """
        if self._raw is None:
            self.release()
            return
        try:
            self.write()
            os.fsync(self._raw)
            self._rebuild(0, facts())
        except OSError as error:
            reason = (error.strerror or str(error)).split(";")[0]
            raise OSError(error.errno, f"{reason}; {KEPT}", str(self.path)) from None
        finally:
            self.release()

    def release(self) -> None:
        """Let go of the file as it is, and of its lock."""
        if self._raw is not None:
            os.close(self._raw)
        if self._lock is not None:
            self._lock.release()
        self._raw = self._lock = None

    def _put(self, values: Any, at: int) -> None:
        assert self._raw is not None
        data = np.ascontiguousarray(values).data.cast("B")
        while len(data):
            done = _write_at(self._raw, data, at)
            data, at = data[done:], at + done

    # the file anew

    def _rebuild(self, room: int, facts: Mapping[str, Any] | None = None) -> None:
        """With room for so many rows of the last segment; with facts: complete, without room."""
        import h5py  # heavy

        fresh = part_name(self.path, os.getpid())
        try:
            with open(fresh, "w+b") as raw:
                sink = Sink(raw)
                with h5py.File(sink, "w") as new:
                    if self.count:
                        with self._written() as own, h5py.File(own, "r") as old:
                            places = self._fill(new, old, room, facts)
                    else:
                        places = self._fill(new, None, room, facts)
                sink.check()
            with h5py.File(fresh, "r") as file:  # places are known when the file is complete
                offsets = {place: file[place].id.get_offset() for place in places}
            file = os.open(fresh, os.O_RDWR | getattr(os, "O_BINARY", 0))
            try:
                os.replace(fresh, self.path)  # from here on the file is complete at every moment
            except OSError:
                os.close(file)
                raise
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise OSError(error.errno, reason, str(self.path)) from None
        finally:
            with contextlib.suppress(OSError):  # where nothing can be written there is nothing to remove
                fresh.unlink(missing_ok=True)
        if self._raw is not None:
            os.close(self._raw)
        self._raw = file
        if facts is not None:
            return
        self._room = room
        self._count_at, self._states_at, self._t_at, *self._sets_at = (offsets[place] for place in places)
        os.fsync(self._raw)

    def _written(self) -> IO[bytes]:
        """The rows so far, from the own descriptor."""
        assert self._raw is not None
        return os.fdopen(os.dup(self._raw), "rb")

    def _fill(self, new: Any, old: Any, room: int, facts: Mapping[str, Any] | None) -> list[str]:
        """Paths of the data sets that rows are written to: count, states, time, channels."""
        last = len(self._segments) - 1
        segment, done = self._segments[last]
        broken = {"message": "the run was broken off", "status": "cancelled"}
        told = {
            "format": FORMAT,
            "version": VERSION,
            "program": program(),
            "title": self.scene.title,
            **segment.facts(),
            **(broken if facts is None else facts),
        }
        if self._start_energy is not None:
            told["start_energy"] = self._start_energy
        new.attrs.update(attributes(told))
        new["scene"] = dumps(self.scene)
        places: list[str] = []
        for i, (part, rows) in enumerate(self._segments):
            group = new.create_group(f"segments/{i}")
            group.attrs.update(attributes(part.facts()))
            group["scene"] = dumps(part.scene)
            for name, text in part.pulls().items():  # as far as they are known now, and all at the end
                group[name] = text
            wide = part.channels.layout.width
            if i == last and facts is None:
                places = [_placed(group, "count", (1,), "i8"), _placed(group, "states", (room, wide), "f8")]
                group["count"][0] = rows
            else:
                group.create_dataset("states", (rows, wide), "f8")
            group["states"].attrs["columns"] = json.dumps(part.columns())
            if rows:
                _copy(old[f"segments/{i}/states"], group["states"], rows)
        total = self.count if facts is not None else self.count - done + room
        group = new.create_group("channels", track_order=True)
        units = {TIME: "s", **{name: segment.unit(name) for name in self._names}}
        for name, unit in units.items():
            parent = new if name == TIME else group
            if facts is None:
                places.append(_placed(parent, name, (total,), "f8"))
            else:
                parent.create_dataset(name, (total,), "f8")
            parent[name].attrs["unit"] = unit
            if self.count:
                _copy(old[parent[name].name], parent[name], self.count)
        if facts is not None:
            new[TIME].make_scale("time")
            for name in self._names:
                group[name].dims[0].attach_scale(new[TIME])
        return places


def _placed(group: Any, name: str, shape: tuple[int, ...], kind: str) -> str:
    """A data set whose place in the file is fixed now; its path."""
    import h5py

    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.CONTIGUOUS)
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)  # the room costs nothing on the disk
    kind_id = h5py.h5t.py_create(np.dtype(kind))
    h5py.h5d.create(group.id, name.encode(), kind_id, h5py.h5s.create_simple(shape), dcpl=plist)
    return f"{group.name.rstrip('/')}/{name}"


def _copy(old: Any, new: Any, rows: int) -> None:
    for begin in range(0, rows, COPIED):
        end = min(begin + COPIED, rows)
        new[begin:end] = old[begin:end]


def _write_at(file: int, data: memoryview, at: int) -> int:
    if hasattr(os, "pwrite"):
        return os.pwrite(file, data, at)
    os.lseek(file, at, os.SEEK_SET)
    return os.write(file, data)
