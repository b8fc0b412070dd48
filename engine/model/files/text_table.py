"""Tables of numbers in text files, from instruments and spreadsheets of any country.

Delimiter and decimal sign are found from the text itself. Comments, a heading, a row of units below it, and
missing numbers are understood; all else that is no number is told with the line it stands on.
"""

from __future__ import annotations

import csv
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.errors import FileError
from engine.maths.written_units import si_of

BLANK = " "  # any number of blanks and tabs between two numbers
STYLES = ((";", "."), (";", ","), ("\t", "."), ("\t", ","), (",", "."), (BLANK, "."), (BLANK, ","))
COMMENTS = ("#", "%", "//")
LOOKED = 200  # lines from which the style is found
MISSING = ("", "nan", "na", "n/a", "-", "null")
_HEADING = re.compile(r"(.*?)\s*(?:\[([^\]]*)\]|\(([^()]*)\))?\s*")

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class TableError(FileError):
    """A text that is no table of numbers; the message names the line."""


@dataclass(frozen=True)
class TextTable:
    """Columns of numbers, NaN where one is missing, and the line of the file each row stands on."""

    headings: tuple[str, ...]
    units: tuple[str, ...]  # as written, empty where none is
    values: Array  # shape (rows, columns)
    lines: Ints  # shape (rows,), from 1
    delimiter: str
    decimal: str

    def index(self, column: str | int) -> int:
        """A column by heading, or by number from 1; raises TableError."""
        if column in self.headings:
            return self.headings.index(str(column))
        if str(column).isdigit() and 1 <= int(column) <= len(self.headings):
            return int(column) - 1
        known = ", ".join(self.headings)
        raise TableError(f"there is no column {column!r} (known: {known}, or numbers from 1)")

    def in_si(self, column: int) -> tuple[Array, str]:
        """A column in SI, and the unit; one that is not known, or means two things, leaves numbers alone."""
        known = si_of(self.units[column])
        if known is None:
            return self.values[:, column], self.units[column]
        si, size = known
        return self.values[:, column] * size, si

    def instants(self) -> Array:
        """The first column as time [s]; raises TableError for a unit that is none of time."""
        t, unit = self.in_si(0)
        if unit != "s" and si_of(unit) is not None:
            raise TableError(f"the first column is no time: it is in {self.units[0]}; put the times in front")
        return t

    def series(self, time: str | int, value: str | int, *, every: int = 1) -> tuple[Array, Array]:
        """Two columns as a function of time, every n-th row and the last; raises TableError with the line."""
        columns = [self.index(time), self.index(value)]
        numbers = self.values[:, columns]
        gaps = np.argwhere(np.isnan(numbers))
        if len(gaps):
            row, which = (int(i) for i in gaps[0])
            heading = self.headings[columns[which]]
            raise TableError(f"line {self.lines[row]}: there is no number in column {heading!r}")
        late = np.flatnonzero(np.diff(numbers[:, 0]) <= 0.0)
        if len(late):
            row = int(late[0])
            raise TableError(
                f"line {self.lines[row + 1]}: its time {numbers[row + 1, 0]:g} is not later than"
                f" {numbers[row, 0]:g} on line {self.lines[row]}; sort the rows and keep one for each time"
            )
        if len(numbers) < 2:
            raise TableError(f"there are {len(numbers)} rows of numbers; a function needs at least two")
        rows = np.unique([*range(0, len(numbers), max(1, every)), len(numbers) - 1])
        return numbers[rows, 0], numbers[rows, 1]


def read_table(
    path: str | os.PathLike[str], *, delimiter: str | None = None, decimal: str | None = None
) -> TextTable:
    """Read a file; delimiter and decimal sign are found unless given. Raises TableError or OSError."""
    data = Path(path).read_bytes()
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError("this is no text; save the table as CSV first")
    return parse_table(_text(data), delimiter=delimiter, decimal=decimal)


def parse_table(text: str, *, delimiter: str | None = None, decimal: str | None = None) -> TextTable:
    """The same for text."""
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith(COMMENTS)
    ]
    if not lines:
        raise TableError("it is empty, but for blank lines and comments")
    mark, sign = _style([line for _, line in lines], delimiter, decimal)
    fast = _fast(lines, mark, sign)
    return fast if fast is not None else _careful(lines, mark, sign)


def _fast(lines: Sequence[tuple[int, str]], mark: str, sign: str) -> TextTable | None:
    """A table in which all is in order; None for one that has to be looked at cell by cell."""
    at = next((i for i, (_, line) in enumerate(lines) if _is_numbers(_cells(line, mark), sign)), None)
    if at is None:
        return None
    body = [line.replace(",", ".") if sign == "," else line for _, line in lines[at:]]
    if sign == "," and any("." in line for _, line in lines[at:]):
        return None
    try:
        values = np.loadtxt(body, delimiter=None if mark == BLANK else mark, ndmin=2, comments=None)
    except ValueError:
        return None
    if not np.isfinite(values).all():
        return None
    headings, units = _names([_cells(line, mark) for _, line in lines[:at]], values.shape[1])
    return TextTable(headings, units, values, np.array([n for n, _ in lines[at:]]), mark, sign)


def _careful(lines: Sequence[tuple[int, str]], mark: str, sign: str) -> TextTable:
    """The same cell by cell, to tell what is wrong and where."""
    rows = _trimmed([(number, _cells(line, mark)) for number, line in lines])
    head = next((i for i, (_, cells) in enumerate(rows) if _is_numbers(cells, sign)), None)
    if head is None:
        number, cells = rows[-1]
        wrong = next((cell for cell in cells if number_of(cell, sign) is None), "")
        raise TableError(f"line {number}: {wrong!r} is no number; there is no row of numbers in it")
    count = len(rows[head][1])
    headings, units = _names([cells for _, cells in rows[:head]], count)
    values = np.empty((len(rows) - head, count))
    for i, (number, cells) in enumerate(rows[head:]):
        if len(cells) != count:
            raise TableError(f"line {number}: it has {len(cells)} columns, the first row of numbers {count}")
        for j, cell in enumerate(cells):
            value = number_of(cell, sign)
            if value is None:
                raise TableError(f"line {number}: {cell!r} in column {headings[j]!r} is no number")
            values[i, j] = value
    return TextTable(headings, units, values, np.array([n for n, _ in rows[head:]]), mark, sign)


def number_of(cell: str, decimal: str) -> float | None:
    """NaN for a missing number, None for what is no number at all."""
    word = cell.strip().strip('"')
    if word.lower() in MISSING:
        return math.nan
    if decimal == ",":
        if "." in word:
            return None
        word = word.replace(",", ".")
    try:
        value = float(word)
    except ValueError:
        return None
    return None if "_" in word or math.isinf(value) else value


def _text(data: bytes) -> str:
    for encoding in ("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig", "latin-1"):
        try:
            return data.decode(encoding)
        except UnicodeError:
            continue
    return ""  # latin-1 never fails


def _style(lines: Sequence[str], delimiter: str | None, decimal: str | None) -> tuple[str, str]:
    """The pair under which most of the lines are rows of the same number of numbers."""
    sample = [*lines[:LOOKED], lines[-1]]
    best, found = 0.0, STYLES[4]
    for mark, sign in STYLES:
        if (delimiter or mark) != mark or (decimal or sign) != sign or mark == sign:
            continue
        rows = [cells for line in sample if _is_numbers(cells := _cells(line, mark), sign)]
        count = max(map(len, rows), default=0)
        whole = sum(len(cells) == count for cells in rows)
        score = whole / len(sample) if count > 1 else 0.1 * whole / len(sample)
        if score > best + 1e-12:
            best, found = score, (mark, sign)
    if delimiter and found[0] != delimiter:
        return delimiter, decimal or "."
    return found


def _cells(line: str, mark: str) -> list[str]:
    if mark == BLANK:
        return line.split()
    try:
        (cells,) = csv.reader([line], delimiter=mark, skipinitialspace=True)
    except (csv.Error, ValueError):  # quotes that are never closed, cells without end
        cells = line.split(mark)
    return [cell.strip() for cell in cells]


def _is_numbers(cells: Sequence[str], sign: str) -> bool:
    """Whether a row has nothing but numbers, at least one of them there."""
    numbers = [number_of(cell, sign) for cell in cells]
    return None not in numbers and any(not math.isnan(n) for n in numbers if n is not None)


def _trimmed(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Without the empty column behind a delimiter at the end of every line."""
    while rows and all(len(cells) > 1 and not cells[-1] for _, cells in rows):
        rows = [(number, cells[:-1]) for number, cells in rows]
    return rows


def _names(head: list[list[str]], count: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Headings and units: one row of both, or the units below the headings."""
    fitting = [cells for cells in head if len(cells) == count]
    names = [f"column {i + 1}" for i in range(count)]
    units = [""] * count
    if fitting:
        found = [_HEADING.fullmatch(cell) for cell in fitting[0]]
        pairs = [(m[1], m[2] or m[3] or "") if m else ("", "") for m in found]
        names = [name or f"column {i + 1}" for i, (name, _) in enumerate(pairs)]
        units = [unit for _, unit in pairs]
    if len(fitting) > 1 and not any(units):
        units = [cell.strip("[]() ") for cell in fitting[1]]
    return tuple(_unique(names)), tuple(units)


def _unique(names: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    numbers: dict[str, int] = {}  # with which a heading has been told apart last
    for name in names:
        word, n = name, numbers.get(name, 1)
        while word in seen:
            n += 1
            word = f"{name} {n}"
        numbers[name] = n
        seen.add(word)
        yield word
