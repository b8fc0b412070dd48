"""The rows of a study in the order of its design, for people, arrays and files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.html_table import html_table
from engine.spelling import did_you_mean
from engine.studies.outcomes.exports import export_for
from engine.studies.outcomes.row import Row

SHOWN = 20  # rows in a notebook
FACTS = ("status", "message", "seconds", "key")


class Table:
    """Variables, objectives and how each run went."""

    def __init__(
        self,
        title: str,
        variables: Sequence[str],
        objectives: Sequence[str],
        rows: Sequence[Row],
        planned: int,
        units: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """`units` gives the SI units of the columns; it is asked when a file needs them."""
        self.title, self._units_of = title, units
        self.variables, self.objectives = tuple(variables), tuple(objectives)
        self.rows = tuple(rows)
        self.planned = planned  # runs of the study; more than there are rows after a cancel

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.variables, *self.objectives, *FACTS)

    @cached_property
    def units(self) -> dict[str, str]:
        """SI units of those columns that have one."""
        known = {"seconds": "s", **self._units_of()}
        return {name: known[name] for name in self.columns if known.get(name)}

    def heading(self, name: str) -> str:
        """A column with its unit, as in the files of runs."""
        return f"{name} [{self.units[name]}]" if name in self.units else name

    @property
    def failed(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if not row.done)

    @property
    def complete(self) -> bool:
        return len(self.rows) == self.planned

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Each run by the names of its columns."""
        for row in self.rows:
            cells = (*row.values, *row.objectives, row.status, row.message, row.seconds, row.key)
            yield dict(zip(self.columns, cells, strict=True))

    def column(self, name: str) -> Array:
        """A column of numbers, NaN where there is none, or an array of words; raises KeyError."""
        if name not in self.columns:
            raise KeyError(f"unknown column {name!r}{did_you_mean(name, self.columns)}")
        cells = [line[name] for line in self]
        if all(isinstance(cell, float | int | None) for cell in cells):
            return np.array([np.nan if cell is None else cell for cell in cells], dtype=float)
        return np.array(cells)

    __getitem__ = column

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it; the ending chooses the format. Whole or not at all."""
        export_for(Path(path)).save(self, Path(path))

    # for people

    def __repr__(self) -> str:
        return f"<Table {self._heading()}>"

    def _heading(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        planned = "" if self.complete else f" of {self.planned}"
        return f"{self.title or 'study'}: {len(self)}{planned} runs{failed}"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        names = (*self.variables, *self.objectives, "status", "message")
        lines = [[line[name] for name in names] for line, _ in zip(self, range(SHOWN), strict=False)]
        more = f"… {len(self) - SHOWN} more rows" if len(self) > SHOWN else ""
        return html_table(self._heading(), names, lines, more)
