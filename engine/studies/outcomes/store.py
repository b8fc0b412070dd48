"""Rows on disk: an SQLite file with a write-ahead log, which a kill leaves whole.

A row is found by its key, whatever study asks for it: a study that was broken off goes on, one that was made
larger runs what is new. Numbers are kept as JSON, which gives them back bit by bit.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.studies.outcomes.row import Row

APPLICATION = 0x54524D4C  # "TRML": tells such a file from other databases
VERSION = 1
MEMORY = ":memory:"
ASKED_AT_ONCE = 500  # keys in one question; SQLite allows some thousand
PATIENCE = 30.0  # s: how long another process that writes is waited for

_TABLE = """
CREATE TABLE IF NOT EXISTS runs (
    key TEXT PRIMARY KEY,
    "values" TEXT NOT NULL,
    objectives TEXT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    seconds REAL NOT NULL
) WITHOUT ROWID
"""


class StoreError(OSError):
    """The store cannot be read or written."""

    def __init__(self, file: str, reason: str, remedy: str) -> None:
        super().__init__(None, reason, file)
        self.filename, self.strerror, self.remedy = file, reason, remedy

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}; {self.remedy}"


class Store:
    """Used as a context: it is closed at the end."""

    def __init__(self, file: str | os.PathLike[str] | None = None) -> None:
        """None: in memory."""
        self._file = MEMORY if file is None else os.fspath(file)
        if file is not None and not Path(file).resolve().parent.is_dir():
            raise StoreError(self._file, "there is no such folder", "make it first, or choose another file")
        with self._told():
            self._base = sqlite3.connect(self._file, timeout=PATIENCE)
        try:
            with self._told():
                self._open()
        except BaseException:
            self._base.close()
            raise

    def _open(self) -> None:
        number = self._base.execute("PRAGMA application_id").fetchone()[0]
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        empty = not self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not empty and number != APPLICATION:
            raise StoreError(self._file, "this is another database", "choose another file for the rows")
        if version > VERSION:
            raise StoreError(self._file, f"it has version {version} of the format", "use a newer Trammel")
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        with self._base:
            self._base.execute(_TABLE)
            self._base.execute(f"PRAGMA application_id = {APPLICATION}")
            self._base.execute(f"PRAGMA user_version = {VERSION}")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self._base.close()

    def __len__(self) -> int:
        with self._told():
            return int(self._base.execute("SELECT count(*) FROM runs").fetchone()[0])

    def add(self, rows: Iterable[Row]) -> None:
        """Keep these rows, all or none; one that is there already stays."""
        lines = [
            (
                row.key,
                json.dumps(row.values),
                json.dumps(row.objectives),
                row.status,
                row.message,
                row.seconds,
            )
            for row in rows
        ]
        with self._told(), self._base:
            self._base.executemany("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?)", lines)

    def known(self, keys: Sequence[str], sizes: tuple[int, int] | None = None) -> dict[str, Row]:
        """The rows of those keys that are there; with so many values and objectives, where that is known."""
        found = {}
        for begin in range(0, len(keys), ASKED_AT_ONCE):
            some = keys[begin : begin + ASKED_AT_ONCE]
            marks = ",".join("?" * len(some))
            with self._told():
                lines = self._base.execute(f"SELECT * FROM runs WHERE key IN ({marks})", some).fetchall()
            for cells in lines:
                row = _row(*cells)
                if row is None or sizes not in (None, (len(row.values), len(row.objectives))):
                    text = f"the row of run {cells[0]!r} is damaged"
                    raise StoreError(self._file, text, "use a backup, or choose another file for the rows")
                found[row.key] = row
        return found

    def forget_failures(self, keys: Sequence[str]) -> None:
        """Take failed runs out, so that they are run again."""
        failed = [(key,) for key, row in self.known(keys).items() if not row.done]
        with self._told(), self._base:
            self._base.executemany("DELETE FROM runs WHERE key = ?", failed)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of SQLite with the file and a remedy."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            text = str(error)
            remedy = "check the path and your rights"
            if "full" in text or "disk I/O" in text:
                remedy = (
                    "free some room on the disk and start the study again: what is stored is not run again"
                )
            elif "not a database" in text or "malformed" in text:
                remedy = "choose another file for the rows"
            elif "locked" in text:
                remedy = "wait until the other program that writes to it has ended"
            raise StoreError(self._file, text, remedy) from None
        except UnicodeDecodeError:  # names in a damaged database, which its errors repeat
            raise StoreError(
                self._file, "the database is damaged", "choose another file for the rows"
            ) from None


def _row(key: Any, values: Any, objectives: Any, status: Any, message: Any, seconds: Any) -> Row | None:
    """The row of these cells; None when they are not what a row has."""
    try:
        row = msgspec.convert(
            {
                "key": key,
                "values": msgspec.json.decode(values),
                "objectives": msgspec.json.decode(objectives),
                "status": status,
                "message": message,
                "seconds": seconds,
            },
            Row,
        )
    except (msgspec.MsgspecError, TypeError, ValueError):
        return None
    return row if row.done or row.message else None
