"""CSV: a heading with name and unit, then one line per run; numbers come back bit by bit."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from engine.studies.outcomes.exports.base import Export

if TYPE_CHECKING:
    from engine.studies.outcomes.table import Table


def _write(table: Table, path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([table.heading(name) for name in table.columns])
        writer.writerows(line.values() for line in table)


CSV = Export("csv", "Table for spreadsheets", _write)
