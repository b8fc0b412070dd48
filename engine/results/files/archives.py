"""Files with the states of a run, taken apart: NPZ and HDF5.

They may come from strangers. Nothing is read that the file does not hold itself, and no more memory is asked
for than a file of its size can need. Libraries raise whatever they like over damaged bytes, so that every
exception of theirs means a damaged file.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.results.files.writers.base import FORMAT, VERSION

MAX_EXPANSION = 200  # bytes in memory per byte of the file: what compressed states reach
MEMBER = ".npy"


class ReadError(ValueError):
    """A file that is no saved run; the text names the file and the reason."""


@dataclass(frozen=True)
class StoredPart:
    """A stretch of a run: its scene as text, its states, and facts such as method and step."""

    scene: str
    states: Array
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredRun:
    facts: Mapping[str, Any]
    message: str
    scene: str
    parts: list[StoredPart]


def open_archive(path: Path) -> StoredRun:
    """What the file holds; raises ReadError or OSError."""
    with open(path, "rb"):  # what the system refuses is told as such
        pass
    try:
        return _read_npz(path) if path.suffix.lower() == ".npz" else _read_hdf5(path)
    except ReadError:
        raise
    except Exception as error:
        raise ReadError(f"it is no run that Trammel has saved, or it is damaged ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:120]}" if text else type(error).__name__


# NPZ --------------------------------------------------------------------------------------------------------


def _read_npz(path: Path) -> StoredRun:
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
        _check_version(file.read("version"))
        segments = _json(file.text("segments"))
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


# HDF5 -------------------------------------------------------------------------------------------------------


def _read_hdf5(path: Path) -> StoredRun:
    import h5py  # heavy

    limit = MAX_EXPANSION * path.stat().st_size
    with h5py.File(path, "r") as file:
        if file.attrs.get("format") != FORMAT:
            raise ReadError("it was not written by Trammel")
        _check_version(file.attrs["version"])
        facts = {key: value.item() if hasattr(value, "item") else value for key, value in file.attrs.items()}
        segments = _member(file, "segments")
        parts = []
        for name in sorted(segments, key=int):
            part = _member(segments, name)
            own = dict(part.attrs)
            own["options"] = _json(own.get("options", "{}"))
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


# both -------------------------------------------------------------------------------------------------------


def _json(text: str) -> Any:
    found = json.loads(text)
    json.dumps(found, ensure_ascii=False).encode()  # raises where an escape stands for half a character
    return found


def _object(text: str) -> dict[str, Any]:
    found = _json(text)
    if not isinstance(found, dict):
        raise ReadError("its summary is no JSON object")
    return found


def _check_version(version: Any) -> None:
    number = int(version)
    if number > VERSION:
        raise ReadError(
            f"it has version {number} of the format, this program knows {VERSION}; use a newer one"
        )
