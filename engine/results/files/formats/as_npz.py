"""NPZ for NumPy: channels by their names, and the states, so that the run can be opened again.

Keys: t, every channel by its name, scene, summary, units; `segments` lists those of the run, and for the
i-th of them there is `scene.i` and `states.i`, whose columns `segments` tells. A run of one segment, as most
are, has `states` and `layout` in place of `states.0`.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
)

if TYPE_CHECKING:
    from engine.results.files.extract import Extract

MEMBER = ".npy"


def _write(extract: Extract, path: Path) -> None:
    import numpy as np

    from engine.model.files.scene_file import dumps

    table = extract.table()
    arrays: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        TIME: table[:, 0],
        "scene": extract.scene_text(),
        "summary": json.dumps(plain(dict(extract.facts))),
        "message": extract.message,
        "units": json.dumps(extract.units(), ensure_ascii=False),
        "start_energy": extract.start_energy,
    }
    segments = [
        {**segment.facts(), **segment.pulls(), "columns": segment.columns()} for segment in extract.segments
    ]
    arrays["segments"] = json.dumps(plain(segments))
    if len(segments) == 1:
        arrays["layout"] = json.dumps(segments[0]["columns"])
        arrays["states"] = extract.segments[0].samples
        arrays["scene.0"] = dumps(extract.segments[0].scene)
    else:
        for i, segment in enumerate(extract.segments):
            arrays[f"states.{i}"], arrays[f"scene.{i}"] = segment.samples, dumps(segment.scene)
    arrays |= {name: table[:, i] for i, name in enumerate(extract.names, 1)}
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def _read(path: Path) -> StoredRun:
    with zipfile.ZipFile(path) as archive:
        file = _Members(archive, MAX_EXPANSION * path.stat().st_size)
        if not file.has("segments"):  # version 1
            if not file.has("states") or not file.has("scene"):
                raise ReadError("there are no states in it")
            facts = _object(file.text("summary"))
            own = {"method": facts["method"], "dt": facts["dt"]}
            return StoredRun(
                facts, "", file.text("scene"), [StoredPart(file.text("scene"), file.read("states"), own)]
            )
        check_version(int(file.read("version")))
        segments = from_json(file.text("segments"))
        if not isinstance(segments, list) or not all(isinstance(segment, dict) for segment in segments):
            raise ReadError("it lists no segments")
        single = len(segments) == 1
        parts = [
            StoredPart(file.text(f"scene.{i}"), file.read("states" if single else f"states.{i}"), segment)
            for i, segment in enumerate(segments)
        ]
        return StoredRun(_object(file.text("summary")), file.text("message"), file.text("scene"), parts)


class _Members:
    """Arrays of an archive, whose declared sizes are those of the bytes that are there."""

    def __init__(self, archive: zipfile.ZipFile, limit: int) -> None:
        self._archive, self._left = archive, limit

    def has(self, name: str) -> bool:
        return name + MEMBER in self._archive.NameToInfo

    def read(self, name: str) -> Any:
        import numpy as np

        if not self.has(name):
            raise ReadError(f"there is no {name!r} in it")
        info = self._archive.getinfo(name + MEMBER)
        with self._archive.open(info) as file:
            version = np.lib.format.read_magic(file)
            header = (
                np.lib.format.read_array_header_1_0
                if version == (1, 0)
                else np.lib.format.read_array_header_2_0
            )
            shape, _, dtype = header(file)
            size = dtype.itemsize
            for count in shape:  # in whole numbers of Python, which do not overflow
                size *= count
            if dtype.hasobject or min(shape, default=0) < 0 or size != info.file_size - file.tell():
                raise ReadError(f"{name!r} is declared with {size} bytes, and {info.file_size} are there")
        self._left -= size
        if self._left < 0:
            raise ReadError(f"{name!r} expands to {size} bytes, more than a file of this size can hold")
        with self._archive.open(info) as file:
            return np.lib.format.read_array(file, allow_pickle=False)

    def text(self, name: str) -> str:
        return str(self.read(name)[()])


def _object(text: str) -> dict[str, Any]:
    found = from_json(text)
    if not isinstance(found, dict):
        raise ReadError("its summary is no JSON object")
    return found


NPZ = Format(name=".npz", title="NumPy, opens as a replay", write=_write, read_run=_read)
