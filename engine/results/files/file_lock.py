"""One writer per file: a lock beside it, which the system lets go when its holder ends in whatever way."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

LOCKED_BYTE = 1 << 30  # far behind the text, which others can so read under Windows too
HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class FileInUseError(OSError):
    """Another process, or another run of this one, writes the file."""

    remedy = "wait until it has ended, or choose another name"

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(errno.EBUSY, f"{holder or 'another process'} is writing it", str(path))


class FileLock:
    """Held from the beginning until `release`; raises FileInUseError where another one has it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._beside = path.with_name(f".{path.name}.lock")
        self._file: int | None = None
        while self._file is None:
            self._file = self._taken()
        try:
            os.ftruncate(self._file, 0)
            os.write(self._file, f"process {os.getpid()} ({_program()})".encode())
        except OSError as error:  # a full disk: there would be no room for the file itself
            self.release()
            raise OSError(error.errno, error.strerror, str(path)) from None

    def release(self) -> None:
        if self._file is None:
            return
        if sys.platform != "win32":  # Windows removes no open file; a lock that nobody holds does no harm
            self._beside.unlink(missing_ok=True)
        os.close(self._file)
        self._file = None

    def _taken(self) -> int | None:
        """The lock file, None when its last holder removed it in between."""
        file = os.open(self._beside, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        try:
            if not _lock(file):
                raise FileInUseError(self.path, _text(file))
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), os.stat(self._beside)):
                    return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)
        return None


def _lock(file: int) -> bool:
    """Whether the lock is ours now. Where the file system knows no locks, everybody gets one."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in HELD:
            return False
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
    return True


def _program() -> str:
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]]).strip() or "Python"


def _text(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, 200).decode(errors="replace")
