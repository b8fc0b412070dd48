"""What a format of tables is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.results.files.whole_file import whole

if TYPE_CHECKING:
    from engine.studies.outcomes.table import Table


@dataclass(frozen=True)
class Export:
    """A format: its name is the ending of its files without the point.

    `require` raises MissingExtra where its library is not installed.
    """

    name: str
    title: str
    write: Callable[[Table, Path], None]
    require: Callable[[], object] = lambda: None

    def save(self, table: Table, path: Path) -> None:
        """Write a file, whole or not at all; raises OSError."""
        with whole(path) as part:
            self.write(table, part)
