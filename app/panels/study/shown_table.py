"""The rows of a study as people look at them: numbers in display units, headings that say which."""

from __future__ import annotations

import numpy as np

from app.platform.units import Units, plain_number
from engine.compiled.layout import Array
from engine.studies.outcomes.table import Table


class ShownTable:
    """A table, and the units that its columns are shown in."""

    def __init__(self, table: Table, si: dict[str, str], units: Units) -> None:
        self.table, self._si, self._units = table, si, units

    def in_units(self, units: Units) -> ShownTable:
        """The same in other units."""
        return ShownTable(self.table, self._si, units)

    def same_as(self, other: ShownTable) -> bool:
        return (self.table, self._si, self._units) == (other.table, other._si, other._units)

    def __len__(self) -> int:
        return len(self.table)

    @property
    def variables(self) -> list[str]:
        return list(self.table.variables)

    @property
    def objectives(self) -> list[str]:
        return list(self.table.objectives)

    @property
    def names(self) -> list[str]:
        return [*self.variables, *self.objectives]

    def factor(self, name: str) -> float:
        """How much SI one unit of this column is."""
        return self._units.factor(self._si.get(name, ""))

    def unit(self, name: str) -> str:
        """In which a column is shown; empty for pure numbers."""
        return self._units.shown(self._si.get(name, ""))

    def heading(self, name: str) -> str:
        """The name, short for a parameter, with its unit."""
        unit = self.unit(name)
        short = name.removeprefix("parameters.")
        return f"{short} [{unit}]" if unit else short

    def numbers(self, name: str) -> Array:
        """A column in its unit, NaN where there is none; words count 0, 1, 2 … in their order."""
        column = self.table[name]
        if column.dtype.kind == "f":
            return np.asarray(column / self.factor(name))
        _, places = np.unique(column.astype(str), return_inverse=True)
        return places.astype(float)

    def words(self, name: str) -> list[str]:
        """The words of a column that has no numbers."""
        column = self.table[name]
        return [] if column.dtype.kind == "f" else sorted(set(column.astype(str)))

    def text(self, name: str, cell: object, digits: int = 6) -> str:
        """A cell of a column."""
        if cell is None:
            return "–"
        if not isinstance(cell, float):
            return str(cell)
        return plain_number(cell / self.factor(name), digits)
