"""What a format of saved runs is, and what the formats share."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import FileError

if TYPE_CHECKING:
    from engine.compiled.layout import Array
    from engine.results.files.extract import Extract

FORMAT = "trammel-trajectory"
VERSION = 2  # 1 had no segments
TIME = "t"
MAX_EXPANSION = 200  # bytes in memory per byte of the file: what compressed states reach


class ReadError(FileError):
    """A file that is no saved run; the text names the file and the reason."""


@dataclass(frozen=True)
class StoredPart:
    """A segment of a run: its scene as text, its states, and facts such as method and step."""

    scene: str
    states: Array
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredRun:
    facts: Mapping[str, Any]
    message: str
    scene: str
    parts: list[StoredPart]


@dataclass(frozen=True)
class Curves:
    """Channels over time, from anywhere."""

    t: Array
    values: Mapping[str, Array]
    units: Mapping[str, str]
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format: how a run is written, and how a file is read, as a run with its states or as curves alone.

    Files may come from strangers. A reader takes nothing that the file does not hold itself, and asks for no
    more memory than a file of its size can need. It may raise whatever it likes over damaged bytes.
    """

    name: str  # the ending of its files
    title: str
    write: Callable[[Extract, Path], None]
    read_run: Callable[[Path], StoredRun] | None = None
    read_curves: Callable[[Path], Curves] | None = None
    other_endings: tuple[str, ...] = ()
    mark: bytes = b""  # that such a run begins with, where files of another sort have the same ending

    @property
    def endings(self) -> tuple[str, ...]:
        return (self.name, *self.other_endings)

    @property
    def states(self) -> bool:
        """Whether files hold the states, so that a run can be opened again."""
        return self.read_run is not None


def program() -> str:
    """Name and version of the program, for files that tell who wrote them."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and few runs are saved

    try:
        return f"Trammel {version('trammel')}"
    except PackageNotFoundError:  # run from a folder that was never installed
        return "Trammel"


def plain(value: Any) -> Any:
    """JSON has no NaN and no infinity: they become null."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def from_json(text: str) -> Any:
    """What a text of JSON says; raises ValueError where an escape stands for half a character."""
    found = json.loads(text)
    json.dumps(found, ensure_ascii=False).encode()
    return found


def check_version(number: int) -> None:
    if number > VERSION:
        raise ReadError(
            f"it has version {number} of the format, this program knows {VERSION}; use a newer one"
        )
