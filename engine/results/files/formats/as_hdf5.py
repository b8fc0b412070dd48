"""HDF5: a file that explains itself, and holds the states, so that the run can be opened again.

/            attributes: format, version, title, method, dt, options, message, and how the run went
/scene       the scene file as text
/t           time [s]
/channels/…  one data set per channel, with its unit as an attribute and `/t` as its scale
/segments/i  the segments of the run: scene, and states, whose columns the attribute `columns` tells
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from engine.results.files.formats.base import (
    FORMAT,
    MAX_EXPANSION,
    TIME,
    VERSION,
    Format,
    ReadError,
    StoredPart,
    StoredRun,
    check_version,
    from_json,
    plain,
    program,
)

if TYPE_CHECKING:
    from engine.results.files.extract import Extract

ROWS = 4096  # of a chunk of one channel


def _write(extract: Extract, path: Path) -> None:
    import h5py  # heavy

    with open(path, "w+b") as raw:
        sink = Sink(raw)
        with h5py.File(sink, "w") as file:
            _fill(extract, file, sink)
        sink.check()


def _fill(extract: Extract, file: Any, sink: Sink) -> None:
    from engine.model.files.scene_file import dumps

    _describe(extract, file)
    count, chunk = len(extract), min(ROWS, max(1, len(extract)))
    t = file.create_dataset(TIME, (count,), "f8", chunks=(chunk,))
    t.attrs["unit"] = "s"
    t.make_scale("time")
    group = file.create_group("channels", track_order=True)
    sets = []
    for name, unit in extract.units().items():
        made = group.create_dataset(name, (count,), "f8", chunks=(chunk,))
        made.attrs["unit"] = unit
        made.dims[0].attach_scale(t)
        sets.append(made)
    at = 0
    for block in extract.blocks():
        end = at + len(block)
        for i, made in enumerate((t, *sets)):
            made[at:end] = block[:, i]
        at = end
        sink.check()
    for i, segment in enumerate(extract.segments):
        part = file.create_group(f"segments/{i}")
        part.attrs.update(attributes(segment.facts()))
        part["scene"] = dumps(segment.scene)
        for name, text in segment.pulls().items():
            part[name] = text  # may be longer than an attribute
        part["states"] = segment.samples
        part["states"].attrs["columns"] = json.dumps(segment.columns())


class Sink:
    """A file for HDF5 that never fails: after a failed write the library crashes when it closes the file.

    The failure is kept, and `check` raises it.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._error: OSError | None = None

    def check(self) -> None:
        if self._error is not None:
            raise self._error

    def _do(self, call: Callable[[], Any], otherwise: Any = None) -> Any:
        try:
            return call()
        except OSError as error:
            self._error = self._error or error
            return otherwise

    def write(self, data: Any) -> int:
        size = len(memoryview(data).cast("B"))
        return int(self._do(lambda: self._file.write(data), size))

    def read(self, size: int = -1) -> bytes:
        return bytes(self._do(lambda: self._file.read(size), b""))

    def seek(self, at: int, whence: int = 0) -> int:
        return int(self._do(lambda: self._file.seek(at, whence), at))

    def tell(self) -> int:
        return int(self._do(self._file.tell, 0))

    def truncate(self, size: int | None = None) -> int:
        return int(self._do(lambda: self._file.truncate(size), size or 0))

    def flush(self) -> None:
        self._do(self._file.flush)


def _describe(extract: Extract, file: Any) -> None:
    last = extract.segments[-1]
    facts = {
        "format": FORMAT,
        "version": VERSION,
        "program": program(),
        "title": extract.scene.title,
        "message": extract.message,
        "start_energy": extract.start_energy,
        **last.facts(),
        **extract.facts,
    }
    file.attrs.update(attributes(facts))
    file["scene"] = extract.scene_text()


def attributes(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts as HDF5 can hold them: numbers and words as they are, the rest as JSON."""
    return {
        key: value if isinstance(value, str | int | float) else json.dumps(plain(value))
        for key, value in facts.items()
    }


def _read(path: Path) -> StoredRun:
    import h5py  # heavy

    limit = MAX_EXPANSION * path.stat().st_size
    with h5py.File(path, "r") as file:
        if file.attrs.get("format") != FORMAT:
            raise ReadError("it was not written by Trammel")
        check_version(int(file.attrs["version"]))
        facts = {key: value.item() if hasattr(value, "item") else value for key, value in file.attrs.items()}
        facts["happened"] = from_json(str(facts.get("happened", "[]")))
        if isinstance(facts.get("trust"), str):
            facts["trust"] = from_json(facts["trust"])
        segments = _member(file, "segments")
        parts = []
        for name in sorted(segments, key=int):
            part = _member(segments, name)
            own = dict(part.attrs)
            own["options"] = from_json(own.get("options", "{}"))
            if "mouse" in part:
                own["mouse"] = _text(part, "mouse")
            states = _member(part, "states")
            count = int(_member(part, "count")[0]) if "count" in part else len(states)
            if states.ndim != 2 or not 0 <= count <= len(states) or states.dtype.kind != "f":
                raise ReadError(
                    f"segment {name} declares {count} rows of states, and {states.shape} are there"
                )
            size = 8 * count * states.shape[1]
            limit -= size
            if limit < 0:
                raise ReadError(
                    f"segment {name} expands to {size} bytes, more than a file of this size can hold"
                )
            parts.append(StoredPart(_text(part, "scene"), states[:count], own))
        return StoredRun(facts, str(facts.get("message", "")), _text(file, "scene"), parts)


def _member(group: Any, name: str) -> Any:
    """An item of a group that lies in this file: no link leads elsewhere, no data is stored elsewhere."""
    import h5py

    link = group.get(name, getlink=True)
    if link is None:
        raise ReadError(f"there is no {name!r} in it")
    if not isinstance(link, h5py.HardLink):
        raise ReadError(f"{name!r} is a link to another place, which is not followed")
    item = group[name]
    if isinstance(item, h5py.Dataset) and (item.external or item.is_virtual):
        raise ReadError(f"{name!r} has its data in another file, which is not read")
    return item


def _text(group: Any, name: str) -> str:
    item = _member(group, name)
    if item.shape != ():
        raise ReadError(f"{name!r} is no text")
    text: str = item.asstr()[()]
    return text


HDF5 = Format(
    name=".h5", title="HDF5, opens as a replay", write=_write, read_run=_read, other_endings=(".hdf5",)
)
