"""Errors that are the user's to remedy; the command line shows them without a traceback."""

import errno
from pathlib import Path

SEALED = "the folder {folder} cannot be written to; choose another one"
TROUBLE = {  # of files that are written, with the way out
    errno.ENOENT: "there is no folder {folder}; choose another one",
    errno.ENOTDIR: "{folder} is no folder; choose another one",
    errno.EACCES: SEALED,
    errno.EPERM: SEALED,
    errno.EROFS: SEALED,
    errno.ENOSPC: "the disk is full; free some room, or choose a folder on another one",
}


class InputError(Exception):
    """Something given on the command line cannot be used."""

    def __init__(self, message: str, *, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.message = message
        self.remedy = remedy


def why(error: Exception, path: Path) -> str:
    """Why a file could not be written, and what to do."""
    known = TROUBLE.get(error.errno or 0) if isinstance(error, OSError) else None
    if known is not None:
        return known.format(folder=path.parent.absolute())
    return str(getattr(error, "strerror", None) or error)
