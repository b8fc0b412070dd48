"""CSV for spreadsheets: a heading with channel and unit, then numbers that come back bit by bit.

The last column is the verdict on the run: its heading has the words, its cells 0 for green, 1 for amber, 2
for red. A line of comment would be in the way of programs that expect a heading first and numbers below.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.results.files.formats.base import TIME, Curves, Format

if TYPE_CHECKING:
    from engine.results.files.extract import Extract

DIGITS = "%.17g"  # a float64 survives the way out and back
TRUST = "trust: "  # how the heading of the verdict begins
LEVELS = ("green", "amber", "red")


def _write(extract: Extract, path: Path) -> None:
    import numpy as np

    with open(path, "w", encoding="utf-8", newline="") as file:
        headings = [f"{TIME} [s]", *(f"{name} [{unit}]" for name, unit in extract.units().items())]
        trust = trust_column(extract.facts.get("trust"))
        csv.writer(file, lineterminator="\n").writerow([*headings, *trust])
        for block in extract.blocks():
            levels = [np.full(len(block), level) for level in trust.values()]
            np.savetxt(file, np.column_stack([block, *levels]), fmt=DIGITS, delimiter=",")


def trust_column(trust: Mapping[str, Any] | None) -> dict[str, int]:
    """Heading and number of the verdict's column, from its plain data; nothing where there is no verdict."""
    return {} if trust is None else {f"{TRUST}{trust['words']}": LEVELS.index(trust["level"])}


def _read(path: Path) -> Curves:
    """Any table with time in front; numbers in known units are turned into SI, as runs have them."""
    import numpy as np

    from engine.model.files.text_table import read_table

    table = read_table(path)
    late = np.flatnonzero(np.isnan(table.values[:, 0]))
    if len(late):
        raise ValueError(f"line {table.lines[late[0]]}: the time is missing")
    columns = [i for i, name in enumerate(table.headings) if i and not name.startswith(TRUST)]
    found = {table.headings[i]: table.in_si(i) for i in columns}
    values = {name: numbers for name, (numbers, _) in found.items()}
    return Curves(table.instants(), values, {name: unit for name, (_, unit) in found.items()}, path.stem)


CSV = Format(name=".csv", title="Table for spreadsheets", write=_write, read_curves=_read)
