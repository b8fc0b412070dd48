"""Runs that are written while they run: memory stays flat, and a kill costs at most the last second.

The file is HDF5 from its first moment on. Its data sets have a fixed place and room for the whole run, which
costs nothing in a sparse file; rows are written there without the HDF5 library, their count last. So the
structure of the file is never touched while the run goes on, and whatever happens `h5py.File(path)` opens it;
`/segments/0/count` tells how many rows are there. At the end the file is written anew without empty room.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import Problem, SceneError
from engine.model.io import dumps
from engine.model.scene import Scene
from engine.problems import C_STEPS, Array
from engine.runtime.channels import Channels
from engine.runtime.saving.as_hdf5 import attributes
from engine.runtime.saving.base import FORMAT, TIME, VERSION, program
from engine.runtime.saving.extract import Stretch
from engine.runtime.simulation import Cancel, Part, Progress, Simulation

PERIOD = 0.5  # s of the wall clock between two writes
MOST_ROWS = 4096  # between two writes
SPARE = 64  # rows beyond the grid: knots, stops, the end
COPIED = 65_536  # rows at a time when the file is written anew


class StreamedSimulation(Simulation):
    """A simulation that keeps no samples: rows go to the file, with the chosen channels."""

    def __init__(
        self, scene: Scene, path: Path, channels: Sequence[str] | None = None, **settings: Any
    ) -> None:
        self.path = path
        self._wanted = channels
        self._file: _StreamFile | None = None
        super().__init__(scene, **settings)

    def new_part(self, edits: float) -> Part:
        part = super().new_part(edits)
        if self._file is not None:
            raise SceneError([Problem("", None, "a streamed run cannot be edited", "run without a stream")])
        names = part.channels.names() if self._wanted is None else tuple(self._wanted)
        rows = math.ceil(self.duration / (self.dt * self.sample_every)) + SPARE
        rows += len(list(self.mechanism.knots(0.0, self.duration)))
        stretch = Stretch(
            self.scene,
            part.channels,
            np.zeros((0, self.driver.width)),
            self.method.name,
            self.dt,
            self.options,
        )
        self._file = _StreamFile(self.path, self.scene, stretch, names, rows)
        return part

    def store(self, rows: Array) -> None:
        assert self._file is not None
        self._file.append(rows)

    def facts(self) -> dict[str, Any]:
        """How it went, in plain numbers."""
        assert self._file is not None
        simulated = float(self.sample[0])
        return {
            "method": self.method.name,
            "dt": self.dt,
            "duration": simulated,
            "steps": int(self.driver.work.counters[C_STEPS]),
            "samples": self._file.count,
            "status": self.status.name.lower(),
            "wall_time": self.wall_time,
            "real_time_factor": simulated / self.wall_time if self.wall_time > 0.0 else 0.0,
            "message": " ".join((*self.remarks, self.message)).strip(),
        }

    def close(self) -> None:
        """Write what is left, and the file anew without empty room."""
        if self._file is not None:
            self._file.write()
            self._file.finish(self.facts())


def stream(
    scene: Scene,
    path: str | os.PathLike[str],
    *,
    channels: Sequence[str] | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Run a scene to its end into an HDF5 file, which `load_trajectory` reads; facts about the run.

    `settings` are those of `simulate`. What was written stays, whatever happens.
    """
    run = StreamedSimulation(scene, Path(path), channels, **settings)
    try:
        while not run.done:
            if cancel is not None and cancel():
                run.cancel()
                break
            run.advance()
            if progress is not None:
                progress(run.t / run.duration, run.t)
    finally:
        run.close()
    return run.facts()


class _StreamFile:
    def __init__(self, path: Path, scene: Scene, stretch: Stretch, names: Sequence[str], rows: int) -> None:
        import h5py  # heavy

        self.path, self._names, self._rows = path, tuple(names), rows
        self._channels: Channels = stretch.channels
        self._width = stretch.channels.layout.width
        self._pending: list[Array] = []
        self._waiting = 0
        self.count = 0
        self._start_energy: float | None = None
        self._last = time.monotonic()
        facts = {
            "format": FORMAT,
            "version": VERSION,
            "program": program(),
            "title": scene.title,
            "message": "the run was broken off",
            "status": "cancelled",
            **stretch.facts(),
        }
        fresh = _part(path)
        with h5py.File(fresh, "w") as file:
            file.attrs.update(attributes(facts))
            file["scene"] = dumps(scene)
            part = file.create_group("segments/0")
            part.attrs.update(attributes(stretch.facts()))
            part["scene"] = dumps(stretch.scene)
            count = _placed(part, "count", (1,), "i8")
            states = _placed(part, "states", (rows, self._width), "f8")
            part["states"].attrs["columns"] = json.dumps(stretch.columns())
            t = _placed(file, TIME, (rows,), "f8")
            file[TIME].attrs["unit"] = "s"
            group = file.create_group("channels", track_order=True)
            sets = []
            for name in self._names:
                sets.append(_placed(group, name, (rows,), "f8"))
                group[name].attrs["unit"] = stretch.channels.unit(name)
        with h5py.File(fresh, "r") as file:  # places are known when the file is complete
            offset = {place: file[place].id.get_offset() for place in (count, states, t, *sets)}
        self._count_at, self._states_at, self._t_at = offset[count], offset[states], offset[t]
        self._sets_at = [offset[place] for place in sets]
        os.replace(fresh, path)  # from here on the file is complete at every moment
        self._raw = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        os.fsync(self._raw)

    def append(self, rows: Array) -> None:
        self._pending.append(rows.copy())
        self._waiting += len(rows)
        first = self.count == 0  # the start stands in the file before anything can go wrong
        if first or self._waiting >= MOST_ROWS or time.monotonic() - self._last > PERIOD:
            self.write()

    def write(self) -> None:
        """Rows first, then how many there are."""
        self._last = time.monotonic()
        if not self._pending:
            return
        rows = np.concatenate(self._pending)[: self._rows - self.count]
        self._pending, self._waiting = [], 0
        if not len(rows):
            return
        if self._start_energy is None:
            self._start_energy = self._channels.energy(rows[0].copy())
        at = self.count
        self._put(rows, self._states_at + at * self._width * 8)
        self._put(rows[:, 0], self._t_at + 8 * at)
        survey = self._channels.survey(rows, start_energy=self._start_energy)
        for name, place in zip(self._names, self._sets_at, strict=True):
            self._put(self._channels[name].read(survey), place + 8 * at)
        self.count += len(rows)
        self._put(np.array([self.count], dtype=np.int64), self._count_at)

    def _put(self, values: Any, at: int) -> None:
        data = np.ascontiguousarray(values).data.cast("B")
        while len(data):
            done = _write_at(self._raw, data, at)
            data, at = data[done:], at + done

    def finish(self, facts: Mapping[str, Any]) -> None:
        import h5py  # heavy

        os.fsync(self._raw)
        os.close(self._raw)
        temporary = _part(self.path)
        n = self.count
        try:
            with h5py.File(self.path, "r") as old, h5py.File(temporary, "w") as new:
                new.attrs.update({**old.attrs, **attributes(dict(facts))})
                new["scene"] = old["scene"][()]
                part = new.create_group("segments/0")
                part.attrs.update(old["segments/0"].attrs)
                part["scene"] = old["segments/0/scene"][()]
                new.create_group("channels", track_order=True)
                for place in (TIME, *(f"channels/{name}" for name in self._names), "segments/0/states"):
                    _copy(old[place], new.create_dataset(place, (n, *old[place].shape[1:]), "f8"))
                new[TIME].make_scale("time")
                for name in self._names:
                    new["channels"][name].dims[0].attach_scale(new[TIME])
            os.replace(temporary, self.path)
        finally:
            temporary.unlink(missing_ok=True)


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


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


def _copy(old: Any, new: Any) -> None:
    for begin in range(0, len(new), COPIED):
        end = min(begin + COPIED, len(new))
        new[begin:end] = old[begin:end]
    for key, value in old.attrs.items():
        new.attrs[key] = value


def _write_at(file: int, data: memoryview, at: int) -> int:
    if hasattr(os, "pwrite"):
        return os.pwrite(file, data, at)
    os.lseek(file, at, os.SEEK_SET)
    return os.write(file, data)
