"""CSV for spreadsheets: a heading with channel and unit, then numbers that come back bit by bit."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from engine.results.files.formats.base import TIME, Curves, Format

if TYPE_CHECKING:
    from engine.results.files.extract import Extract

DIGITS = "%.17g"  # a float64 survives the way out and back


def _write(extract: Extract, path: Path) -> None:
    import numpy as np

    with open(path, "w", encoding="utf-8", newline="") as file:
        headings = [f"{TIME} [s]", *(f"{name} [{unit}]" for name, unit in extract.units().items())]
        csv.writer(file, lineterminator="\n").writerow(headings)
        for block in extract.blocks():
            np.savetxt(file, block, fmt=DIGITS, delimiter=",")


def _read(path: Path) -> Curves:
    """Any table with time in front."""
    import numpy as np

    from engine.model.files.text_table import read_table

    table = read_table(path)
    late = np.flatnonzero(np.isnan(table.values[:, 0]))
    if len(late):
        raise ValueError(f"line {table.lines[late[0]]}: the time is missing")
    names = table.headings[1:]
    return Curves(
        table.values[:, 0],
        {name: table.values[:, i] for i, name in enumerate(names, 1)},
        dict(zip(names, table.units[1:], strict=True)),
        path.stem,
    )


CSV = Format(name=".csv", title="Table for spreadsheets", write=_write, read_curves=_read)
