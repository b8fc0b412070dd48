"""A file that is whole or not there: it is written beside its place and takes it in one go."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

_NUMBER = re.compile(r"errno = (\d+)")  # HDF5 hides the system's errors in its texts


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


def write_whole(file: str | os.PathLike[str], text: str) -> None:
    """A text as a whole file."""
    with whole(file) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _hidden(error: OSError) -> int:
    found = _NUMBER.search(str(error))
    return int(found[1]) if found else errno.EIO if "write" in str(error) else 0


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):  # a folder that cannot be written has nothing to remove
        file.unlink(missing_ok=True)
