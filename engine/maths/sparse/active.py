"""The active matrix of the orderings that place row after row: rows and columns that have no place yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.maths.sparse.pattern import Pattern


@dataclass
class Active:
    """Columns of every active row and rows of every active column."""

    rows: dict[int, set[int]]
    columns: dict[int, set[int]]

    @classmethod
    def of(cls, pattern: Pattern, *, border: Iterable[int] = (), bottom: Iterable[int] = ()) -> Active:
        """All rows and columns but those of the border and the bottom."""
        out, below = set(border), set(bottom)
        rows = {r: row - out for r, row in enumerate(pattern.sets()) if r not in below}
        columns: dict[int, set[int]] = {c: set() for c in range(pattern.shape[1]) if c not in out}
        for r, row in rows.items():
            for c in row:
                columns[c].add(r)
        return cls(rows, columns)

    def copy(self) -> Active:
        return Active(
            {r: set(row) for r, row in self.rows.items()},
            {c: set(column) for c, column in self.columns.items()},
        )

    def take_rows(self, rows: Iterable[int]) -> None:
        for r in list(rows):
            for c in self.rows.pop(r):
                self.columns[c].discard(r)

    def take_columns(self, columns: Iterable[int]) -> None:
        for c in list(columns):
            for r in self.columns.pop(c):
                self.rows[r].discard(c)

    def empty(self) -> list[int]:
        """Rows without entries."""
        return sorted(r for r, row in self.rows.items() if not row)

    def least_count(self) -> int:
        """The smallest number of entries of a row that has any; 0 when none has."""
        return min((len(row) for row in self.rows.values() if row), default=0)

    def tallies(self, column: int) -> tuple[int, ...]:
        """In how many rows of 1, 2, 3 … entries the column has one."""
        counts = [len(self.rows[r]) for r in self.columns[column]]
        found = [0] * max(counts, default=0)
        for count in counts:
            found[count - 1] += 1
        return tuple(found)

    def busiest(self) -> int:
        """The column with the most entries in the shortest rows, then in the next ones, then the first."""
        least = self.least_count()
        candidates = {c for row in self.rows.values() if len(row) == least for c in row}
        return max(candidates, key=lambda c: (self.tallies(c)[least - 1 :], -c))
