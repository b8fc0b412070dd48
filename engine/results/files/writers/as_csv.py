"""CSV for spreadsheets: a heading with channel and unit, then numbers that come back bit by bit."""

import csv
from pathlib import Path

import numpy as np

from engine.results.files.writers.base import TIME, Writer
from engine.results.files.writers.extract import Extract

DIGITS = "%.17g"  # a float64 survives the way out and back


def _write(extract: Extract, path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        headings = [f"{TIME} [s]", *(f"{name} [{unit}]" for name, unit in extract.units().items())]
        csv.writer(file, lineterminator="\n").writerow(headings)
        for block in extract.blocks():
            np.savetxt(file, block, fmt=DIGITS, delimiter=",")


CSV = Writer(".csv", "Table for spreadsheets", _write, states=False)
