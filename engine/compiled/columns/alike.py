"""Columns of `System.alike`: two rows that push a body along the same axis of the world."""

from typing import Final

PLACE: Final = 0  # of their product in `Work.matrix`
FIRST: Final = 1  # their lines in `System.incidence`
SECOND: Final = 2
AXIS: Final = 3
COLUMNS: Final = 4
