"""What all formats share: one kind of writer, and a file that is whole or not there."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from engine.results.files.writers.extract import Extract

FORMAT = "trammel-trajectory"
VERSION = 2  # 1 had no segments
TIME = "t"
_NUMBER = re.compile(r"errno = (\d+)")  # HDF5 hides the system's errors in its texts


def program() -> str:
    """Name and version of the program, for files that tell who wrote them."""
    try:
        return f"Trammel {version('trammel')}"
    except PackageNotFoundError:  # run from a folder that was never installed
        return "Trammel"


@dataclass(frozen=True)
class Writer:
    name: str  # the ending of its files
    title: str
    write: Callable[[Extract, Path], None]
    states: bool  # whether files hold the states, so that a run can be opened again


def part_name(target: Path, pid: int) -> Path:
    """The file that a process writes before it takes the place of the target."""
    return target.with_name(f".{target.stem}.{pid}.part{target.suffix}")


@contextlib.contextmanager
def whole(file: str | os.PathLike[str]) -> Iterator[Path]:
    """Write the file that is given here, and it takes the place of the target in one go.

    After any exception the target is what it was before; an OSError names it and says that nothing was saved.
    """
    target = Path(file).resolve()
    temporary = part_name(target, os.getpid())
    try:
        yield temporary
        with open(temporary, "rb+") as written:
            os.fsync(written.fileno())
        os.replace(temporary, target)
    except OSError as error:
        _remove(temporary)
        number = error.errno or _hidden(error)
        reason = os.strerror(number) if number else error.strerror or str(error)
        raise OSError(number, f"{reason}; nothing was saved", str(target)) from None
    except BaseException:
        _remove(temporary)
        raise


def write_whole(extract: Extract, target: Path, write: Callable[[Extract, Path], None]) -> None:
    """Write a temporary file beside the target and replace the target in one go; OSError names the file."""
    with whole(target) as temporary:
        write(extract, temporary)


def _hidden(error: OSError) -> int:
    found = _NUMBER.search(str(error))
    return int(found[1]) if found else errno.EIO if "write" in str(error) else 0


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):  # a folder that cannot be written has nothing to remove
        file.unlink(missing_ok=True)


def plain(value: Any) -> Any:
    """JSON has no NaN and no infinity: they become null."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
